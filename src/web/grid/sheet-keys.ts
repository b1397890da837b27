import type { GridApi } from 'ag-grid-community';
import { dispatchKey } from '../ui/key-table.ts';
import { SheetEditor } from './sheet-editor.ts';
import {
  editKeys,
  sheetKeys,
  type GridArea,
  type SheetGridProps,
  type SheetName,
  type Spot,
} from './sheet-grid-types.ts';
import {
  areaOf,
  dataEdge,
  neighbour,
  onlyCell,
  placeOf,
  tabbed,
  within,
  type SheetPlace,
  type Size,
} from './sheet-place.ts';

/**
 * The keys, the mouse and the clipboard of the sheet (docs/keyboard.md §6): AG Grid draws and scrolls, the rest of what its
 * paid part does is here. Keys are taken before AG Grid sees them.
 */
export class SheetKeys {
  place: SheetPlace = onlyCell({ row: 0, column: 0 });
  /** Where Tab was pressed first: Enter goes back to that column. */
  #tabStart: number | undefined;
  /** After Esc the next Tab leaves the table. */
  #isLeaving = false;
  #isDragging = false;
  /** Set by `attach`; until then AG Grid may ask for what is selected, and nothing else. */
  private host!: HTMLElement;
  private api!: GridApi;
  private live!: () => SheetGridProps;
  private say!: (note: { text: string; at: Element } | undefined) => void;
  readonly editor = new SheetEditor(() => this.live());
  #isAttached = false;

