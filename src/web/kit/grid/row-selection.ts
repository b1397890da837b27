import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLatest } from '../ui/use-latest.ts';
import type { GridSelection, SelectionState } from './grid-types.ts';

interface RowSelectionOptions<Row> {
  keyOf: (row: Row) => string;
  labelOf: (row: Row) => string;
  disabledReason?: (row: Row) => string | undefined;
}

/** A selection of row ids that survives paging, until `clear`. */
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
  /** Adds ids of rows that may be on other pages. */
  const add = useCallback((more: Iterable<string>) => setIds((before) => new Set([...before, ...more])), []);

  // Rows of other pages, which are not in `rows`.
  const seen = useRef(new Map<string, Row>());
  useEffect(() => {
    for (const row of rows ?? []) seen.current.set(keyOf(row), row);
  }, [rows, keyOf]);
  const latest = useLatest(ids);
  /** The selected rows, also those of other pages. It stays the same function, since the buttons of rows depend on it. */
  const selected = useCallback(() => [...latest.current].flatMap((id) => seen.current.get(id) ?? []), [latest]);
  const offPageCount = ids.size === 0 ? 0 : ids.size - (rows ?? []).filter((row) => ids.has(keyOf(row))).length;

  const selection = useMemo<GridSelection<Row>>(() => {
    const selectable = (rows ?? []).filter((row) => !disabledReason?.(row));
    const count = selectable.filter((row) => ids.has(keyOf(row))).length;
    const state: SelectionState = count === 0 ? 'none' : count === selectable.length ? 'all' : 'some';
    return {
      stateOf: (row) => (ids.has(keyOf(row)) ? 'all' : 'none'),
      labelOf,
      setRows,
      header: { state, label: 'Select all rows on this page', onToggle: (on) => setRows(selectable, on) },
      onSelectAll: () => setRows(selectable, true),
      onClear: () => {
        if (ids.size === 0) return false;
        clear();
        return true;
      },
      ...(disabledReason ? { disabledReason } : {}),
    };
  }, [rows, ids, keyOf, labelOf, setRows, clear, disabledReason]);

  return { ids, selection, clear, setRows, add, selected, offPageCount };
}
