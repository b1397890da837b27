import { useActions, type Action } from './registry.ts';

/** What can be done with the row in focus: a button of the row and a key, from one entry. */
export interface RowCommand<Row> {
  id: string;
  /** As the help names it, where that is more than the button's own words. */
  title?: string;
  label: string;
  keys?: string;
  /** More keys that do the same. */
  alsoKeys?: readonly string[];
  notWhileTyping?: boolean;
  run: (row: Row) => void;
  /** What its key does instead, on the row in focus. */
  byKey?: ((row: Row) => void) | undefined;
}

interface RecordListActions<Row> {
  /** 'petrol-pumps', which each action's id begins with. */
  id: string;
  /** The heading in help and palette. */
  scope: string;
  /** 'petrol pumps' */
  nouns: string;
  create?: { label: string; run: () => void } | undefined;
  focusSearch?: (() => void) | undefined;
  rowCommands: readonly RowCommand<Row>[];
  /** Does it to the row in focus. */
  onRow: (act: (row: Row) => void) => void;
  /** What the screen can do besides. */
  more?: readonly Action[] | undefined;
}

/** Everything a list of records can do, by key, button and palette. */
export function useRecordListActions<Row>(options: RecordListActions<Row>): { create: Action | undefined } {
  const { id, scope, nouns, create, focusSearch, rowCommands, onRow, more = [] } = options;
  const created: Action | undefined = create && {
    id: `${id}.new`,
    label: create.label,
    keys: 'N',
    scope,
    words: 'new create',
    run: create.run,
  };
  const actions: Action[] = [
    ...(created ? [created] : []),
    ...(focusSearch
      ? [
          {
            id: `${id}.search`,
            label: `Search ${nouns}`,
            keys: '/',
            scope,
            words: 'find filter',
            run: focusSearch,
          },
        ]
      : []),
    ...rowCommands.flatMap(
      ({ id: command, label, title = label, keys, alsoKeys = [], notWhileTyping, run, byKey = run }): Action[] => {
        // Enter and the double click are the grid's.
        if (keys === undefined || keys === 'Enter') return [];
        const shown = { id: `${id}.${command}`, label: title, scope, inPalette: false };
        return [{ ...shown, keys: [keys, ...alsoKeys], notWhileTyping, run: () => onRow(byKey) }];
      },
    ),
    ...more,
  ];
  useActions(actions);
  return { create: created };
}

interface RecordTabsCommands {
  previous: () => void;
  next: () => void;
  atFirst: string | undefined;
  atLast: string | undefined;
}

/** Alt+PgUp and Alt+PgDn go to the previous and next part of a screen, here its tabs (docs/keyboard.md §4). */
export function useRecordTabsActions({ previous, next, atFirst, atLast }: RecordTabsCommands): void {
  const scope = 'Details';
  useActions([
    { id: 'record.tab-up', label: 'Previous tab', keys: 'Alt+PgUp', scope, disabledReason: atFirst, run: previous },
    { id: 'record.tab-down', label: 'Next tab', keys: 'Alt+PgDn', scope, disabledReason: atLast, run: next },
  ] satisfies Action[]);
}
