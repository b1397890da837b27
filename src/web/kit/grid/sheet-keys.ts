import type { GridApi } from 'ag-grid-community';
import { dispatchKey } from '../ui/key-table.ts';
import { SheetEditor } from './sheet-editor.ts';
import {
  editKeys,
  sheetKeys,
  type GridArea,
  type SheetGridColumn,
  type SheetGridProps,
  type SheetName,
  type CellPosition,
} from './sheet-grid-types.ts';
import {
  areaOf,
  clamped,
  dataEdge,
  neighbour,
  paintArea,
  selectionOf,
  singleCell,
  tabTarget,
  type CellSelection,
  type Size,
} from './cell-area.ts';

/**
 * The keys, mouse and clipboard of the entry sheet (docs/keyboard.md §6). AG Grid renders and scrolls; the spreadsheet
 * functions of its paid version are written here. Keys are handled before AG Grid sees them.
 */
export class SheetKeys {
  /** The columns in sight, in their order. */
  columns: readonly SheetGridColumn[] = [];
  selection: CellSelection = singleCell({ row: 0, column: 0 });
  /** The column where Tab was first pressed. Enter goes back to it. */
  #tabStart: number | undefined;
  /** After Escape the next Tab leaves the table. */
  #isLeaving = false;
  #isDragging = false;
  /** These four are set by `attach`. Before that only the selection may be read. */
  private host!: HTMLElement;
  private api!: GridApi;
  private getProps!: () => SheetGridProps;
  private showNote!: (note: { text: string; at: Element } | undefined) => void;
  readonly editor = new SheetEditor(() => this.getProps());
  #isAttached = false;

