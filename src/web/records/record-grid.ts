import { useCallback, useMemo, useRef, type RefObject } from 'react';
import type { GridHandle } from '../grid/grid-types.ts';
import { notify } from '../feedback/toast.ts';

/** The table and the search field of a list: where its keys act, and where the focus comes back to. */
export interface RecordGrid<Row> {
  handle: RefObject<GridHandle<Row> | null>;
  searchField: RefObject<HTMLInputElement | null>;
  /** Does it to the row the focus is on; a key pressed elsewhere must not change a row nobody looks at. */
  onRow: (act: (row: Row) => void) => void;
  focusSearch: () => void;
}

/** `noun` with its article, of what the keys ask for: 'an owner'. */
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
