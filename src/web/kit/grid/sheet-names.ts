import type { FindNames, FoundNames, SheetName } from './sheet-grid-types.ts';

/** The list of names below the cell editor. */
export interface NameList extends FoundNames {
  input: HTMLInputElement;
  /** The index of the highlighted row, -1 for none. */
  active: number;
}

interface NameQuery {
  text: string;
  find: FindNames;
  isAnswered: boolean;
}

const debounceMs = 150;

/** Searches names of records for the cell editor. Like the editor it is not a React component. */
export class SheetNames {
  #list: NameList | undefined;
  #query: NameQuery | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop = new AbortController();
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  snapshot = (): NameList | undefined => this.#list;
  #show(list: NameList | undefined): void {
    if (list === this.#list) return;
    this.#list = list;
    for (const listener of this.#listeners) listener();
  }

  get isOpen(): boolean {
    return this.#list !== undefined;
  }

  /** The name that Enter takes: the row the user moved to, or the only one that the text identifies. */
  get chosen(): SheetName | undefined {
    return this.#list?.names[this.#list.active];
  }

  /** Searches names for this text. `isAsked`: the user opened the list by its key. */
  search(input: HTMLInputElement, text: string, find: FindNames, isAsked: boolean): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    const query: NameQuery = { text, find, isAnswered: false };
    this.#query = query;
    if (text.trim().length < 2 && !isAsked) return this.#show(undefined);
    // The highlighted row belonged to the previous text.
    if (this.#list) this.#show({ ...this.#list, active: -1 });
    const onFound = ({ names, total, meant }: FoundNames): void => {
      if (signal.aborted) return;
      query.isAnswered = true;
      const isExact = names.length === 1 && names[0]?.text === text;
      const active = meant ? names.indexOf(meant) : -1;
      this.#show(names.length === 0 || (isExact && !isAsked) ? undefined : { input, names, total, meant, active });
    };
    const run = (): void => {
      // If the search fails there is no list, and the typed text is checked like any text.
      find(text, signal).then(onFound, () => undefined);
    };
    this.#timer = setTimeout(run, isAsked ? 0 : debounceMs);
  }

  move(step: 1 | -1): void {
    const list = this.#list;
    if (!list) return;
    const count = list.names.length;
    const active = list.active < 0 && step === -1 ? count - 1 : (list.active + step + count) % count;
    this.#show({ ...list, active });
  }

  /** If the user leaves the cell before the search answers: searches for the name that the text identifies. */
  lateMatch(): Promise<SheetName | undefined> | undefined {
    const query = this.#query;
    if (!query || query.isAnswered || query.text.trim().length < 2) return undefined;
    return query.find(query.text, new AbortController().signal).then(
      ({ meant }) => meant,
      () => undefined,
    );
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#query = undefined;
    this.#show(undefined);
  }
}
