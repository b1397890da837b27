import type { GridApi } from 'ag-grid-community';
import { isFocusElsewhere } from '../ui/dialog-stack.ts';
import { focusCell } from './grid-keys.ts';
import { isHeading } from './member-headings.ts';

/**
 * Keeps the focus in the grid when rows are reloaded: on its row if that is still there, otherwise at its position. A row that
 * is rendered again never loses the focus to the page.
 */
export class GridFocus<Row> {
  private position: { id: string | undefined; index: number; column: string } | undefined;
  private isInside = false;
  /** A key or mouse press is being handled, so a focus change now comes from the user and not from rendering. */
  private isActing = false;
  /** A focus request for a row that is not loaded yet. */
  private wanted: { id: string; column: string | undefined } | undefined;
  /** The grid is to be entered when it has rows: from where, and in which column. */
  private entering: { from: Element | null; column: string } | undefined;

  constructor(
    private readonly host: HTMLElement,
    private readonly api: GridApi<Row>,
  ) {}

  /** Starts to track the focus and returns a function that stops it. */
  watch(): () => void {
    const onIn = (event: FocusEvent): void => {
      this.isInside = true;
      this.noteFocused(event.target);
    };
    const onOut = (event: FocusEvent): void => {
      const next = event.relatedTarget;
      // Without a relatedTarget either the focused cell was removed or the user clicked on nothing. A removed cell is no longer
      // connected to the document.
      const isGone = next === null && event.target instanceof Node && !event.target.isConnected;
      if (!isGone && !(next instanceof Node && this.host.contains(next))) this.isInside = false;
    };
    const onAct = (): void => {
      this.isActing = true;
      setTimeout(() => {
        this.isActing = false;
      });
    };
    this.host.addEventListener('keydown', onAct, true);
    this.host.addEventListener('mousedown', onAct, true);
    this.host.addEventListener('focusin', onIn);
    this.host.addEventListener('focusout', onOut);
    return () => {
      this.host.removeEventListener('keydown', onAct, true);
      this.host.removeEventListener('mousedown', onAct, true);
      this.host.removeEventListener('focusin', onIn);
      this.host.removeEventListener('focusout', onOut);
    };
  }

  /**
   * AG Grid reports a focused cell a moment later. Rows that load in between must not pull the focus back to the cell that
   * the user has just left, so the position is read from the focus event itself.
   */
  private noteFocused(target: EventTarget | null): void {
    const cell = target instanceof Element ? target.closest('.ag-cell') : null;
    const row = cell?.closest('[row-id]:not(.ag-row-pinned)');
    if (!this.isActing || !cell || !row) return;
    this.position = {
      id: row.getAttribute('row-id') ?? undefined,
      index: Number(row.getAttribute('row-index')),
      column: cell.getAttribute('col-id') ?? '',
    };
  }

  remember(): void {
    const cell = this.api.getFocusedCell();
    if (!cell || cell.rowPinned) return;
    const node = this.api.getDisplayedRowAtIndex(cell.rowIndex);
    if (isHeading(node?.data)) {
      // Page Up and Page Down may end on the headings of members: on to the first of these.
      focusCell({ api: this.api }, cell.rowIndex + 1, cell.column.getColId());
      return;
    }
    const id = node?.id;
    this.position = { id, index: cell.rowIndex, column: cell.column.getColId() };
  }

  focusRow(id: string, column?: string): boolean {
    const index = this.api.getRowNode(id)?.rowIndex;
    if (index === undefined || index === null) {
      this.wanted = { id, column };
      return false;
    }
    this.wanted = undefined;
    const at = column ?? this.position?.column ?? '';
    // AG Grid reports the focused cell a moment later: rows that load in between must not pull the focus back.
    if (at !== '') this.position = { id, index, column: at };
    return focusCell({ api: this.api }, index, at);
  }

  /** Focuses the row that was left last, or the first row. `column` is used if no column was left. */
  enter(column = ''): boolean {
    const last = this.api.getDisplayedRowCount() - 1;
    if (last < 0) return false;
    const known = this.position?.id === undefined ? undefined : this.api.getRowNode(this.position.id)?.rowIndex;
    return focusCell({ api: this.api }, Math.min(known ?? 0, last), this.position?.column ?? column);
  }

  /** Enters the grid, or if it has no rows yet, when they are loaded, unless the user has moved the focus by then. */
  enterWhenLoaded(column = ''): void {
    this.entering = this.enter(column) ? undefined : { from: document.activeElement, column };
  }

  /** Restores the focus after rows were loaded. */
  restore(): void {
    if (this.entering) {
      const { from, column } = this.entering;
      this.entering = undefined;
      const at = document.activeElement;
      if ((at === from || at === document.body) && this.enter(column)) return;
    }
    if (isFocusElsewhere(this.host)) this.wanted = undefined;
    if (this.wanted) {
      const { id, column } = this.wanted;
      if (this.api.getRowNode(id)) {
        this.focusRow(id, column);
        return;
      }
    }
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (!this.position || !this.isInside) return;
    const last = this.api.getDisplayedRowCount() - 1;
    if (last < 0) return;
    const now = this.position.id === undefined ? undefined : this.api.getRowNode(this.position.id)?.rowIndex;
    const index = now ?? Math.min(this.position.index, last);
    const focused = this.api.getFocusedCell();
    if (isLost || focused?.rowIndex !== index) focusCell({ api: this.api }, index, this.position.column);
  }
}
