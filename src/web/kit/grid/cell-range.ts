import type { GridApi, IRowNode } from 'ag-grid-community';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { sumCells, unitTexts, type CellUnit } from '../../../shared/calc/cell-sums.ts';
import type { Column, ColumnKind } from '../../../shared/columns/define.ts';
import {
  areaOf,
  clamped,
  dataEdge,
  neighbour,
  paintArea,
  singleCell,
  type CellSelection,
  type Size,
} from './cell-area.ts';
import { actionsColumn, selectColumn, type GetProps } from './ag-columns.ts';
import { isHeading } from './member-headings.ts';
import { copiedCell, copyCells, missingText } from './grid-copy.ts';
import type { CellPosition, GridArea } from './sheet-grid-types.ts';

const units: Partial<Record<ColumnKind, CellUnit>> = {
  money: 'money',
  weight: 'weight',
  liters: 'liters',
  percent: 'percent',
  count: 'count',
};

/** How near the edge of the rows the mouse makes them scroll, and by how many pixels a frame at most. */
const edge = 16;
const mostScrolled = 40;
/** After the last key of a range its sum is announced. */
const quietMs = 400;

export interface RangeSource<Row> {
  host: HTMLElement;
  api: GridApi<Row>;
  getProps: GetProps<Row>;
  /** Shows a note beside a cell, or without one announces it only. */
  showNote: (text: string, at: Element | null) => void;
}

type Point = Pick<MouseEvent, 'clientX' | 'clientY'>;

/** The range of cells of a list (docs/specification.md §36). AG Grid has ranges only in its paid version. */
export class CellRange<Row> {
  #selection: CellSelection | undefined;
  /** The rows and columns of the range. When they change, there is no range any more. */
  #content = '';
  #drag: { from: CellPosition; point: Point; hasMoved: boolean } | undefined;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** AG Grid draws rows and columns that scroll into sight after its events. */
  readonly #drawn = new MutationObserver(() => this.#paint());

