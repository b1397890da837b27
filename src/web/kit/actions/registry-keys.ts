import { topDialog } from '../ui/dialog-stack.ts';
import { keyOf, matches, parseKeys } from '../ui/key-table.ts';
import { currentActions, explainRefusalsBy, keysOf, runWithRows } from './registry.ts';

/** Whether the key was pressed in a text field, where a single letter is text. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  // The input that has the focus for a cell of the entry sheet is no text field before something is typed.
  if (!(target instanceof HTMLInputElement) || 'resting' in target.dataset) return false;
  return !['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range', 'color'].includes(target.type);
}

/** A key that types or edits in a field: letters, signs and editing keys without Ctrl or Alt, but not F-keys or Esc. */
const isPlainKey = (text: string): boolean => {
  const { ctrl, alt, key } = parseKeys(text);
  return !ctrl && !alt && (key.length === 1 || ['Delete', 'Backspace', 'Space', 'Enter', 'Home', 'End'].includes(key));
};

/** A single letter or sign, or a sequence that begins with one: 'P', '?', 'g c'. */
const isCharacter = (text: string): boolean => {
  const { ctrl, alt, key } = parseKeys(text);
  return !ctrl && !alt && /^[!-~]$/.test(key);
};

const sequenceMs = 1_200;

/**
 * The one key listener of all actions. `explain` gets the reason if an action that was tried is disabled. `lettersOn`
 * says whether single-character keys are on: WCAG 2.1.4 requires that they can be turned off. Returns a function that
 * removes the listener.
 */
export function listenForKeys(explain: (reason: string) => void, lettersOn: () => boolean = () => true): () => void {
  explainRefusalsBy(explain);
  let pending: { key: string; at: number } | undefined;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.key === 'Process' || event.key === 'Dead') return;
    const actions = currentActions(topDialog());
    const typing = isTyping(event.target);
    const first = pending && performance.now() - pending.at < sequenceMs ? pending.key : undefined;
    if (!['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) pending = undefined;

    for (const action of actions) {
      for (const keys of keysOf(action)) {
        const [one = '', two] = keys.split(' ');
        if (typing && (action.notWhileTyping || isPlainKey(one))) continue;
        if (isCharacter(one) && !lettersOn()) continue;
        if (action.when?.() === false) continue;
        const hit =
          two === undefined ? first === undefined && matches(one, event) : one === first && matches(two, event);
        if (!hit) continue;
        event.preventDefault();
        if (!event.repeat) runWithRows(action);
        return;
      }
    }
    // Outside a text field the browser would change the text of the field that was typed into last, such as a filter.
    if (!typing && ['Ctrl+Z', 'Ctrl+Shift+Z', 'Ctrl+Y'].some((keys) => matches(keys, event))) event.preventDefault();
    if (typing || !lettersOn() || event.ctrlKey || event.altKey || event.metaKey) return;
    const starts = actions.some((action) =>
      keysOf(action).some((keys) => keys.split(' ')[1] && keys.startsWith(`${keyOf(event)} `)),
    );
    if (starts) pending = { key: keyOf(event), at: performance.now() };
  };

  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}
