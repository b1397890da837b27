import { createContext } from 'react';

/**
 * Which open dialog is on top. Keys belong to the topmost one alone: an action of the screen behind must not fire, nor
 * one of a form under its confirmation.
 */
const open: symbol[] = [];
const openings = new Set<() => void>();

/** Calls back for each dialog that opens, also over another. */
export function onDialogOpened(listener: () => void): () => void {
  openings.add(listener);
  return () => void openings.delete(listener);
}

export function pushDialog(id: symbol): () => void {
  open.push(id);
  for (const listener of openings) listener();
  return () => {
    const at = open.lastIndexOf(id);
    if (at >= 0) open.splice(at, 1);
  };
}

/** undefined: no dialog is open, the screen itself has the keys. */
export const topDialog = (): symbol | undefined => open.at(-1);

/** The dialog a component is in; undefined on the screen itself. */
export const DialogContext = createContext<symbol | undefined>(undefined);

/** Somebody is in a field or a dialog beside `place`: rows that come later do not take the focus from there. */
export function isElsewhere(place: Element | null): boolean {
  const at = document.activeElement;
  if (!at || place?.contains(at)) return false;
  const dialog = at.closest('[role="dialog"], [role="alertdialog"]');
  return at.matches('input, textarea') || (dialog !== null && !dialog.contains(place));
}
