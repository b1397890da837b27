import { useContext, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { LucideIcon } from 'lucide-react';
import type { Call } from '../../../shared/access.ts';
import { refusalOf } from '../api/seat.ts';
import { holdForRows } from '../ui/awaited-rows.ts';
import { DialogContext, topDialog } from '../ui/dialog-stack.ts';
import { keyList } from '../ui/key-table.ts';

/**
 * A command as data. Its key handler, its tooltip, and its entries in the palette and the help all read this one object,
 * so they cannot disagree.
 */
export interface Action {
  id: string;
  label: string;
  /** 'Ctrl+S', 'Alt+N', 'F2', '/', '?', 'P', or 'g c' for g and then c. Tooltips and menus show the first one. */
  keys?: string | readonly string[] | undefined;
  run: () => void;
  /** What Shift+Enter does in the palette instead of `run`. */
  runBeside?: (() => void) | undefined;
  /** Why the action is disabled now. Its key then shows this reason instead of doing nothing. */
  disabledReason?: string | undefined;
  /** The call that it makes, or leads to. It is disabled for a seat that may not make it (docs/specification.md §28.1). */
  calls?: Call | undefined;
  /** It acts on the rows of the screen. Its key or button waits while these are loading. */
  needsRows?: boolean | undefined;
  /** The heading of the action in the palette and the help. */
  scope: string;
  /** false keeps it out of the palette, as for moving around a screen: only its key and the help have it. */
  inPalette?: boolean | undefined;
  /** The key is used only if this returns true; otherwise the browser handles it (Ctrl+C while text is selected). */
  when?: (() => boolean) | undefined;
  /** The action also works while a dialog is open. */
  inDialogs?: boolean | undefined;
  /** In a text field the browser handles the key (Ctrl+Z, Delete). For single letters and signs this is always so. */
  notWhileTyping?: boolean | undefined;
  /** Shown beside the label in the palette, where two actions have the same name. */
  note?: string | undefined;
  /** Shown before the label in the palette. */
  icon?: LucideIcon | undefined;
  /** More words by which the palette finds the action. */
  words?: string | undefined;
}

export interface Registration {
  /** The dialog that the actions belong to; undefined for the screen and the shell. */
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

/** Registers these actions while the component is mounted. The array may be a new one at each render. */
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

  // This runs after the effect above in the same commit, and again after each render. It stores the current list.
  useLayoutEffect(() => {
    const own = key.current;
    if (!own) return;
    const known = registrations.get(own);
    if (!known || known.actions === actions) return;
    registrations.set(own, { dialog, actions });
    // `run` is a new function at each render, so listeners are told only when something visible changed.
    if (visibleParts(known.actions) !== visibleParts(actions)) emit();
  }, [actions, dialog]);
}

/** A command without what it does: what the help and the key list say of it. */
export type Command = Omit<Action, 'run'>;

/** The commands of a screen as data, under one heading. A screen binds them with `useCommands`. */
export const commandTable = <Name extends string>(
  scope: string,
  table: Readonly<Record<Name, Omit<Command, 'scope'>>>,
): Record<Name, Command> =>
  // Safe: each command has its own name again.
  Object.fromEntries(
    Object.entries<Omit<Command, 'scope'>>(table).map(([name, command]) => [name, { scope, ...command }]),
  ) as Record<Name, Command>;

/** What a command does, and what of it changes while its screen is shown. */
type Bound =
  (() => void) | (Pick<Action, 'run' | 'disabledReason' | 'note' | 'inPalette'> & { label?: string; keys?: undefined });

/** What binds a table. A command that is bound to nothing is not registered. */
export type Bindings<T> = Readonly<Record<keyof T, Bound | undefined>>;

/** Registers the commands of a table with what they do here, and returns them. */
export function useCommands<Name extends string>(
  table: Readonly<Record<Name, Command>>,
  bound: Bindings<Record<NoInfer<Name>, Command>>,
): Record<Name, Action> {
  // Safe: the names are those of the table.
  const actions = (Object.keys(table) as Name[]).map((name) => {
    const own: Bound = bound[name] ?? (() => undefined);
    return [name, { ...table[name], ...(typeof own === 'function' ? { run: own } : own) }] as const;
  });
  useActions(actions.flatMap(([name, action]) => (bound[name] ? [action] : [])));
  // Safe: each action has its own name again.
  return Object.fromEntries(actions) as Record<Name, Action>;
}

const visibleParts = (actions: readonly Action[]): string =>
  JSON.stringify(actions.map(({ run: _run, when: _when, icon: _icon, ...shown }) => shown));

/** The actions that are active in the dialog, or without one in the screen and the shell. The latest registered comes first. */
export function actionsOf(registered: readonly Registration[], dialog: symbol | undefined): Action[] {
  const of = (place: symbol | undefined): Action[] =>
    registered
      .filter((item) => item.dialog === place)
      .toReversed()
      .flatMap((item) => item.actions);
  return dialog === undefined ? of(undefined) : [...of(dialog), ...of(undefined).filter(({ inDialogs }) => inDialogs)];
}

/** The actions that keys trigger now. */
export const currentActions = (dialog: symbol | undefined): Action[] => actionsOf([...registrations.values()], dialog);

/** All registered actions, for the palette and the help. */
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

/** Why the action cannot be done now: the seat may not, or the screen says why. */
export const reasonAgainst = ({ calls, disabledReason }: Action): string | undefined =>
  refusalOf(calls) ?? disabledReason;

let explain: (reason: string) => void = () => undefined;

/** Sets what says why an action cannot be done now. */
export function explainRefusalsBy(next: (reason: string) => void): void {
  explain = next;
}

/** Runs the action, or says why it cannot be done. One that needs rows waits for them. */
export function runWithRows(action: Action): void {
  const run = (now: Action): void => {
    const reason = reasonAgainst(now);
    if (reason) explain(reason);
    else now.run();
  };
  // After the wait it is looked up again, because its screen has rendered since.
  const runLater = (): void => run(currentActions(topDialog()).find(({ id }) => id === action.id) ?? action);
  if (!action.needsRows || !holdForRows(runLater)) run(action);
}

/** The props that a Button or IconButton takes from an action. */
export function buttonOf(action: Action): {
  onClick: () => void;
  onRefused: () => void;
  disabledReason: string | undefined;
  keys: string | undefined;
} {
  const press = (): void => runWithRows(action);
  return { onClick: press, onRefused: press, disabledReason: reasonAgainst(action), keys: keysOf(action)[0] };
}

/**
 * Ctrl+A outside the grid, which handles it itself: on the rest of the screen the browser would select all text. The first
 * press selects the page. Where the screen can act on them, the second selects everything that matches.
 */
export const selectRowsCommand = (id: string): Omit<Command, 'scope'> => ({
  id: `${id}.select`,
  label: 'Select the page; press again for all matching',
  keys: 'Ctrl+A',
  inPalette: false,
  notWhileTyping: true,
  needsRows: true,
});
