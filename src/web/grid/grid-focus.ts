import type { GridApi } from 'ag-grid-community';
import { isFocusElsewhere } from '../ui/dialog-stack.ts';
import { focusCell } from './grid-keys.ts';

/**
 * Where the user is in the grid. Rows come and go with every load; the focus stays with its row, else with its place, and
 * never falls out of the grid because a row was redrawn.
 */
export class GridFocus<Row> {
  private place: { id: string | undefined; index: number; column: string } | undefined;
  private isInside = false;
  /** A key or a press is being handled: what takes the focus now takes it for the user, not because rows were drawn. */
  private isActing = false;
  /** Asked for before its row was there. */
  private wanted: { id: string; column: string | undefined } | undefined;

  constructor(
    private readonly host: HTMLElement,
    private readonly api: GridApi<Row>,
  ) {}

  /** Returns the way to stop. */
  watch(): () => void {
    const onIn = (event: FocusEvent): void => {
      this.isInside = true;
      this.note(event.target);
    };
    const onOut = (event: FocusEvent): void => {
      const next = event.relatedTarget;
      // Without a next element the focused cell was taken away, or the user clicked on nothing: in the
      // first case the cell is no longer in the document.
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
   * AG Grid reports a focused cell a moment later. Rows that are loaded within that moment must not pull the focus back
   * to the cell the user has just left, so the place is read from where a key or a press puts the focus itself.
   */
  private note(target: EventTarget | null): void {
    const cell = target instanceof Element ? target.closest('.ag-cell') : null;
    const row = cell?.closest('[row-id]:not(.ag-row-pinned)');
    if (!this.isActing || !cell || !row) return;
    this.place = {
      id: row.getAttribute('row-id') ?? undefined,
      index: Number(row.getAttribute('row-index')),
      column: cell.getAttribute('col-id') ?? '',
    };
  }

  remember(): void {
    const cell = this.api.getFocusedCell();
    if (!cell || cell.rowPinned) return;
    const id = this.api.getDisplayedRowAtIndex(cell.rowIndex)?.id;
    this.place = { id, index: cell.rowIndex, column: cell.column.getColId() };
  }

  focusRow(id: string, column?: string): boolean {
    const index = this.api.getRowNode(id)?.rowIndex;
    if (index === undefined || index === null) {
      this.wanted = { id, column };
      return false;
    }
    this.wanted = undefined;
    const at = column ?? this.place?.column ?? '';
    // AG Grid reports it a moment later: rows that come before that must not pull the focus back.
    if (at !== '') this.place = { id, index, column: at };
    return focusCell({ api: this.api }, index, at);
  }

  /** To the row that was left, else the first; in `column` where none was left. */
  enter(column = ''): boolean {
    const last = this.api.getDisplayedRowCount() - 1;
    if (last < 0) return false;
    const known = this.place?.id === undefined ? undefined : this.api.getRowNode(this.place.id)?.rowIndex;
    return focusCell({ api: this.api }, Math.min(known ?? 0, last), this.place?.column ?? column);
  }

  /** After rows were loaded. */
  restore(): void {
    if (isFocusElsewhere(this.host)) this.wanted = undefined;
    if (this.wanted) {
      const { id, column } = this.wanted;
      if (this.api.getRowNode(id)) {
        this.focusRow(id, column);
        return;
      }
    }
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (!this.place || !this.isInside) return;
    const last = this.api.getDisplayedRowCount() - 1;
    if (last < 0) return;
    const now = this.place.id === undefined ? undefined : this.api.getRowNode(this.place.id)?.rowIndex;
    const index = now ?? Math.min(this.place.index, last);
    const focused = this.api.getFocusedCell();
    if (isLost || focused?.rowIndex !== index) focusCell({ api: this.api }, index, this.place.column);
  }
}
