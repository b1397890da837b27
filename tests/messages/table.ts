/** What the messages of a part of the specification are proven by: data, checked by tests/messages.test.ts. */

/** A message of the specification, and the tests that provoke it. */
export interface Message {
  /** Letter for letter as the part has it. */
  text: string;
  /** What of it is not said but filled in: '<tag name>', '{n}'. */
  gaps?: readonly string[];
  /** Where the part writes several sentences as one ('title / body'): the sentences. */
  sentences?: readonly string[];
  tests: readonly Provoked[];
}

export interface Provoked {
  file: string;
  /** The test's own title, without its describe. */
  test: string;
  /** The text as this test asserts it, where that is more than the message: gaps filled, or the whole of an alert. */
  shown?: string;
}

export interface Section {
  /** How many quoted texts the section has, counted in the part; "the same three forms for Truck and Tag" are six. */
  stated: number;
  messages: readonly Message[];
}

/** Section of the part → its messages in their order. */
export type PartTable = Readonly<Record<string, Section>>;

export const message = (text: string, ...tests: Provoked[]): Message => ({ text, tests });

/** Names the tests of one file. */
export const testsIn =
  (file: string) =>
  (test: string, shown?: string): Provoked => ({ file, test, ...(shown === undefined ? {} : { shown }) });

export const sentencesOf = ({ text, sentences }: Message): readonly string[] => sentences ?? [text];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The text with `filling` in each gap (the last place where it stands), as a pattern. */
export function patternOf(text: string, gaps: readonly string[] = [], filling = ''): string {
  const mark = '\u0001';
  const marked = gaps.reduce((rest, gap) => {
    const at = rest.lastIndexOf(gap);
    return rest.slice(0, at) + mark + rest.slice(at + gap.length);
  }, text);
  return marked.split(mark).map(escaped).join(filling);
}
