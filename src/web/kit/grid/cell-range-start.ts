import type { CellRange, RangeSource } from './cell-range.ts';

export interface CellRangeWatch {
  /** Extends the range from the focused cell, by one cell or to the edge of the filled ones. The key is always used. */
  extend: (key: string, isToEdge: boolean) => true;
  /** These two return false if there is no range. */
  copy: () => boolean;
  clear: () => boolean;
  /** Called when rows, columns or the focus have changed. */
  onChange: () => void;
  stop: () => void;
}

/** Ranges of cells (docs/specification.md §36). Their code is loaded when the mouse is first dragged, or by the first key. */
export function watchCellRange<Row>(source: RangeSource<Row>): CellRangeWatch {
  let range: CellRange<Row> | undefined;
  let pressed: MouseEvent | undefined;
  const stop = new AbortController();
  const { signal } = stop;
  const use = (act: (made: CellRange<Row>) => void): void => {
    import('./cell-range.ts').then(
      ({ CellRange: Made }) => signal.aborted || act((range ??= new Made(source, signal))),
      () => source.showNote('The cells could not be selected. Try again.', source.host),
    );
  };
  document.addEventListener('mousedown', (event) => (pressed = event), { capture: true, signal });
  document.addEventListener('mouseup', () => (pressed = undefined), { capture: true, signal });
  source.host.addEventListener(
    'mousemove',
    (event) => {
      const from = pressed;
      if (range || !from || event.buttons !== 1 || event.target === from.target) return;
      use((made) => {
        made.drag(from, event);
        // The button may have been released meanwhile.
        if (!pressed) made.end();
      });
    },
    { signal },
  );
  return {
    extend: (key, isToEdge) => {
      use((made) => made.extend(key, isToEdge));
      return true;
    },
    copy: () => range?.copy() ?? false,
    clear: () => range?.clear() ?? false,
    onChange: () => range?.onChange(),
    stop: () => stop.abort(),
  };
}
