import { createContext, type ComponentType, type ReactNode, type RefObject } from 'react';

export interface DialogProps {
  /** Called on Escape, the close button or a click outside. The caller decides whether to close: a dirty form asks first. */
  onClose: () => void;
  title: ReactNode;
  /** Screen readers announce it with the title. */
  description?: ReactNode;
  size?: 'sm' | 'md' | 'lg' | 'xl' | '2xl';
  /** Buttons, always visible below the scrolling body. */
  footer?: ReactNode;
  /** The element that gets the focus first. The default is the first field or button of the body. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** Places the focus when the opener is gone, as with a row of a grid. */
  returnFocus?: (() => void) | undefined;
  /** Called first on close. Returns true if it has placed the focus, as a dialog does that moved to another row of its list. */
  placeFocus?: (() => boolean) | undefined;
  /** A click outside closes the dialog. For dialogs that only show something. */
  closeOnOutside?: boolean;
  role?: 'dialog' | 'alertdialog';
  children?: ReactNode;
}

/**
 * The open dialogs, the topmost last. Only the topmost dialog gets keys: an action of the screen below must not fire, nor one
 * of a form that is covered by a confirmation.
 */
const open: symbol[] = [];
const openListeners = new Set<() => void>();

/** Calls the listener for each dialog that opens, also over another dialog. */
export function onDialogOpened(listener: () => void): () => void {
  openListeners.add(listener);
  return () => void openListeners.delete(listener);
}

export function pushDialog(id: symbol): () => void {
  open.push(id);
  for (const listener of openListeners) listener();
  return () => {
    const at = open.lastIndexOf(id);
    if (at >= 0) open.splice(at, 1);
  };
}

/** The topmost dialog; undefined if no dialog is open and the screen itself gets the keys. */
export const topDialog = (): symbol | undefined => open.at(-1);

/** The dialog that contains a component; undefined on the screen itself. */
export const DialogContext = createContext<symbol | undefined>(undefined);

/** Shows a dialog elsewhere than over the screen: the details beside a list (web/kit/records/beside-panel.tsx). */
export const DialogPlace = createContext<ComponentType<DialogProps> | undefined>(undefined);
/** Stands for the dialog of what is shown there. It is never the topmost, so no key of the screen acts on it. */
export const besideList = Symbol('beside the list');
/** The preference of having the details beside the lists. */
export const besideChoice = 'details-beside';

/** What opens as a dialog: also what is no part of the stack, such as a calendar. */
export const anyDialog = '[role="dialog"], [role="alertdialog"]';

export const isDialogOpen = (): boolean => document.querySelector(anyDialog) !== null;

/** Whether the focus is in a field or dialog outside `place`. Rows that load later must not take it from there. */
export function isFocusElsewhere(place: Element | null): boolean {
  const at = document.activeElement;
  if (!at || place?.contains(at)) return false;
  const dialog = at.closest(anyDialog);
  return at.matches('input, textarea') || (dialog !== null && !dialog.contains(place));
}
