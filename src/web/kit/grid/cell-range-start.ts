import type { GridApi } from 'ag-grid-community';
import { actionsColumn, selectColumn, type GetProps } from './ag-columns.ts';
import type { CellRange } from './cell-range.ts';

export interface RangeSource<Row> {
  host: HTMLElement;
  api: GridApi<Row>;
  getProps: GetProps<Row>;
  /** Shows a note beside a cell, or without one announces it only. */
  showNote: (text: string, at: Element | null) => void;
}

/** What keys do with the range of cells. */
export interface CellRangeKeys {
  /** Extends the range from the focused cell, by one cell or to the edge of the filled ones. The key is always used. */
  extend: (key: string, isToEdge: boolean) => true;
  /** These two return false if there is no range. */
  copy: () => boolean;
  clear: () => boolean;
}

export interface CellRangeWatch {
  keys: CellRangeKeys;
  /** Called when rows, columns or the focus have changed. */
  onChange: () => void;
  stop: () => void;
}

export const isData = (id: string | null): boolean => id !== null && id !== selectColumn && id !== actionsColumn;

/** The cell of a value under the mouse, where a range can begin. Controls in it keep the mouse, and a checkbox is no control here. */
export function pressedCell(host: HTMLElement, { target }: MouseEvent): Element | null {
  const cell = target instanceof Element ? target.closest('.ag-row:not(.ag-row-pinned) .ag-cell') : null;
  if (!(target instanceof Element) || target.closest('button, a, input, textarea, select')) return null;
  return cell && host.contains(cell) && isData(cell.getAttribute('col-id')) ? cell : null;
}

/** Ranges of cells (docs/specification.md §36). Their code is loaded when the mouse is first dragged over cells, or by the first key. */
export function watchCellRange<Row>(source: RangeSource<Row>): CellRangeWatch {
  const { host, showNote } = source;
  let range: CellRange<Row> | undefined;
  let loading: Promise<CellRange<Row>> | undefined;
  /** Where the mouse was pressed, and where it is now. */
  let pressed: { event: MouseEvent; cell: Element } | undefined;
  let latest: MouseEvent | undefined;
  const stop = new AbortController();
  const { signal } = stop;

  const use = (act: (made: CellRange<Row>) => void): void => {
    loading ??= import('./cell-range.ts').then((part) => (range = new part.CellRange(source, signal)));
    loading.then(
      (made) => {
        if (!signal.aborted) act(made);
      },
      () => {
        loading = undefined;
        showNote('The cells could not be selected, because a part of the app did not load. Try again.', host);
      },
    );
  };
  const options = { capture: true, signal };
  host.addEventListener(
    'mousedown',
    (event) => {
      const cell = event.button === 0 && !event.shiftKey && !range ? pressedCell(host, event) : null;
      pressed = cell ? { event, cell } : undefined;
      latest = undefined;
    },
    options,
  );
  window.addEventListener(
    'mousemove',
    (event) => {
      if (range || !pressed) return;
      const isFirst = latest === undefined;
      const { event: from, cell } = pressed;
      if (isFirst && event.target instanceof Node && cell.contains(event.target)) return;
      latest = event;
      if (isFirst)
        use((made) => {
          made.begin(from);
          if (latest) made.moveTo(latest);
          if (!pressed) made.end();
        });
    },
    options,
  );
  window.addEventListener('mouseup', () => (pressed = undefined), options);

  return {
    keys: {
      extend: (key, isToEdge) => {
        use((made) => made.extend(key, isToEdge));
        return true;
      },
      copy: () => range?.copy() ?? false,
      clear: () => range?.clear() ?? false,
    },
    onChange: () => range?.onChange(),
    stop: () => stop.abort(),
  };
}
