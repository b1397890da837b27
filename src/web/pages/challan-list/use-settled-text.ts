import { useEffect, useState } from 'react';
import { tpFilterLeast } from './list-state.ts';

/** Part 2 §9: the bank statement's filters wait as long. */
const settleMs = 300;

/** What the typed text means as a filter: nothing below three characters (part 2 §2.1). */
export function tpFilterOf(text: string): string {
  const term = text.trim();
  return term.length < tpFilterLeast ? '' : term;
}

/**
 * The text of the TP filter: typed here, applied after a pause, and following the address when that changes by itself
 * (Back, Reset, a link). Spaces being typed are not taken away under the fingers.
 */
export function useSettledText(applied: string, apply: (term: string) => void) {
  const [state, setState] = useState({ text: applied, seen: applied, sent: applied });
  if (state.seen !== applied) {
    // Our own term coming back leaves the text as it stands.
    setState({ ...state, text: applied === state.sent ? state.text : applied, seen: applied, sent: applied });
  }
  const { text, sent } = state;
  const term = tpFilterOf(text);

  const send = (): void => {
    if (term === sent) return;
    setState((before) => ({ ...before, sent: term }));
    apply(term);
  };
  useEffect(() => {
    if (term === sent) return undefined;
    // Clearing the field needs no pause.
    const timer = setTimeout(send, text === '' ? 0 : settleMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `send` is new at each render and reads only these
  }, [term, text, sent]);

  return { text, setText: (next: string) => setState((before) => ({ ...before, text: next })), flush: send };
}
