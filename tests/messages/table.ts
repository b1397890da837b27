/** The messages of the specification as data, checked by tests/messages.test.ts. */

/** A message of the specification, where its text alone does not say how it is shown. */
export interface Message {
  /** Letter for letter as the specification has it. */
  text: string;
  /** The parts of it that are filled in: '<tag name>', '{n}'. */
  gaps?: readonly string[];
  /** Where the specification writes several sentences as one ('title / body'): the sentences. */
  sentences?: readonly string[];
  /** The whole texts that tests assert where they are more than the message: gaps filled, or the whole of an alert. */
  shown?: readonly string[];
}

/** Section of docs/specification.md → the messages that it quotes and no section before it. */
export type MessageTable = Readonly<Record<string, readonly (string | Message)[]>>;

export const messageOf = (entry: string | Message): Message => (typeof entry === 'string' ? { text: entry } : entry);

export const sentencesOf = ({ text, sentences }: Message): readonly string[] => sentences ?? [text];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The text with `filling` in each gap (the last place where it occurs), as a pattern. */
export function patternOf(text: string, gaps: readonly string[] = [], filling = ''): string {
  const mark = '\u0001';
  const marked = gaps.reduce((rest, gap) => {
    const at = rest.lastIndexOf(gap);
    return rest.slice(0, at) + mark + rest.slice(at + gap.length);
  }, text);
  return marked.split(mark).map(escaped).join(filling);
}
