import { useEffect, useLayoutEffect, useState } from 'react';

interface DebouncedTextOptions {
  /** The term in force, of the address. */
  applied: string;
  apply: (term: string) => void;
  /** Below this many characters the text is no term. */
  least: number;
  /** How long typing must have paused. */
  debounceMs: number;
}

/** What typed text means as a search: trimmed, and nothing at all below the least length. */
function termOf(text: string, least: number): string {
  const term = text.trim();
  return term.length < least ? '' : term;
}

interface DebouncedText {
  text: string;
  /** The term of the address when it was last looked at. */
  seen: string;
  /** Terms sent to the address that have not come back from there, oldest first: it may follow later than one types. */
  underway: readonly string[];
}

/** The address has changed to `applied`: by a term of ours, which leaves the text unchanged, or by itself. */
function afterChange(before: DebouncedText, applied: string): DebouncedText {
  const { text, seen, underway } = before;
  if (applied === seen) return before;
  // Typed away and back again faster than the address follows: it has nothing left to follow.
  const place = underway.at(-1) === seen ? -1 : underway.indexOf(applied);
  return place < 0
    ? { text: applied, seen: applied, underway: [] }
    : { text, seen: applied, underway: underway.slice(place + 1) };
}

/**
 * The text of a search field: typed here, applied after a pause, and following the address when that changes by itself
 * (Back, Reset, a link). Spaces being typed are not taken away under the fingers.
 */
export function useDebouncedText({ applied, apply, least, debounceMs }: DebouncedTextOptions) {
  const [state, setState] = useState<DebouncedText>({ text: applied, seen: applied, underway: [] });
  // Not while rendering: the router follows in a transition, and keys pressed while that is drawn and not yet shown would
  // be applied to what is not there, and be lost.
  useLayoutEffect(() => setState((before) => afterChange(before, applied)), [applied]);
  const { text, seen, underway } = state;
  const sent = underway.at(-1) ?? seen;
  const term = termOf(text, least);

  const send = (): void => {
    if (term === sent) return;
    setState((before) => ({ ...before, underway: [...before.underway, term] }));
    apply(term);
  };
  useEffect(() => {
    if (term === sent) return undefined;
    // Clearing the field needs no pause.
    const timer = setTimeout(send, text === '' ? 0 : debounceMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `send` is new at each render and reads only these
  }, [term, text, sent, debounceMs]);

  return { text, setText: (next: string) => setState((before) => ({ ...before, text: next })), flush: send };
}