  constructor(
    private readonly source: RangeSource<Row>,
    signal: AbortSignal,
  ) {
    const options = { capture: true, signal };
    // AG Grid moves the focus when the pointer is pressed, before the mouse.
    document.addEventListener('pointerdown', (event) => this.#isExtending(event) && event.stopPropagation(), options);
    document.addEventListener('mousedown', (event) => this.#onDown(event), options);
    window.addEventListener('mousemove', (event) => this.#onMove(event), options);
    window.addEventListener('mouseup', () => this.end(), options);
    signal.addEventListener('abort', () => {
      clearTimeout(this.#timer);
      this.#drag = undefined;
      this.#drawn.disconnect();
      this.#slot?.replaceChildren();
      if (!source.api.isDestroyed()) this.clear();
    });
  }

  // What is selected

  #columns(): Column<Row>[] {
    const { columns } = this.source.getProps();
    return this.#columnIds().flatMap((id) => columns.find(({ key }) => key === id) ?? []);
  }

  #columnIds = (): string[] =>
    this.source.api
      .getAllDisplayedColumns()
      .map((column) => column.getColId())
      .filter((id) => id !== selectColumn && id !== actionsColumn);

  #nodes(): IRowNode<Row>[] {
    if (!this.#selection) return [];
    const { top, bottom } = areaOf(this.#selection);
    return Array.from({ length: bottom - top + 1 }, (_, at) => this.source.api.getDisplayedRowAtIndex(top + at)).filter(
      (node) => node !== undefined,
    );
  }

  get #size(): Size {
    return { rows: this.source.api.getDisplayedRowCount(), columns: this.#columnIds().length };
  }

  /** A range of one cell is none. */
  #select({ active, head }: CellSelection): void {
    const size = this.#size;
    const next = { active: clamped(active, size), head: clamped(head, size) };
    if (isSame(next.active, next.head)) {
      this.#hide();
      return;
    }
    const now = this.#selection;
    if (now && isSame(now.active, next.active) && isSame(now.head, next.head)) return;
    this.#selection = next;
    this.#content = this.#contentNow();
    this.#drawn.observe(this.source.host, { childList: true, subtree: true });
    this.#paint();
    this.#showSums();
  }

  clear(): boolean {
    this.#drag = undefined;
    return this.#hide();
  }

  #hide(): boolean {
    clearTimeout(this.#timer);
    if (!this.#selection) return false;
    this.#selection = undefined;
    this.#drawn.disconnect();
    this.#paint();
    this.#slot?.replaceChildren();
    return true;
  }

  #contentNow = (): string => JSON.stringify([this.#columnIds(), this.#nodes().map(({ id }) => id)]);

  /** The rows were loaded again, columns were moved, or the focus has gone to another cell. */
  onChange(): void {
    if (!this.#selection) return;
    const focused = this.#focused();
    const isElsewhere = !this.#drag && focused !== undefined && !isSame(focused, this.#selection.active);
    if (isElsewhere || this.#contentNow() !== this.#content) this.clear();
    else this.#showSums();
  }

  #focused(): CellPosition | undefined {
    const cell = this.source.api.getFocusedCell();
    if (!cell || cell.rowPinned) return undefined;
    return { row: cell.rowIndex, column: this.#columnIds().indexOf(cell.column.getColId()) };
  }

  // Mouse

  #isExtending = (event: MouseEvent): boolean =>
    event.button === 0 && event.shiftKey && this.#selection !== undefined && this.#isOnCell(event);

  #onDown(event: MouseEvent): void {
    const { target } = event;
    if (event.button !== 0 || !(target instanceof Element) || this.#slot?.contains(target)) return;
    if (this.#selection && this.#isExtending(event)) {
      // The focus stays in the first cell, and a link or checkbox is not pressed.
      event.preventDefault();
      event.stopPropagation();
      this.#drag = { from: this.#selection.active, point: event, hasMoved: true };
      this.moveTo(event);
      return;
    }
    this.clear();
    this.#begin(event);
  }

  /** Goes on with a drag that began before this code was loaded. */
  drag(pressed: MouseEvent, point: Point): void {
    if (!this.#drag) this.#begin(pressed);
    this.moveTo(point);
  }

  #begin(event: MouseEvent): void {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#isOnCell(event)) this.#drag = { from: this.#placeOf(event), point: event, hasMoved: false };
  }

  /** Whether the mouse is on the cell of a value. Controls in it keep the mouse; a checkbox is none, because a drag ticks nothing. */
  #isOnCell({ target }: MouseEvent): boolean {
    if (!(target instanceof Element) || target.closest('button, a, input, textarea, select')) return false;
    const cell = target.closest('.ag-row:not(.ag-row-pinned) .ag-cell');
    return this.source.host.contains(cell) && this.#columnIds().includes(cell?.getAttribute('col-id') ?? '');
  }

  #onMove(event: MouseEvent): void {
    if (!this.#drag) return;
    // The button was released outside the window.
    if (event.buttons === 0) this.end();
    else this.moveTo(event);
  }

  moveTo(point: Point): void {
    if (!this.#drag) return;
    this.#drag.point = point;
    const { from } = this.#drag;
    const head = this.#placeOf(point);
    this.#drag.hasMoved ||= !isSame(from, head);
    if (!this.#drag.hasMoved) return;
    this.#select({ active: from, head });
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#scroll());
  }

  end(): void {
    const drag = this.#drag;
    this.#drag = undefined;
    if (!drag?.hasMoved) return;
    this.#announce();
    // The button was released on another cell, or back on the first one: neither is a click on it.
    const stop = (event: Event): void => event.stopPropagation();
    this.source.host.addEventListener('click', stop, { capture: true });
    setTimeout(() => this.source.host.removeEventListener('click', stop, { capture: true }));
  }

  /** Where the rows scroll, in the window, and how wide the pinned columns beside them are. */
  #frameOf() {
    const { host, api } = this.source;
    const viewport = host.querySelector<HTMLElement>('.ag-grid-viewport') ?? host;
    const { top, left } = viewport.getBoundingClientRect();
    const heightOf = (part: string): number => viewport.querySelector<HTMLElement>(part)?.offsetHeight ?? 0;
    const widthOf = (columns: readonly { getActualWidth: () => number }[]): number =>
      columns.reduce((width, column) => width + column.getActualWidth(), 0);
    return {
      viewport,
      top: top + heightOf('.ag-header'),
      bottom: top + viewport.clientHeight - heightOf('.ag-grid-pinned-bottom-rows'),
      left,
      right: left + viewport.clientWidth,
      pinnedLeft: widthOf(api.getDisplayedLeftColumns()),
      pinnedRight: widthOf(api.getDisplayedRightColumns()),
    };
  }

  /** The cell at a point of the window, or the nearest in sight. It is computed, because a row may not be drawn yet. */
  #placeOf({ clientX, clientY }: Point): CellPosition {
    const { api } = this.source;
    const frame = this.#frameOf();
    const x = Math.max(frame.left, Math.min(clientX, frame.right - 1));
    const y = Math.max(frame.top, Math.min(clientY, frame.bottom - 1)) - frame.top + frame.viewport.scrollTop;
    const last = api.getDisplayedRowCount() - 1;
    let row = 0;
    while (row < last && (api.getDisplayedRowAtIndex(row + 1)?.rowTop ?? Infinity) <= y) row += 1;
    const isLeft = x < frame.left + frame.pinnedLeft;
    const isRight = !isLeft && x >= frame.right - frame.pinnedRight;
    const begin = isLeft
      ? frame.left
      : isRight
        ? frame.right - frame.pinnedRight
        : frame.left + frame.pinnedLeft - frame.viewport.scrollLeft;
    const side = isLeft
      ? api.getDisplayedLeftColumns()
      : isRight
        ? api.getDisplayedRightColumns()
        : api.getDisplayedCenterColumns();
    const columns = this.#columnIds();
    const at = side.findLast((column) => (column.getLeft() ?? 0) <= x - begin) ?? side[0];
    const column = columns.indexOf(at?.getColId() ?? '');
    // The checkboxes of the rows are before the first column, the buttons after the last.
    return { row, column: column === -1 ? (isLeft ? 0 : columns.length - 1) : column };
  }

  /** Scrolls while the mouse is held at an edge. The columns of a drag that stays in pinned ones do not move. */
  #scroll(): void {
    this.#frame = 0;
    if (!this.#drag) return;
    const { clientX, clientY } = this.#drag.point;
    const { viewport, top, bottom, left, right, pinnedLeft, pinnedRight } = this.#frameOf();
    const id = this.#columnIds()[this.#drag.from.column] ?? '';
    const pinned = this.source.api.getColumn(id)?.getPinned();
    const isInPinned =
      (pinned === 'left' && clientX < left + pinnedLeft) || (pinned === 'right' && clientX >= right - pinnedRight);
    const x = isInPinned ? 0 : pull(clientX, left + pinnedLeft, right - pinnedRight);
    const y = pull(clientY, top, bottom);
    const { scrollLeft, scrollTop } = viewport;
    viewport.scrollBy({ left: x, top: y, behavior: 'instant' });
    if (viewport.scrollLeft !== scrollLeft || viewport.scrollTop !== scrollTop) this.moveTo(this.#drag.point);
  }

  // Keys

  extend(key: string, isToEdge: boolean): void {
    const at = this.#focused();
    if (!at) return;
    if (at.column === -1) {
      this.#note('Cells are selected from a cell with a value.');
      return;
    }
    const head = this.#selection && isSame(this.#selection.active, at) ? this.#selection.head : at;
    const size = this.#size;
    const next = isToEdge ? dataEdge(head, key, size, this.#isEmpty) : neighbour(head, key, size);
    const { api } = this.source;
    api.ensureIndexVisible(next.row);
    api.ensureColumnVisible(this.#columnIds()[next.column] ?? '');
    this.#select({ active: singleCell(at).active, head: next });
    this.#timer = setTimeout(() => this.#announce(), quietMs);
  }

  #isEmpty = ({ row, column }: CellPosition): boolean => {
    const data = this.source.api.getDisplayedRowAtIndex(row)?.data;
    const shown = this.#columns()[column];
    if (isHeading(data)) return false;
    return data === undefined || !shown || copiedCell(this.source.getProps(), shown, data).text === '';
  };

  copy(): boolean {
    if (!this.#selection) return false;
    const props = this.source.getProps();
    const rows = this.#rows();
    const missing = missingText(props, rows);
    const columns = this.#rangeColumns();
    const count = rows.length * columns.length;
    const show = (text: string): void => this.#note(text);
    if (missing === undefined)
      copyCells(
        rows.map((row) => columns.map((column) => copiedCell(props, column, row))),
        show,
        `${formatCount(count)} cells copied`,
      );
    else show(missing);
    return true;
  }

  /** Without the headings of members, which are no records. */
  #rows = (): Row[] => this.#nodes().flatMap(({ data }) => (data === undefined || isHeading(data) ? [] : [data]));

  #rangeColumns(): Column<Row>[] {
    if (!this.#selection) return [];
    const { left, right } = areaOf(this.#selection);
    return this.#columns().slice(left, right + 1);
  }

  // What is shown

  #paint(): void {
    const area = this.#selection && areaOf(this.#selection);
    paintArea(this.source.host, area, this.#columnIds(), (cell, at) => markEdges(cell, at, area));
  }

  get #slot(): Element | null | undefined {
    return this.source.host.closest('section')?.querySelector('.cd-sums');
  }

  #showSums(): void {
    const parts = this.#sums();
    const texts = parts.flatMap(([label, value]) => {
      const figure = document.createElement('b');
      figure.textContent = value;
      return [label === parts[0]?.[0] ? `${label} ` : ` · ${label} `, figure];
    });
    this.#slot?.replaceChildren(...texts);
  }

  /** Label and value of each figure of the footer. */
  #sums(): (readonly [label: string, value: string])[] {
    const props = this.source.getProps();
    const { tree, wholeOf = (row) => (tree?.isGroup(row) ? undefined : tree?.groupIdOf(row)) } = props;
    const rows = this.#rows();
    const columns = this.#rangeColumns();
    // An owner whose trips are in the range too would be added twice, and so would a group with its parts.
    const wholes = new Set(rows.map(wholeOf));
    let isWithout = false;
    const cells = rows.flatMap((row) => {
      const isWhole = wholes.has(props.keyOf(row));
      return columns.map((column) => {
        const { text, kind } = copiedCell(props, column, row);
        if (isWhole && units[kind]) isWithout = true;
        return { text, unit: isWhole ? undefined : units[kind] };
      });
    });
    const { count, figures } = sumCells(cells);
    const counted = ['Count', formatCount(count)] as const;
    if (rows.some((row) => tree?.missing?.(row) !== undefined))
      return [counted, ['No sum:', 'not all rows are loaded']];
    if (figures === undefined) return [counted];
    if (figures === 'mixed') return [counted, ['No sum:', 'different units']];
    const { unit, sum, average } = figures;
    return [
      counted,
      [!isWithout ? 'Sum' : tree ? 'Sum of opened rows' : 'Sum of the parts', unitTexts[unit](sum)],
      ['Average', unitTexts[unit](average)],
    ];
  }

  #announce(): void {
    if (!this.#selection) return;
    const parts = this.#sums().map((part) => part.join(' '));
    this.source.showNote(parts.join(', '), null);
  }

  #note(text: string): void {
    this.source.showNote(text, document.activeElement?.closest('.ag-cell') ?? null);
  }
}

const isSame = (a: CellPosition, b: CellPosition): boolean => a.row === b.row && a.column === b.column;

/** How far to scroll for a mouse that is at or beyond an end. */
function pull(at: number, from: number, to: number): number {
  const beyond = at < from + edge ? at - from - edge : at > to - edge ? at - to + edge : 0;
  return Math.max(-mostScrolled, Math.min(mostScrolled, Math.round(beyond / 2)));
}

/** The border of the range runs along its outer cells. */
function markEdges(cell: HTMLElement, { row, column }: CellPosition, area: GridArea | undefined): void {
  const edges = area && [
    row === area.top && 'top',
    row === area.bottom && 'bottom',
    column === area.left && 'left',
    column === area.right && 'right',
  ];
  cell.dataset['edges'] = (cell.classList.contains('cd-range') && edges?.filter(Boolean).join(' ')) || '';
}
