import type { FindNames, FoundNames, SheetName } from './sheet-grid-types.ts';

/** The list below the cell that is being typed into. */
export interface NameList extends FoundNames {
  input: HTMLInputElement;
  /** The marked row, -1 for none. */
  active: number;
}

interface Question {
  text: string;
  find: FindNames;
  isAnswered: boolean;
}

/** A pause in typing that long, and the names are asked for. */
const pauseMs = 150;

/** Names of records for the cell that is being typed into. Without React, as its field. */
export class SheetNames {
  #list: NameList | undefined;
  #question: Question | undefined;
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

  /** What Enter takes: the row one moved to, or the only one that the text can mean. */
  get chosen(): SheetName | undefined {
    return this.#list?.names[this.#list.active];
  }

  /** The names for this text; `isAsked`: the list was opened by its key. */
  ask(input: HTMLInputElement, text: string, find: FindNames, isAsked: boolean): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    const question: Question = { text, find, isAnswered: false };
    this.#question = question;
    if (text.trim().length < 2 && !isAsked) return this.#show(undefined);
    // What was marked was for the text before.
    if (this.#list) this.#show({ ...this.#list, active: -1 });
    const put = ({ names, total, meant }: FoundNames): void => {
      if (signal.aborted) return;
      question.isAnswered = true;
      const isSaid = names.length === 1 && names[0]?.text === text;
      const active = meant ? names.indexOf(meant) : -1;
      this.#show(names.length === 0 || (isSaid && !isAsked) ? undefined : { input, names, total, meant, active });
    };
    const run = (): void => {
      // Without an answer there is no list: what was typed is checked like all text.
      find(text, signal).then(put, () => undefined);
    };
    this.#timer = setTimeout(run, isAsked ? 0 : pauseMs);
  }

  move(step: 1 | -1): void {
    const list = this.#list;
    if (!list) return;
    const count = list.names.length;
    const active = list.active < 0 && step === -1 ? count - 1 : (list.active + step + count) % count;
    this.#show({ ...list, active });
  }

  /** The cell was left before the names had come: the one that its text means. */
  late(): Promise<SheetName | undefined> | undefined {
    const question = this.#question;
    if (!question || question.isAnswered || question.text.trim().length < 2) return undefined;
    return question.find(question.text, new AbortController().signal).then(
      ({ meant }) => meant,
      () => undefined,
    );
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#question = undefined;
    this.#show(undefined);
  }
}
