import { useCallback, useMemo, useRef, type RefObject } from 'react';
import type { GridHandle } from '../grid/grid-types.ts';
import { notify } from '../feedback/toast.ts';

/** The table and the search field of a list. The list's keys act on them, and the focus returns to them. */
export interface RecordGrid<Row> {
  handle: RefObject<GridHandle<Row> | null>;
  searchField: RefObject<HTMLInputElement | null>;
  /** Calls `act` with the focused row. Without focus in the table nothing is changed, and a toast says to choose a row. */
  onRow: (act: (row: Row) => void) => void;
  focusSearch: () => void;
}

/** `noun` is the record with its article, for the toast: 'an owner'. */
export function useRecordGrid<Row>(noun: string): RecordGrid<Row> {
  const handle = useRef<GridHandle<Row>>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const onRow = useCallback(
    (act: (row: Row) => void) => {
      const row = handle.current?.activeRow();
      if (row) act(row);
      else notify.info(`Choose ${noun} in the table first`);
    },
    [noun],
  );
  const focusSearch = useCallback(() => {
    searchField.current?.focus();
    searchField.current?.select();
  }, []);
  return useMemo(() => ({ handle, searchField, onRow, focusSearch }), [onRow, focusSearch]);
}
