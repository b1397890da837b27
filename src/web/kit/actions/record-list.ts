import type { Call } from '../../../shared/access.ts';
import { commandTable, selectRowsCommand, useActions, type Action } from './registry.ts';

/** A command for one row of a list. The button in the row and the key for the focused row come from this one entry. */
export interface RowCommand<Row> {
  id: string;
  /** The name in the help, where it says more than the button's label. */
  title?: string;
  label: string;
  keys?: string;
  /** More keys that do the same. */
  alsoKeys?: readonly string[];
  notWhileTyping?: boolean;
  /** The call that it makes, or leads to. */
  calls?: Call | undefined;
  run: (row: Row) => void;
  /** What the key does instead of `run`, on the row in focus. */
  byKey?: ((row: Row) => void) | undefined;
}

interface RecordListActions<Row> {
  /** The prefix of each action's id: 'petrol-pumps'. */
  id: string;
  /** The heading in the help and the palette. */
  scope: string;
  /** The records in words: 'petrol pumps'. */
  nouns: string;
  create?: Pick<Action, 'label' | 'calls' | 'run'> | undefined;
  focusSearch?: (() => void) | undefined;
  /** Absent if rows cannot be selected. */
  selectRows?: (() => void) | undefined;
  rowCommands: readonly RowCommand<Row>[];
  /** Calls `act` with the row in focus. */
  onRow: (act: (row: Row) => void) => void;
  /** Further actions of the screen. */
  more?: readonly Action[] | undefined;
}

/** Registers every action of a list of records for keys, buttons and palette. */
export function useRecordListActions<Row>(options: RecordListActions<Row>): { create: Action | undefined } {
  const { id, scope, nouns, create, focusSearch, selectRows, rowCommands, onRow, more = [] } = options;
  const created: Action | undefined = create && {
    id: `${id}.new`,
    label: create.label,
    keys: 'N',
    scope,
    words: 'new create',
    calls: create.calls,
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
    ...(selectRows ? [{ ...selectRowsCommand(id), scope, run: selectRows }] : []),
    ...rowCommands.flatMap(
      ({
        id: command,
        label,
        title = label,
        keys,
        alsoKeys = [],
        notWhileTyping,
        calls,
        run,
        byKey = run,
      }): Action[] => {
        // The grid handles Enter and the double click itself.
        if (keys === undefined || keys === 'Enter') return [];
        const shown = { id: `${id}.${command}`, label: title, scope, inPalette: false, needsRows: true };
        return [{ ...shown, keys: [keys, ...alsoKeys], notWhileTyping, calls, run: () => onRow(byKey) }];
      },
    ),
    ...more,
  ];
  useActions(actions);
  return { create: created };
}

/** Alt+PgUp and Alt+PgDn go to the previous and next tab of a record's details (docs/keyboard.md §4). */
export const recordTabsCommands = commandTable('Details', {
  previous: { id: 'record.tab-up', label: 'Previous tab', keys: 'Alt+PgUp' },
  next: { id: 'record.tab-down', label: 'Next tab', keys: 'Alt+PgDn' },
});
