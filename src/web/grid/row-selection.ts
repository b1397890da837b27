import { useCallback, useMemo, useState } from 'react';
import type { GridSelection, SelectionState } from './grid-types.ts';

interface RowSelectionOptions<Row> {
  keyOf: (row: Row) => string;
  labelOf: (row: Row) => string;
  disabledReason?: (row: Row) => string | undefined;
}

/** A plain selection of ids over pages: paging keeps it, `clear` ends it. */
export function useRowSelection<Row>(rows: readonly Row[] | undefined, options: RowSelectionOptions<Row>) {
  const { keyOf, labelOf, disabledReason } = options;
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());

  const setRows = useCallback(
    (changed: readonly Row[], on: boolean) =>
      setIds((before) => {
        const next = new Set(before);
        for (const row of changed) {
          if (disabledReason?.(row)) continue;
          if (on) next.add(keyOf(row));
          else next.delete(keyOf(row));
        }
        return next;
      }),
    [keyOf, disabledReason],
  );
  const clear = useCallback(() => setIds(new Set()), []);
  /** Rows that need not be on this page. */
  const add = useCallback((more: Iterable<string>) => setIds((before) => new Set([...before, ...more])), []);

  const selection = useMemo<GridSelection<Row>>(() => {
    const choosable = (rows ?? []).filter((row) => !disabledReason?.(row));
    const chosen = choosable.filter((row) => ids.has(keyOf(row))).length;
    const state: SelectionState = chosen === 0 ? 'none' : chosen === choosable.length ? 'all' : 'some';
    return {
      stateOf: (row) => (ids.has(keyOf(row)) ? 'all' : 'none'),
      labelOf,
      setRows,
      header: { state, label: 'Select all rows on this page', onToggle: (on) => setRows(choosable, on) },
      onSelectAll: () => setRows(choosable, true),
      onClear: () => {
        if (ids.size === 0) return false;
        clear();
        return true;
      },
      ...(disabledReason ? { disabledReason } : {}),
    };
  }, [rows, ids, keyOf, labelOf, setRows, clear, disabledReason]);

  return { ids, selection, clear, setRows, add };
}