  /** Starts to handle events and returns a function that stops it. */
  attach(
    host: HTMLElement,
    api: GridApi,
    getProps: () => SheetGridProps,
    showNote: (note: { text: string; at: Element } | undefined) => void,
  ): () => void {
    Object.assign(this, { host, api, getProps, showNote });
    this.#isAttached = true;
    const stop = new AbortController();
    const { signal } = stop;
    host.addEventListener('keydown', (event) => this.#onKey(event), { capture: true, signal });
    host.addEventListener('copy', (event) => this.#onCopy(event, false), { signal });
    host.addEventListener('cut', (event) => this.#onCopy(event, true), { signal });
    host.addEventListener('paste', (event) => this.#onPaste(event), { signal });
    this.editor.attach(host, () => this.edit('typing'));
    // AG Grid gives the focus to a cell, also when it draws one. The editor's input takes it from there.
    host.addEventListener('focusin', () => queueMicrotask(() => this.#isInCell() && this.#rest()), {
      signal,
    });
    host.addEventListener('focusout', () => setTimeout(() => this.updateNote()), { signal });
    window.addEventListener('mouseup', () => (this.#isDragging = false), { signal });
    // The screen is for typing, so it starts with the focus in the first cell.
    const focused = document.activeElement;
    if (focused === document.body || focused?.nodeName === 'H1') this.enter();
    return () => {
      stop.abort();
      this.#isAttached = false;
      this.editor.detach();
    };
  }

  get area(): GridArea {
    return areaOf(this.selection);
  }

  get #size(): Size {
    return { rows: this.getProps().rowKeys.length, columns: this.columns.length };
  }

  // Moving

  go(at: CellPosition): void {
    this.#select(singleCell(clamped(at, this.#size)), 'active');
  }

  select(area: GridArea): void {
    this.#select(selectionOf(area), 'active');
  }

  /** Called when the focus enters by Tab. */
  enter(): boolean {
    if (!this.#isAttached || this.#size.rows === 0) return false;
    this.#isLeaving = false;
    this.#select(this.selection, 'active');
    return true;
  }

  goToError(step: 1 | -1): void {
    const next = this.getProps().commands.findError(this.selection.active, step);
    if (next) this.go(next);
  }

  #select(wanted: CellSelection, shown: 'active' | 'head'): void {
    const size = this.#size;
    this.selection = { active: clamped(wanted.active, size), head: clamped(wanted.head, size) };
    this.#isLeaving = false;
    const revealed = this.selection[shown];
    this.api.ensureIndexVisible(revealed.row);
    const column = this.#columnId(revealed.column);
    // A column that is pinned to the left is always visible, so scroll to the first of the others.
    const isFirst = column !== undefined && this.api.getColumn(column)?.isPinnedLeft();
    const inSight = isFirst ? this.api.getDisplayedCenterColumns()[0] : column;
    if (inSight !== undefined) this.api.ensureColumnVisible(inSight);
    const active = this.#columnId(this.selection.active.column);
    if (active !== undefined && (shown === 'active' || this.#cell(this.selection.active)))
      this.api.setFocusedCell(this.selection.active.row, active);
    this.#rest();
    this.#paint();
    this.updateNote();
  }

  #isInCell = (): boolean => document.activeElement?.matches('.cd-sheet .ag-cell') ?? false;

  #rest(): void {
    const { active } = this.selection;
    const { rowKeys, view } = this.getProps();
    const key = rowKeys[active.row];
    const column = this.columns[active.column];
    if (key === undefined || !column) return;
    const label = `${column.heading ?? column.label}, row ${active.row + 1}: ${view(key, column.key).text || 'empty'}`;
    this.editor.rest(() => this.#cell(active), label, column.isFixed);
  }

  /** Lets AG Grid take the focus out of the table, as it does for a Tab on a cell. */
  #goOut(event: KeyboardEvent): void {
    const cell = this.#cell(this.selection.active);
    if (!(cell instanceof HTMLElement)) return;
    const { key, code, shiftKey } = event;
    cell.focus();
    cell.dispatchEvent(new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true }));
  }

  #columnId = (column: number): string | undefined => this.columns[column]?.key;
  #columnAt = (id: string): number => this.columns.findIndex(({ key }) => key === id);

  #cell = ({ row, column }: CellPosition): Element | null =>
    this.host.querySelector(`.ag-row[row-index="${row}"] .ag-cell[col-id="${this.#columnId(column)}"]`);

  /** Marks the selection in the rendered cells. AG Grid marks cells that it renders later (`cd-range`). */
  #paint(): void {
    const columns = this.columns.map(({ key }) => key);
    paintArea(this.host, this.area, columns);
  }

  /** Shows the note of a cell, by default of the focused one. */
  updateNote(at: CellPosition = this.selection.active): void {
    if (!this.#isAttached) return;
    const cell = this.#cell(at);
    const key = this.getProps().rowKeys[at.row];
    const isHere = this.host.contains(document.activeElement) || at !== this.selection.active;
    const column = this.#columnId(at.column);
    const text =
      key === undefined || column === undefined || !isHere ? undefined : this.getProps().view(key, column).note;
    this.showNote(text && cell ? { text, at: cell } : undefined);
  }

  onScroll(): void {
    this.editor.reposition();
  }

  setColumns(columns: readonly SheetGridColumn[]): void {
    this.columns = columns;
    this.onCellsChanged();
  }

  /** After rows or columns were added or removed: keeps the selection within the rows and the focus on its cell. */
  onCellsChanged(): void {
    if (!this.#isAttached) return;
    const size = this.#size;
    if (size.rows === 0) return;
    this.selection = { active: clamped(this.selection.active, size), head: clamped(this.selection.head, size) };
    const focused = document.activeElement;
    const isLost = focused === document.body || (this.host.contains(focused) && !this.editor.isOpen);
    if (isLost && this.host.contains(this.#lastFocusedCell)) this.#select(this.selection, 'active');
    else this.#paint();
  }
  get #lastFocusedCell(): Element | null {
    return this.host.querySelector('.ag-cell-focus');
  }

  // Mouse

  onMouseDown(event: MouseEvent, row: number, id: string): void {
    if (!this.#isAttached || event.button !== 0) return;
    this.saveTyped();
    const column = this.#columnAt(id);
    this.#tabStart = undefined;
    if (column === -1) {
      const from = event.shiftKey ? this.selection.active.row : row;
      this.#selectRows(from, row);
      return;
    }
    const at = clamped({ row, column }, this.#size);
    this.#isDragging = true;
    this.#select(
      event.shiftKey ? { active: this.selection.active, head: at } : singleCell(at),
      event.shiftKey ? 'head' : 'active',
    );
  }

  onDrag(event: MouseEvent, row: number, id: string): void {
    if (!this.#isAttached) return;
    const column = this.#columnAt(id);
    if (column === -1) return;
    if (this.#isDragging && event.buttons === 1) {
      const { head } = this.selection;
      if (head.row !== row || head.column !== column)
        this.#select({ active: this.selection.active, head: { row, column } }, 'head');
    } else if (!this.editor.isOpen) this.updateNote({ row, column });
  }

  onHeaderClick(id: string): void {
    if (!this.#isAttached) return;
    const column = this.#columnAt(id);
    if (column !== -1) this.#selectColumn(column, column);
  }

  #selectColumn(from: number, to: number): void {
    this.#select({ active: { row: 0, column: from }, head: { row: this.#size.rows - 1, column: to } }, 'active');
  }

  #selectRows(from: number, to: number): void {
    this.#select({ active: { row: from, column: 0 }, head: { row: to, column: this.#size.columns - 1 } }, 'active');
  }

  // Editing

  /**
   * 'replaced': a key opens the editor, and the browser then types its character into it. 'typing': a text has begun to come in, as
   * an input method composes it.
   */
  edit(how: 'kept' | 'replaced' | 'typing' = 'kept'): void {
    if (!this.#isAttached) return;
    const { active } = this.selection;
    const { rowKeys, textOf } = this.getProps();
    const key = rowKeys[active.row];
    const column = this.columns[active.column];
    if (key === undefined || !column || column.isFixed || this.editor.isOpen) return;
    this.api.ensureIndexVisible(active.row);
    this.api.ensureColumnVisible(column.key);
    this.showNote(undefined);
    const text = { kept: textOf(key, column.key), replaced: '', typing: undefined }[how];
    this.editor.open({ key, row: active.row, column }, () => this.#cell(active), { text, isInText: how === 'kept' });
  }

  saveTyped(): void {
    if (this.#isAttached) this.editor.save();
  }

  /** Takes a name that was clicked in the list. */
  pick(name: SheetName): void {
    this.editor.take(name);
    this.#select(this.selection, 'active');
  }

  #onEditKey(event: KeyboardEvent): boolean {
    const isBack = event.shiftKey;
    if (this.editor.onListKey(event)) return true;
    return dispatchKey(editKeys, event, {
      accept: () => {
        this.editor.save();
        if (event.key === 'Tab') this.#tab(isBack);
        else this.#enter(isBack);
      },
      fillAll: () => {
        const { text } = this.editor;
        this.editor.close();
        this.getProps().commands.fill(this.area, text);
        this.#select(this.selection, 'active');
      },
      errors: () => {
        this.editor.save();
        this.goToError(isBack ? -1 : 1);
      },
      cancel: () => {
        this.editor.close();
        this.#select(this.selection, 'active');
      },
      walk: () => {
        if (this.editor.isInText) return false;
        this.editor.save();
        this.#tabStart = undefined;
        this.go(neighbour(this.selection.active, event.key, this.#size));
        return true;
      },
      list: () => this.editor.showNames(true),
      inText: () => {
        this.editor.isInText = !this.editor.isInText;
      },
    });
  }

  #enter(isBack: boolean): void {
    const { row, column } = this.selection.active;
    const back = this.#tabStart;
    this.#tabStart = undefined;
    this.go({ row: row + (isBack ? -1 : 1), column: back ?? column });
  }

  #tab(isBack: boolean): boolean {
    const { rowKeys, isPassedOver } = this.getProps();
    let next = tabTarget(this.selection.active, isBack, this.#size);
    while (next && isPassedOver(rowKeys[next.row] ?? '', this.#columnId(next.column) ?? ''))
      next = tabTarget(next, isBack, this.#size);
    if (!next) return false;
    this.#tabStart ??= this.selection.active.column;
    this.go(next);
    return true;
  }

  // Keys

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing || !(event.target instanceof HTMLElement)) return;
    const isResting = this.editor.owns(event.target) && !this.editor.isOpen;
    if (this.editor.owns(event.target) && !isResting) {
      if (this.#onEditKey(event)) event.preventDefault();
      // The input handles text, the arrows and Ctrl+Z; other keys with Ctrl, such as Ctrl+S, go to the screen.
      if (!event.ctrlKey || event.key === 'Enter' || event.key.toLowerCase() === 'z') event.stopPropagation();
      return;
    }
    if (!isResting && !event.target.closest('.ag-cell')) return;
    const isTyped = isCharacter(event);
    if (!this.#onBodyKey(event)) {
      // A key that is not used here must not get AG Grid's own meaning.
      if (event.key !== 'Tab' && !event.ctrlKey && !event.altKey && !/^F\d/.test(event.key)) event.stopPropagation();
      if (isResting && event.key === 'Tab') this.#goOut(event);
      // The input rests empty.
      if (event.key === ' ') event.preventDefault();
      return;
    }
    event.stopPropagation();
    // The browser types the character into the editor that has just opened.
    if (!(isTyped && this.editor.isOpen)) event.preventDefault();
  }

  #onBodyKey(event: KeyboardEvent): boolean {
    const { commands } = this.getProps();
    const size = this.#size;
    const { active, head } = this.selection;
    const { key, shiftKey: isBack } = event;
    const last = { row: size.rows - 1, column: size.columns - 1 };
    const keepsTabStart = ['Tab', 'Enter', 'Shift', 'F2'].includes(key) || isCharacter(event);
    if (!keepsTabStart) this.#tabStart = undefined;
    const extendTo = (to: CellPosition): void => this.#select({ active, head: to }, 'head');
    return dispatchKey(sheetKeys, event, {
      move: () => this.go(neighbour(active, key, size)),
      edge: () => this.go(dataEdge(active, key, size, this.#isEmpty)),
      extend: () => extendTo(neighbour(head, key, size)),
      extendEdge: () => extendTo(dataEdge(head, key, size, this.#isEmpty)),
      next: () => (this.#isLeaving ? false : this.#tab(isBack)),
      down: () => this.#enter(isBack),
      rowEdge: () => this.go({ row: active.row, column: key === 'End' ? last.column : 0 }),
      sheetEdge: () => this.go(key === 'End' ? { row: this.#lastUsed(), column: last.column } : { row: 0, column: 0 }),
      page: () =>
        this.go({ row: active.row + (key === 'PageDown' ? 1 : -1) * this.#pageRows(), column: active.column }),
      edit: () => this.edit(),
      list: () => {
        this.edit();
        this.editor.showNames(true);
      },
      type: () => this.edit('replaced'),
      clear: () => commands.clear(this.area),
      fillDown: () => commands.fillDown(this.area),
      fillRight: () => commands.fillRight(this.area),
      fillAll: () => {
        const [from, column] = [this.getProps().rowKeys[active.row], this.#columnId(active.column)];
        if (from !== undefined && column !== undefined) commands.fill(this.area, this.getProps().textOf(from, column));
      },
      column: () => this.#selectColumn(this.area.left, this.area.right),
      row: () => this.#selectRows(active.row, head.row),
      all: () => this.#select({ active: { row: 0, column: 0 }, head: last }, 'active'),
      deleteRows: () => commands.deleteRows(this.area.top, this.area.bottom),
      undo: () => commands.undo(),
      redo: () => commands.redo(),
      errors: () => this.goToError(isBack ? -1 : 1),
      leave: () => {
        this.#select(singleCell(active), 'active');
        this.#isLeaving = true;
      },
    });
  }

  #isEmpty = ({ row, column }: CellPosition): boolean => {
    const { rowKeys, textOf } = this.getProps();
    return textOf(rowKeys[row] ?? '', this.#columnId(column) ?? '') === '';
  };

  #lastUsed(): number {
    const { rows, columns } = this.#size;
    for (let row = rows - 1; row > 0; row -= 1) {
      for (let column = 0; column < columns; column += 1) if (!this.#isEmpty({ row, column })) return row;
    }
    return 0;
  }

  #pageRows(): number {
    return Math.max(1, Math.floor((this.host.querySelector('.ag-body-viewport')?.clientHeight ?? 270) / 27) - 1);
  }

  // Clipboard

  #onCopy(event: ClipboardEvent, isCut: boolean): void {
    if (this.editor.isOpen || !event.clipboardData) return;
    const { commands } = this.getProps();
    event.clipboardData.setData('text/plain', commands.copy(this.area));
    event.preventDefault();
    if (isCut) commands.clear(this.area);
  }

  #onPaste(event: ClipboardEvent): void {
    // Copied cells may come with a picture, which is ignored. A pasted table file is opened by the screen.
    if ([...(event.clipboardData?.files ?? [])].some(({ name }) => /\.(csv|xlsx|xls)$/i.test(name))) return;
    event.stopPropagation();
    if (this.editor.isOpen) return;
    const into = this.getProps().commands.paste(this.area, event.clipboardData);
    event.preventDefault();
    if (into) this.select(into);
  }
}

const isCharacter = (event: KeyboardEvent): boolean => sheetKeys.type.also(event);
