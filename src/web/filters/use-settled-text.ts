import { useEffect, useState } from 'react';

interface SettledTextOptions {
  /** The term in force, of the address. */
  applied: string;
  apply: (term: string) => void;
  /** Below this many characters the text is no term. */
  least: number;
  /** How long typing must have paused. */
  settleMs: number;
}

/** What typed text means as a search: trimmed, and nothing at all below the least length. */
function termOf(text: string, least: number): string {
  const term = text.trim();
  return term.length < least ? '' : term;
}

/**
 * The text of a search field: typed here, applied after a pause, and following the address when that changes by itself
 * (Back, Reset, a link). Spaces being typed are not taken away under the fingers.
 */
export function useSettledText({ applied, apply, least, settleMs }: SettledTextOptions) {
  const [state, setState] = useState({ text: applied, seen: applied, sent: applied });
  if (state.seen !== applied) {
    // Our own term coming back leaves the text as it stands.
    setState({ ...state, text: applied === state.sent ? state.text : applied, seen: applied, sent: applied });
  }
  const { text, sent } = state;
  const term = termOf(text, least);

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
  }, [term, text, sent, settleMs]);

  return { text, setText: (next: string) => setState((before) => ({ ...before, text: next })), flush: send };
}
