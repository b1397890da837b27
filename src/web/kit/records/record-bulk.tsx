import { useCallback, useState, type ComponentType, type ReactNode } from 'react';
import { ListChecks } from 'lucide-react';
import { LazyDialog } from '../actions/lazy-dialog.tsx';
import { ActionButton } from '../actions/action-button.tsx';
import type { Action } from '../actions/registry.ts';
import type { GridSelection } from '../grid/grid-types.ts';
import { useRowSelection } from '../grid/row-selection.ts';
import { SelectionFooter } from '../grid/selection-footer.tsx';
import { useLatest } from '../ui/use-latest.ts';

/** What a screen can do with many records at once (docs/specification.md §7.4). */
export interface RecordBulkSpec<Row> {
  resource: 'owners' | 'trucks' | 'tags' | 'petrolPumps';
  nameOf: (row: Row) => string;
  /** The names of the fields that can be set. Records can always be deleted. */
  fields?: readonly BulkField[];
  Dialog: ComponentType<RecordBulkDialogProps>;
}

/** The dialog that changes or deletes the selected records. */
export interface RecordBulkDialogProps {
  resource: RecordBulkSpec<unknown>['resource'];
  fields: readonly BulkField[];
  noun: readonly [one: string, many: string];
  ids: readonly string[];
  /** The dialog starts with Delete chosen, because the user pressed the key for deleting. */
  isDeletion: boolean;
  onClose: () => void;
  /** Called after the change, to clear the selection. */
  onDone: () => void;
  focusFirstRow: () => void;
}

export type BulkField = 'color' | 'noOfWheels' | 'ownerId';

export interface RecordBulk<Row> {
  selection: GridSelection<Row>;
  footer: ReactNode;
  dialog: ReactNode;
  actions: readonly Action[];
  /** Wraps a command for one row: if other rows are selected, it acts on the selection instead. */
  orSelected: (act: (row: Row) => void) => (row: Row) => void;
}

interface Parts<Row> {
  id: string;
  scope: string;
  noun: readonly [one: string, many: string];
  calls: Action['calls'];
  rows: readonly Row[] | undefined;
  focusFirstRow: () => void;
}

const keyOf = (row: { id: string }): string => row.id;
const nothing = { nameOf: () => '' };

/** The selection of a list of records, with its footer, dialog and actions. */
export function useRecordBulk<Row extends { id: string }>(
  spec: RecordBulkSpec<Row> | undefined,
  { id, scope, noun, calls, rows, focusFirstRow }: Parts<Row>,
): RecordBulk<Row> | undefined {
  const { nameOf } = spec ?? nothing;
  const [labelOf] = useState(() => (row: Row) => `Select ${nameOf(row)}`);
  const { ids, selection, clear, offPageCount } = useRowSelection<Row>(rows, { keyOf, labelOf });
  const [openDialog, setOpenDialog] = useState<'delete' | 'any'>();
  // The ids are read through a ref, so that the function stays the same: a new one would render the buttons of all rows again.
  const latest = useLatest(ids);
  const orSelected = useCallback(
    (act: (row: Row) => void) =>
      (row: Row): void => {
        const now = latest.current;
        if (now.size === 0 || (now.size === 1 && now.has(row.id))) act(row);
        else setOpenDialog('delete');
      },
    [latest],
  );
  if (!spec) return undefined;
  const { size } = ids;
  const change: Action = {
    id: `${id}.change`,
    label: `Change the selected ${noun[1]}`,
    keys: 'M',
    scope,
    words: 'bulk many delete',
    calls,
    disabledReason: size === 0 ? `Select ${noun[1]} first: Space, Shift+↓ or Ctrl+A` : undefined,
    run: () => setOpenDialog('any'),
  };
  return {
    selection,
    footer: size > 0 && (
      <SelectionFooter count={size} offPageCount={offPageCount} onClear={clear}>
        <ActionButton action={change} size="sm" variant="primary" icon={ListChecks}>
          Change…
        </ActionButton>
      </SelectionFooter>
    ),
    dialog: openDialog && size > 0 && (
      <LazyDialog>
        <spec.Dialog
          resource={spec.resource}
          fields={spec.fields ?? []}
          noun={noun}
          ids={[...ids]}
          isDeletion={openDialog === 'delete'}
          onClose={() => setOpenDialog(undefined)}
          onDone={() => {
            setOpenDialog(undefined);
            clear();
          }}
          focusFirstRow={focusFirstRow}
        />
      </LazyDialog>
    ),
    actions: [change],
    orSelected,
  };
}
