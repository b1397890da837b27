import { useContext, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { DialogContext } from '../ui/dialog-stack.ts';
import { keyList } from '../ui/key-table.ts';

/**
 * A command as data. Its key handler, its tooltip, its entry in the palette and in the help all read this one
 * object, so they cannot disagree.
 */
export interface Action {
  id: string;
  label: string;
  /** 'Ctrl+S', 'Alt+N', 'F2', '/', '?', 'P', 'g c' (one after the other). The first is the one shown. */
  keys?: string | readonly string[] | undefined;
  run: () => void;
  /** In the palette: what Shift+Enter does instead. */
  runBeside?: (() => void) | undefined;
  /** Why it cannot be done now: the key then says so instead of doing nothing. */
  disabledReason?: string | undefined;
  /** Its heading in the palette and in the help. */
  scope: string;
  /** false: only the key and the help have it (moving about). */
  inPalette?: boolean | undefined;
  /** The key counts only then, else it is the browser's own: Ctrl+C while text is marked. */
  when?: (() => boolean) | undefined;
  /** While a dialog is open too. */
  inDialogs?: boolean | undefined;
  /** In a text field the key is the browser's own (Ctrl+Z, Delete); single letters and signs always are. */
  notWhileTyping?: boolean | undefined;
  /** Beside the label in the palette, where two have the same name. */
  note?: string | undefined;
  /** More words the palette finds it by. */
  words?: string | undefined;
}

export interface Registration {
  /** The dialog the actions belong to; undefined for the screen and the shell. */
  dialog: symbol | undefined;
  actions: readonly Action[];
}

const registrations = new Map<symbol, Registration>();
const listeners = new Set<() => void>();
let snapshot: readonly Registration[] = [];

function emit(): void {
  snapshot = [...registrations.values()];
  for (const listener of listeners) listener();
}

/** Offers these actions while the component is mounted. The list may be a new one at each render. */
export function useActions(actions: readonly Action[]): void {
  const dialog = useContext(DialogContext);
  const key = useRef<symbol>(undefined);

  useLayoutEffect(() => {
    const own = Symbol('actions');
    key.current = own;
    registrations.set(own, { dialog, actions: [] });
    emit();
    return () => {
      registrations.delete(own);
      emit();
    };
  }, [dialog]);

  // After the effect above, in the same commit: the list itself comes in here, and again after each render.
  useLayoutEffect(() => {
    const own = key.current;
    if (!own) return;
    const known = registrations.get(own);
    if (!known || known.actions === actions) return;
    registrations.set(own, { dialog, actions });
    // `run` is a new function at each render; only a change of what is shown is passed on.
    if (looks(known.actions) !== looks(actions)) emit();
  }, [actions, dialog]);
}

const looks = (actions: readonly Action[]): string =>
  JSON.stringify(actions.map(({ run: _run, when: _when, ...shown }) => shown));

/** The actions that count for the dialog, or else for the screen and the shell. The latest registered comes first. */
export function actionsOf(registered: readonly Registration[], dialog: symbol | undefined): Action[] {
  const of = (place: symbol | undefined): Action[] =>
    registered
      .filter((item) => item.dialog === place)
      .toReversed()
      .flatMap((item) => item.actions);
  return dialog === undefined ? of(undefined) : [...of(dialog), ...of(undefined).filter(({ inDialogs }) => inDialogs)];
}

/** What the keys mean now. */
export const currentActions = (dialog: symbol | undefined): Action[] => actionsOf([...registrations.values()], dialog);

/** For the palette and the help. */
export function useRegistered(): readonly Registration[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => snapshot,
  );
}

export const keysOf: (action: Action) => readonly string[] = keyList;

/** What a Button or IconButton needs of an action: `<Button {...buttonOf(action)}>{action.label}</Button>`. */
export function buttonOf(action: Action): {
  onClick: () => void;
  disabledReason: string | undefined;
  keys: string | undefined;
} {
  return { onClick: action.run, disabledReason: action.disabledReason, keys: keysOf(action)[0] };
}
