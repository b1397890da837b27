import { dispatchKey } from '../ui/key-table.ts';
import { nameKeys, type SheetGridProps, type SheetName, type CellPosition } from './sheet-grid-types.ts';
import { SheetNames } from './sheet-names.ts';

/**
 * The cell editor of the entry sheet: an input over the cell, with a list of names below. It is not a React component, so
 * that it exists before the browser types the character that opened it.
 */
export class SheetEditor {
  readonly names = new SheetNames();
  #input: HTMLInputElement | undefined;
  /** The edited cell. Its row is identified by key, because rows may move meanwhile. */
  #at: CellPosition & { key: string } = { key: '', row: 0, column: 0 };
  #cell: () => Element | null = () => null;
  /** The text when the editor was opened. */
  #before = '';
  /** true if the arrows move in the text, as after F2. false if they go to other cells, as after typing over the cell. */
  isInText = false;

  constructor(private readonly getProps: () => SheetGridProps) {}

  get isOpen(): boolean {
    return this.#input !== undefined;
  }

  /** The highlighted name, or otherwise the typed text. */
  get text(): string {
    return this.names.chosen?.text ?? this.#input?.value ?? '';
  }

  owns(target: EventTarget | null): boolean {
    return target !== null && target === this.#input;
  }

  open(
    host: HTMLElement,
    at: CellPosition & { key: string },
    cell: () => Element | null,
    { text, isInText }: { text: string; isInText: boolean },
  ): void {
    this.close();
    this.isInText = isInText;
    const input = document.createElement('input');
    input.className = 'cd-sheet-editor';
    input.setAttribute('aria-label', `${this.getProps().columns[at.column]?.label}, row ${at.row + 1}`);
    if (this.getProps().namesOf(at.column)) {
      input.role = 'combobox';
      input.ariaAutoComplete = 'list';
      input.ariaExpanded = 'false';
    }
    input.autocomplete = 'off';
    input.spellcheck = false;
    input.value = text;
    this.#input = input;
    this.#at = at;
    this.#before = text;
    this.#cell = cell;
    host.append(input);
    this.reposition();
    input.focus({ preventScroll: true });
    input.setSelectionRange(text.length, text.length);
    input.addEventListener('input', () => this.showNames(false));
    input.addEventListener('pointerdown', () => {
      this.isInText = true;
    });
    input.addEventListener('blur', () => {
      // Save only when the user clicks elsewhere, not when `close` removes the input or the window loses the focus.
      if (this.#input === input && document.hasFocus()) this.save();
    });
  }

  /** Moves the input over its cell after scrolling, and hides it while the cell is not rendered. */
  reposition(): void {
    const input = this.#input;
    if (!input) return;
    const around = input.parentElement?.getBoundingClientRect();
    const box = this.#cell()?.getBoundingClientRect();
    input.style.visibility = box ? 'visible' : 'hidden';
    if (!box || !around) return;
    input.style.left = `${box.left - around.left}px`;
    input.style.top = `${box.top - around.top}px`;
    input.style.width = `${Math.max(box.width, 110)}px`;
    input.style.height = `${box.height}px`;
  }

  /** Lists the names for the typed text. `isAsked`: the user pressed the key for the list, so unchanged text lists all names. */
  showNames(isAsked: boolean): void {
    const find = this.getProps().namesOf(this.#at.column);
    const input = this.#input;
    if (input && find)
      this.names.search(input, isAsked && input.value === this.#before ? '' : input.value, find, isAsked);
  }

  /** Handles a key of the list. Returns false if the key is not for the list. */
  onListKey(event: KeyboardEvent): boolean {
    if (!this.names.isOpen) return false;
    return dispatchKey(nameKeys, event, {
      move: () => this.names.move(event.key === 'ArrowDown' ? 1 : -1),
      // Left to the editor's own keys, which save the highlighted name like any text.
      take: () => false,
      close: () => this.names.close(),
    });
  }

  /** Writes the highlighted name or the typed text into the cell, and closes the editor. */
  save(): void {
    if (!this.#input) return;
    const { chosen } = this.names;
    if (chosen) return this.take(chosen);
    const { key, column } = this.#at;
    const { value } = this.#input;
    const late = this.names.lateMatch();
    this.close();
    const { commands, rowKeys, textOf } = this.getProps();
    if (value !== textOf(key, column)) commands.write(rowKeys.indexOf(key), column, value);
    const saved = textOf(key, column);
    // Names that arrive late are used only if the cell has not changed since.
    void late?.then((name) => {
      if (name && this.getProps().textOf(key, column) === saved) this.getProps().commands.take(key, column, name);
    });
  }

  take(name: SheetName): void {
    const { key, column } = this.#at;
    this.close();
    this.getProps().commands.take(key, column, name);
  }

  close(): void {
    const input = this.#input;
    this.#input = undefined;
    this.names.close();
    input?.remove();
  }
}
