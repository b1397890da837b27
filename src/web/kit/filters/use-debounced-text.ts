import { useEffect, useLayoutEffect, useState } from 'react';

interface DebouncedTextOptions {
  /** The search term in the URL. */
  applied: string;
  apply: (term: string) => void;
  /** The minimum length of a term; shorter text is no search. */
  least: number;
  debounceMs: number;
}

/** The search term of typed text: trimmed, and empty below the minimum length. */
function termOf(text: string, least: number): string {
  const term = text.trim();
  return term.length < least ? '' : term;
}

interface DebouncedText {
  text: string;
  /** The last known term in the URL. */
  seen: string;
  /** Terms that were applied but are not in the URL yet, oldest first. The URL may change later than the user types. */
  pending: readonly string[];
}

/** The state after the URL has changed to `applied`. If that is a pending term of ours, the text stays; otherwise it follows. */
function afterChange(before: DebouncedText, applied: string): DebouncedText {
  const { text, seen, pending } = before;
  if (applied === seen) return before;
  // If the user typed back to the term in the URL before the URL changed, no pending term will arrive any more.
  const index = pending.at(-1) === seen ? -1 : pending.indexOf(applied);
  return index < 0
    ? { text: applied, seen: applied, pending: [] }
    : { text, seen: applied, pending: pending.slice(index + 1) };
}

/**
 * The text of a search field. It is applied debounced, and follows the URL when that changes otherwise (Back, Reset, a
 * link). The text keeps spaces that are being typed; only the term is trimmed.
 */
export function useDebouncedText({ applied, apply, least, debounceMs }: DebouncedTextOptions) {
  const [state, setState] = useState<DebouncedText>({ text: applied, seen: applied, pending: [] });
  // This must not happen during rendering: the router updates in a transition, and keys pressed between its render and its
  // commit would be applied to a state that is not shown, and be lost.
  useLayoutEffect(() => setState((before) => afterChange(before, applied)), [applied]);
  const { text, seen, pending } = state;
  const sent = pending.at(-1) ?? seen;
  const term = termOf(text, least);

  const send = (): void => {
    if (term === sent) return;
    setState((before) => ({ ...before, pending: [...before.pending, term] }));
    apply(term);
  };
  useEffect(() => {
    if (term === sent) return undefined;
    // Clearing the field is not debounced.
    const timer = setTimeout(send, text === '' ? 0 : debounceMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `send` is new at each render and reads only these values
  }, [term, text, sent, debounceMs]);

  return { text, setText: (next: string) => setState((before) => ({ ...before, text: next })), flush: send };
}