  /** Returns the way to stop. */
  attach(
    host: HTMLElement,
    api: GridApi,
    live: () => SheetGridProps,
    say: (note: { text: string; at: Element } | undefined) => void,
  ): () => void {
    Object.assign(this, { host, api, live, say });
    this.#isAttached = true;
    const stop = new AbortController();
    const { signal } = stop;
    host.addEventListener('keydown', (event) => this.#onKey(event), { capture: true, signal });
    host.addEventListener('copy', (event) => this.#onCopy(event, false), { signal });
    host.addEventListener('cut', (event) => this.#onCopy(event, true), { signal });
    host.addEventListener('paste', (event) => this.#onPaste(event), { signal });
    host.addEventListener('focusout', () => setTimeout(() => this.look()), { signal });
    window.addEventListener('mouseup', () => (this.#isDragging = false), { signal });
    // The screen is for typing: one begins in the first cell.
    const focused = document.activeElement;
    if (focused === document.body || focused?.nodeName === 'H1') this.enter();
    return () => {
      stop.abort();
      this.#isAttached = false;
      this.editor.close();
    };
  }

  get area(): GridArea {
    return areaOf(this.place);
  }

  get #size(): Size {
    const { rowKeys, columns } = this.live();
    return { rows: rowKeys.length, columns: columns.length };
  }

  // Moving.

  go(at: Spot): void {
    this.#put(onlyCell(within(at, this.#size)), 'active');
  }

  select(area: GridArea): void {
    this.#put(placeOf(area), 'active');
  }

  /** Focus comes in by Tab. */
  enter(): boolean {
    if (!this.#isAttached || this.#size.rows === 0) return false;
    this.#isLeaving = false;
    this.#put(this.place, 'active');
    return true;
  }

  goToError(step: 1 | -1): void {
    const next = this.live().commands.findError(this.place.active, step);
    if (next) this.go(next);
  }

  #put(place: SheetPlace, shown: 'active' | 'head'): void {
    const size = this.#size;
    this.place = { active: within(place.active, size), head: within(place.head, size) };
    this.#isLeaving = false;
    const seen = this.place[shown];
    this.api.ensureIndexVisible(seen.row);
    // The first column is always in sight: with it the row begins.
    const column = this.#columnId(Math.max(1, seen.column));
    if (column !== undefined) this.api.ensureColumnVisible(column);
    const active = this.#columnId(this.place.active.column);
    if (active !== undefined && (shown === 'active' || this.#cell(this.place.active)))
      this.api.setFocusedCell(this.place.active.row, active);
    this.#paint();
    this.look();
  }

  #columnId = (column: number): string | undefined => this.live().columns[column]?.key;
  #columnAt = (id: string): number => this.live().columns.findIndex(({ key }) => key === id);

  #cell = ({ row, column }: Spot): Element | null =>
    this.host.querySelector(`.ag-row[row-index="${row}"] .ag-cell[col-id="${this.#columnId(column)}"]`);

  /** What is selected, in the cells that are drawn; AG Grid puts the same on those it draws later. */
  #paint(): void {
    const { top, bottom, left, right } = this.area;
    const places = new Map(this.live().columns.map(({ key }, index) => [key, index]));
    for (const row of this.host.querySelectorAll<HTMLElement>('.ag-row')) {
      const index = Number(row.getAttribute('row-index'));
      const isRowIn = index >= top && index <= bottom;
      for (const cell of row.querySelectorAll<HTMLElement>(isRowIn ? '.ag-cell' : '.cd-range')) {
        const column = places.get(cell.getAttribute('col-id') ?? '') ?? -1;
        cell.classList.toggle('cd-range', isRowIn && column >= left && column <= right);
      }
    }
  }

  /** The note of the cell in focus. */
  look(at: Spot = this.place.active): void {
    if (!this.#isAttached) return;
    const cell = this.#cell(at);
    const key = this.live().rowKeys[at.row];
    const isHere = this.host.contains(document.activeElement) || at !== this.place.active;
    const text = key === undefined || !isHere ? undefined : this.live().view(key, at.column).note;
    this.say(text && cell ? { text, at: cell } : undefined);
  }

  onScroll(): void {
    this.editor.follow();
  }

  /** Rows came or went: the place stays within them, and the focus on its cell. */
  onRows(): void {
    if (!this.#isAttached) return;
    const size = this.#size;
    if (size.rows === 0) return;
    this.place = { active: within(this.place.active, size), head: within(this.place.head, size) };
    const focused = document.activeElement;
    const isLost = focused === document.body || (this.host.contains(focused) && !this.editor.isOpen);
    if (isLost && this.host.contains(this.#lastInside)) this.#put(this.place, 'active');
    else this.#paint();
  }
  get #lastInside(): Element | null {
    return this.host.querySelector('.ag-cell-focus');
  }

  // The mouse.

  onMouse(event: MouseEvent, row: number, id: string): void {
    if (!this.#isAttached || event.button !== 0) return;
    this.settle();
    const { rows, columns } = this.#size;
    const column = this.#columnAt(id);
    this.#tabStart = undefined;
    if (column === -1) {
      const from = event.shiftKey ? this.place.active.row : row;
      this.#put({ active: { row: from, column: 0 }, head: { row, column: columns - 1 } }, 'active');
      return;
    }
    const at = within({ row, column }, { rows, columns });
    this.#isDragging = true;
    this.#put(
      event.shiftKey ? { active: this.place.active, head: at } : onlyCell(at),
      event.shiftKey ? 'head' : 'active',
    );
  }

  onDrag(event: MouseEvent, row: number, id: string): void {
    if (!this.#isAttached) return;
    const column = this.#columnAt(id);
    if (column === -1) return;
    if (this.#isDragging && event.buttons === 1) {
      const { head } = this.place;
      if (head.row !== row || head.column !== column)
        this.#put({ active: this.place.active, head: { row, column } }, 'head');
    } else if (!this.editor.isOpen) this.look({ row, column });
  }

  onHeader(id: string): void {
    if (!this.#isAttached) return;
    const column = this.#columnAt(id);
    if (column !== -1) this.#selectColumn(column, column);
  }

  #selectColumn(from: number, to: number): void {
    this.#put({ active: { row: 0, column: from }, head: { row: this.#size.rows - 1, column: to } }, 'active');
  }

  // Editing.

  /** `first`: the character that opened it, which the browser types by itself. */
  edit(first = false): void {
    if (!this.#isAttached) return;
    const { active } = this.place;
    const { rowKeys, columns, textOf } = this.live();
    const key = rowKeys[active.row];
    const column = columns[active.column];
    if (key === undefined || !column || column.isFixed || this.editor.isOpen) return;
    this.api.ensureIndexVisible(active.row);
    this.api.ensureColumnVisible(column.key);
    this.say(undefined);
    const text = first ? '' : textOf(key, active.column);
    this.editor.open(this.host, { key, ...active }, () => this.#cell(active), { text, isInText: !first });
  }

  settle(): void {
    if (this.#isAttached) this.editor.keep();
  }

  /** A name from the list, with the mouse. */
  pick(name: SheetName): void {
    this.editor.take(name);
    this.#put(this.place, 'active');
  }

  #onEditKey(event: KeyboardEvent): boolean {
    const isBack = event.shiftKey;
    if (this.editor.onListKey(event)) return true;
    return dispatchKey(editKeys, event, {
      accept: () => {
        this.editor.keep();
        if (event.key === 'Tab') this.#tab(isBack);
        else this.#enter(isBack);
      },
      fillAll: () => {
        const { text } = this.editor;
        this.editor.close();
        this.live().commands.fill(this.area, text);
        this.#put(this.place, 'active');
      },
      errors: () => {
        this.editor.keep();
        this.goToError(isBack ? -1 : 1);
      },
      cancel: () => {
        this.editor.close();
        this.#put(this.place, 'active');
      },
      walk: () => {
        if (this.editor.isInText) return false;
        this.editor.keep();
        this.#tabStart = undefined;
        this.go(neighbour(this.place.active, event.key, this.#size));
        return true;
      },
      list: () => this.editor.ask(true),
      inText: () => {
        this.editor.isInText = !this.editor.isInText;
      },
    });
  }

  #enter(isBack: boolean): void {
    const { row, column } = this.place.active;
    const back = this.#tabStart;
    this.#tabStart = undefined;
    this.go({ row: row + (isBack ? -1 : 1), column: back ?? column });
  }

  #tab(isBack: boolean): boolean {
    const { rowKeys, isPassedOver } = this.live();
    let next = tabbed(this.place.active, isBack, this.#size);
    while (next && isPassedOver(rowKeys[next.row] ?? '', next.column)) next = tabbed(next, isBack, this.#size);
    if (!next) return false;
    this.#tabStart ??= this.place.active.column;
    this.go(next);
    return true;
  }

  // Keys.

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing || !(event.target instanceof HTMLElement)) return;
    if (this.editor.owns(event.target)) {
      if (this.#onEditKey(event)) event.preventDefault();
      // Text, the arrows and Ctrl+Z are the field's own; other keys with Ctrl, such as Ctrl+S, are the screen's.
      if (!event.ctrlKey || event.key === 'Enter' || event.key.toLowerCase() === 'z') event.stopPropagation();
      return;
    }
    if (!event.target.closest('.ag-cell')) return;
    const isFirst = isCharacter(event);
    if (!this.#onBodyKey(event)) {
      // AG Grid's own meaning of a key of ours that has none here.
      if (event.key !== 'Tab' && !event.ctrlKey && !event.altKey && !/^F\d/.test(event.key)) event.stopPropagation();
      return;
    }
    event.stopPropagation();
    // The browser types the character into the field that has just opened.
    if (!(isFirst && this.editor.isOpen)) event.preventDefault();
  }

  #onBodyKey(event: KeyboardEvent): boolean {
    const { commands } = this.live();
    const size = this.#size;
    const { active, head } = this.place;
    const { key, shiftKey } = event;
    const isBack = shiftKey;
    const last = { row: size.rows - 1, column: size.columns - 1 };
    const isTab = key === 'Tab';
    if (!isTab && key !== 'Enter' && key !== 'Shift')
      this.#tabStart = isCharacter(event) || key === 'F2' ? this.#tabStart : undefined;
    const extendTo = (to: Spot): void => this.#put({ active, head: to }, 'head');
    return dispatchKey(sheetKeys, event, {
      move: () => this.go(neighbour(active, key, size)),
      edge: () => this.go(dataEdge(active, key, size, this.#isEmpty)),
      extend: () => extendTo(neighbour(head, key, size)),
      extendEdge: () => extendTo(dataEdge(head, key, size, this.#isEmpty)),
      next: () => (this.#isLeaving ? false : this.#tab(isBack)),
      down: () => this.#enter(isBack),
      rowEdge: () => this.go({ row: active.row, column: key === 'End' ? last.column : 0 }),
      sheetEdge: () => this.go(key === 'End' ? { row: this.#lastUsed(), column: last.column } : { row: 0, column: 0 }),
      page: () => this.go({ row: active.row + (key === 'PageDown' ? 1 : -1) * this.#screen(), column: active.column }),
      edit: () => this.edit(),
      list: () => {
        this.edit();
        this.editor.ask(true);
      },
      type: () => this.edit(true),
      clear: () => commands.clear(this.area),
      fillDown: () => commands.fillDown(this.area),
      fillRight: () => commands.fillRight(this.area),
      fillAll: () => {
        const from = this.live().rowKeys[active.row];
        if (from !== undefined) commands.fill(this.area, this.live().textOf(from, active.column));
      },
      column: () => this.#selectColumn(this.area.left, this.area.right),
      row: () =>
        this.#put({ active: { row: active.row, column: 0 }, head: { row: head.row, column: last.column } }, 'active'),
      all: () => this.#put({ active: { row: 0, column: 0 }, head: last }, 'active'),
      deleteRows: () => commands.deleteRows(this.area.top, this.area.bottom),
      undo: () => commands.undo(),
      redo: () => commands.redo(),
      errors: () => this.goToError(isBack ? -1 : 1),
      leave: () => {
        this.#put(onlyCell(active), 'active');
        this.#isLeaving = true;
      },
    });
  }

  #isEmpty = ({ row, column }: Spot): boolean => {
    const { rowKeys, textOf } = this.live();
    return textOf(rowKeys[row] ?? '', column) === '';
  };

  #lastUsed(): number {
    const { rows, columns } = this.#size;
    for (let row = rows - 1; row > 0; row -= 1) {
      for (let column = 0; column < columns; column += 1) if (!this.#isEmpty({ row, column })) return row;
    }
    return 0;
  }

  #screen(): number {
    return Math.max(1, Math.floor((this.host.querySelector('.ag-body-viewport')?.clientHeight ?? 270) / 27) - 1);
  }

  // The clipboard.

  #onCopy(event: ClipboardEvent, isCut: boolean): void {
    if (this.editor.isOpen || !event.clipboardData) return;
    const { commands } = this.live();
    const { area } = this;
    event.clipboardData.setData('text/plain', commands.copy(area));
    event.preventDefault();
    if (isCut) commands.clear(area);
  }

  #onPaste(event: ClipboardEvent): void {
    // Copied cells come with a picture of themselves; a table's file is the screen's to open.
    if ([...(event.clipboardData?.files ?? [])].some(({ name }) => /\.(csv|xlsx|xls)$/i.test(name))) return;
    event.stopPropagation();
    if (this.editor.isOpen) return;
    const into = this.live().commands.paste(this.area, event.clipboardData);
    event.preventDefault();
    if (into) this.select(into);
  }
}

const isCharacter = (event: KeyboardEvent): boolean => sheetKeys.type.also(event);
