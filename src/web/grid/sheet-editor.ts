import { dispatchKey } from '../ui/key-table.ts';
import { nameKeys, type SheetGridProps, type SheetName, type Spot } from './sheet-grid-types.ts';
import { SheetNames } from './sheet-names.ts';

/**
 * The field that lies over a cell while it is being typed into, and the names below it. Without React: it is there before
 * the key it was opened by.
 */
export class SheetEditor {
  readonly names = new SheetNames();
  #input: HTMLInputElement | undefined;
  /** The cell that is typed into: by its row's key, as rows may move meanwhile. */
  #at: Spot & { key: string } = { key: '', row: 0, column: 0 };
  #cell: () => Element | null = () => null;
  /** The text that it began with. */
  #before = '';
  /** The arrows move in the text: opened to change it. False: opened by typing over it, and they go on to other cells. */
  isInText = false;

  constructor(private readonly live: () => SheetGridProps) {}

  get isOpen(): boolean {
    return this.#input !== undefined;
  }

  /** What is typed, or the name that is marked below it. */
  get text(): string {
    return this.names.chosen?.text ?? this.#input?.value ?? '';
  }

  owns(target: EventTarget | null): boolean {
    return target !== null && target === this.#input;
  }

  open(
    host: HTMLElement,
    at: Spot & { key: string },
    cell: () => Element | null,
    { text, isInText }: { text: string; isInText: boolean },
  ): void {
    this.close();
    this.isInText = isInText;
    const input = document.createElement('input');
    input.className = 'cd-sheet-editor';
    input.setAttribute('aria-label', `${this.live().columns[at.column]?.label}, row ${at.row + 1}`);
    if (this.live().namesOf(at.column)) {
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
    this.follow();
    input.focus({ preventScroll: true });
    input.setSelectionRange(text.length, text.length);
    input.addEventListener('input', () => this.ask(false));
    input.addEventListener('pointerdown', () => {
      this.isInText = true;
    });
    input.addEventListener('blur', () => {
      // Taken away by `close`, or the window lost the focus: only the user's own leaving, by a click elsewhere, counts.
      if (this.#input === input && document.hasFocus()) this.keep();
    });
  }

  /** Back over its cell, which was scrolled; hidden while that is out of sight. */
  follow(): void {
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

  /** The names for what is being typed; `isAsked`: by the key of the list, which lists others than the cell's own. */
  ask(isAsked: boolean): void {
    const find = this.live().namesOf(this.#at.column);
    const input = this.#input;
    if (input && find) this.names.ask(input, isAsked && input.value === this.#before ? '' : input.value, find, isAsked);
  }

  /** A key of the list below. */
  onListKey(event: KeyboardEvent): boolean {
    if (!this.names.isOpen) return false;
    return dispatchKey(nameKeys, event, {
      move: () => this.names.move(event.key === 'ArrowDown' ? 1 : -1),
      // As any text is kept.
      take: () => false,
      close: () => this.names.close(),
    });
  }

  /** What was typed, or the name that is marked, goes into the cell. */
  keep(): void {
    if (!this.#input) return;
    const { chosen } = this.names;
    if (chosen) return this.take(chosen);
    const { key, column } = this.#at;
    const { value } = this.#input;
    const late = this.names.late();
    this.close();
    const { commands, rowKeys, textOf } = this.live();
    if (value !== textOf(key, column)) commands.write(rowKeys.indexOf(key), column, value);
    const kept = textOf(key, column);
    void late?.then((name) => {
      if (name && this.live().textOf(key, column) === kept) this.live().commands.take(key, column, name);
    });
  }

  take(name: SheetName): void {
    const { key, column } = this.#at;
    this.close();
    this.live().commands.take(key, column, name);
  }

  close(): void {
    const input = this.#input;
    this.#input = undefined;
    this.names.close();
    input?.remove();
  }
}
