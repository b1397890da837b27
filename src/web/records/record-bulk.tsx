import { lazy, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { ListChecks } from 'lucide-react';
import { LazyDialog } from '../actions/lazy-dialog.tsx';
import type { Action } from '../actions/registry.ts';
import type { GridSelection } from '../grid/grid-types.ts';
import { useRowSelection } from '../grid/row-selection.ts';
import { Button } from '../ui/button.tsx';

const RecordBulkDialog = lazy(() => import('./record-bulk-dialog.tsx'));

/** What can be done with many records of a screen at once (docs/specification.md §7.4). */
export interface RecordBulkSpec<Row> {
  resource: 'owners' | 'trucks' | 'tags' | 'petrolPumps';
  nameOf: (row: Row) => string;
  /** What can be set, by the name of the field; beside that, they can be deleted. */
  fields?: readonly BulkField[];
}
export type BulkField = 'color' | 'noOfWheels' | 'ownerId';

export interface RecordBulk<Row> {
  selection: GridSelection<Row>;
  footer: ReactNode;
  dialog: ReactNode;
  actions: readonly Action[];
  /** The key of a single row acts on the selection when there is one beside that row. */
  orSelected: (act: (row: Row) => void) => (row: Row) => void;
}

interface Parts<Row> {
  id: string;
  scope: string;
  noun: readonly [one: string, many: string];
  rows: readonly Row[] | undefined;
  focusFirstRow: () => void;
}

const keyOf = (row: { id: string }): string => row.id;
const nothing = { nameOf: () => '' };

/** The selection of a list of records, and what is done with it. */
export function useRecordBulk<Row extends { id: string }>(
  spec: RecordBulkSpec<Row> | undefined,
  { id, scope, noun, rows, focusFirstRow }: Parts<Row>,
): RecordBulk<Row> | undefined {
  const { nameOf } = spec ?? nothing;
  const [labelOf] = useState(() => (row: Row) => `Select ${nameOf(row)}`);
  const { ids, selection, clear } = useRowSelection<Row>(rows, { keyOf, labelOf });
  const [asked, setAsked] = useState<'delete' | 'any'>();
  // The buttons of all rows hold what it gives: a new function at each tick would draw them all again.
  const latest = useRef(ids);
  useEffect(() => {
    latest.current = ids;
  });
  const orSelected = useCallback(
    (act: (row: Row) => void) =>
      (row: Row): void => {
        const now = latest.current;
        if (now.size === 0 || (now.size === 1 && now.has(row.id))) act(row);
        else setAsked('delete');
      },
    [],
  );
  if (!spec) return undefined;
  const { size } = ids;
  const elsewhere = size - (rows ?? []).filter((row) => ids.has(row.id)).length;
  const open = (): void => setAsked('any');
  return {
    selection,
    footer: size > 0 && (
      <>
        <p role="status" className="nums min-w-0 truncate text-xs text-muted">
          <b className="text-ink">{size.toLocaleString('en-IN')} selected</b>
          {elsewhere > 0 && ` (${elsewhere.toLocaleString('en-IN')} not on this page)`}
        </p>
        <Button size="sm" variant="primary" keys="M" icon={<ListChecks size={14} aria-hidden />} onClick={open}>
          Change…
        </Button>
        <Button size="sm" variant="ghost" keys="Esc" onClick={clear}>
          Clear
        </Button>
      </>
    ),
    dialog: asked && size > 0 && (
      <LazyDialog>
        <RecordBulkDialog
          resource={spec.resource}
          fields={spec.fields ?? []}
          noun={noun}
          ids={[...ids]}
          isDeletion={asked === 'delete'}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined);
            clear();
          }}
          focusFirstRow={focusFirstRow}
        />
      </LazyDialog>
    ),
    actions: [
      {
        id: `${id}.change`,
        label: `Change the selected ${noun[1]}`,
        keys: 'M',
        scope,
        words: 'bulk many delete',
        disabledReason: size === 0 ? `Select ${noun[1]} first: Space, Shift+↓ or Ctrl+A` : undefined,
        run: open,
      },
    ],
    orSelected,
  };
}
