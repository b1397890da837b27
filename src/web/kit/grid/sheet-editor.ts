import { dispatchKey } from '../ui/key-table.ts';
import { nameKeys, type SheetGridColumn, type SheetGridProps, type SheetName } from './sheet-grid-types.ts';
import { SheetNames } from './sheet-names.ts';

interface EditedCell {
  key: string;
  row: number;
  column: SheetGridColumn;
}

/**
 * The cell editor of the entry sheet: one input in the sheet, with a list of names below. While no cell is edited it rests: it has
 * the focus for the active cell and lies over it, empty and transparent. So an input method can begin to compose in it, and the
 * first character is typed into it as all others. It is not a React component, so that it is there before the character.
 */
export class SheetEditor {
  readonly names = new SheetNames();
  readonly #input = document.createElement('input');
  #isOpen = false;
  /** The edited cell. Its row is identified by key, because rows may move meanwhile. */
  #at: EditedCell | undefined;
  #cell: () => Element | null = () => null;
  /** The text when the editor was opened. */
  #before = '';
  /** true if the arrows move in the text, as after F2. false if they go to other cells, as after typing over the cell. */
  isInText = false;

  constructor(private readonly getProps: () => SheetGridProps) {}

  /** Adds the input to the sheet. `onTyped` is called when text comes into it while it rests. */
  attach(host: HTMLElement, onTyped: () => void): void {
    const input = this.#input;
    input.autocomplete = 'off';
    input.spellcheck = false;
    // Reached from the cells only, by moving in the sheet.
    input.tabIndex = -1;
    input.addEventListener('compositionstart', () => this.#isOpen || onTyped());
    input.addEventListener('input', () => {
      if (!this.#isOpen) onTyped();
      this.showNames(false);
    });
    input.addEventListener('pointerdown', () => {
      this.isInText = true;
    });
    input.addEventListener('blur', () => {
      // Save only when the user goes elsewhere, not when the window loses the focus.
      if (this.#isOpen && document.hasFocus()) this.save();
    });
    this.#rest();
    host.append(input);
  }

  detach(): void {
    this.close();
    this.#input.remove();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The highlighted name, or otherwise the typed text. */
  get text(): string {
    return this.names.chosen?.text ?? this.#input.value;
  }

  owns(target: EventTarget | null): boolean {
    return target === this.#input;
  }

  /** Takes the focus for the active cell, which is announced as `label`. */
  rest(cell: () => Element | null, label: string, isFixed: boolean): void {
    if (this.#isOpen) return;
    this.#cell = cell;
    this.#input.ariaLabel = label;
    this.#input.readOnly = isFixed;
    this.#input.focus({ preventScroll: true });
    // Measured with the frame, because measuring now would lay the table out once more for each key.
    requestAnimationFrame(() => this.reposition());
  }

  #rest(): void {
    const input = this.#input;
    this.#isOpen = false;
    input.className = 'cd-sheet-editor';
    input.dataset['resting'] = '';
    input.role = null;
    input.ariaAutoComplete = null;
    input.ariaExpanded = null;
    input.value = '';
  }

  /** Shows the input. A text of undefined leaves what was typed into it while it rested. */
  open(
    at: EditedCell,
    cell: () => Element | null,
    { text, isInText }: { text: string | undefined; isInText: boolean },
  ): void {
    const input = this.#input;
    this.isInText = isInText;
    this.#isOpen = true;
    this.#at = at;
    this.#before = text ?? '';
    this.#cell = cell;
    delete input.dataset['resting'];
    input.readOnly = false;
    input.ariaLabel = `${at.column.label}, row ${at.row + 1}`;
    if (this.getProps().namesOf(at.column.key)) {
      input.role = 'combobox';
      input.ariaAutoComplete = 'list';
      input.ariaExpanded = 'false';
    }
    this.reposition();
    input.focus({ preventScroll: true });
    if (text === undefined) return;
    input.value = text;
    input.setSelectionRange(text.length, text.length);
  }

  /** Moves the input over its cell after scrolling, and hides it while the cell is not rendered. */
  reposition(): void {
    const input = this.#input;
    const around = input.parentElement?.getBoundingClientRect();
    const box = this.#cell()?.getBoundingClientRect();
    // An input that is hidden loses the focus, which it keeps while it rests.
    input.style.visibility = box || !this.#isOpen ? 'visible' : 'hidden';
    if (!box || !around) return;
    input.style.left = `${box.left - around.left}px`;
    input.style.top = `${box.top - around.top}px`;
    input.style.width = `${Math.max(box.width, 110)}px`;
    input.style.height = `${box.height}px`;
  }

  /** Lists the names for the typed text. `isAsked`: the user pressed the key for the list, so unchanged text lists all names. */
  showNames(isAsked: boolean): void {
    const find = this.#at && this.getProps().namesOf(this.#at.column.key);
    const input = this.#input;
    if (this.#isOpen && find)
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
    if (!this.#isOpen || !this.#at) return;
    const { chosen } = this.names;
    if (chosen) return this.take(chosen);
    const {
      key,
      column: { key: column },
    } = this.#at;
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
    const at = this.#at;
    this.close();
    if (at) this.getProps().commands.take(at.key, at.column.key, name);
  }

  close(): void {
    this.names.close();
    this.#rest();
  }
}
