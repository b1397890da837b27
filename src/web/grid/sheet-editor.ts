/** The field that lies over a cell while it is being typed into. Without React: it is there before the key it was opened by. */
export class SheetEditor {
  #input: HTMLInputElement | undefined;
  #cell: () => Element | null = () => null;
  /** The arrows move in the text: opened to change it. False: opened by typing over it, and they go on to other cells. */
  isInText = false;

  /** `onLeave`: left by a click elsewhere, and what was typed counts. */
  constructor(private readonly onLeave: () => void) {}

  get isOpen(): boolean {
    return this.#input !== undefined;
  }

  get text(): string {
    return this.#input?.value ?? '';
  }

  owns(target: EventTarget | null): boolean {
    return target !== null && target === this.#input;
  }

  open(
    host: HTMLElement,
    cell: () => Element | null,
    { label, text, isInText }: { label: string; text: string; isInText: boolean },
  ): void {
    this.close();
    this.isInText = isInText;
    const input = document.createElement('input');
    input.className = 'cd-sheet-editor';
    input.setAttribute('aria-label', label);
    input.autocomplete = 'off';
    input.spellcheck = false;
    input.value = text;
    this.#input = input;
    this.#cell = cell;
    host.append(input);
    this.follow();
    input.focus({ preventScroll: true });
    input.setSelectionRange(text.length, text.length);
    input.addEventListener('pointerdown', () => {
      this.isInText = true;
    });
    input.addEventListener('blur', () => {
      // Taken away by `close`, or the window lost the focus: only the user's own leaving counts.
      if (this.#input === input && document.hasFocus()) this.onLeave();
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

  close(): void {
    const input = this.#input;
    this.#input = undefined;
    input?.remove();
  }
}
