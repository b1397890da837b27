import { tpKey } from '../calc/keys.ts';
import { checkRow, tripKey, type RowCheck, type RowContext } from './check-row.ts';
import { isBlank, type Sheet, type SheetRow } from './sheet.ts';

/** The keys of rows in the same sheet that may be the same trip as a row (docs/specification.md §8.2.6). */
export interface Twins {
  sameTp: readonly string[];
  sameTrip: readonly string[];
}
const noTwins: Twins = { sameTp: [], sameTrip: [] };

/** Rows by a text that several of them may have. */
class Index {
  readonly #rows = new Map<string, Set<string>>();

  add(key: string, row: string): void {
    if (key === '') return;
    const rows = this.#rows.get(key);
    if (rows) rows.add(row);
    else this.#rows.set(key, new Set([row]));
  }

  remove(key: string, row: string): void {
    this.#rows.get(key)?.delete(row);
  }

  /** The other rows with this text. */
  others(key: string, row: string): string[] {
    return key === '' ? [] : [...(this.#rows.get(key) ?? [])].filter((other) => other !== row);
  }
}

interface Entry {
  row: SheetRow;
  check: RowCheck;
  tp: string;
  trip: string;
}

/** Keeps the checks of a sheet's rows between edits, so that an edit checks only the rows that it changes. */
export class SheetCheck {
  readonly #entries = new Map<string, Entry>();
  readonly #byTp = new Index();
  readonly #byTrip = new Index();

  constructor(private context: RowContext) {}

  /**
   * Checks the rows that differ from the sheet before. `isOld` says of a check that the server's answers have come since. It
   * returns the keys of the rows to redraw: the checked ones, and their twins before and after the edit.
   */
  update(sheet: Sheet, isOld: (check: RowCheck) => boolean = () => false): Set<string> {
    const changed = new Set<string>();
    const present = new Set<string>();
    for (const row of sheet.rows) {
      if (isBlank(row)) continue;
      present.add(row.key);
      const known = this.#entries.get(row.key);
      if (known?.row === row && !isOld(known.check)) continue;
      if (known) this.#drop(known, changed);
      this.#take(row, changed);
    }
    for (const entry of this.#entries.values()) {
      if (present.has(entry.row.key)) continue;
      this.#drop(entry, changed);
      this.#entries.delete(entry.row.key);
    }
    return changed;
  }

  /** Sets another day or other remembered values. The next update checks every row. */
  setContext(context: RowContext): void {
    this.context = context;
    for (const entry of this.#entries.values()) entry.row = { ...entry.row };
  }

  #take(row: SheetRow, changed: Set<string>): void {
    const check = checkRow(row.cells, this.context);
    const entry = { row, check, tp: tpKey(check.texts.tpNo), trip: tripKey(check) };
    this.#entries.set(row.key, entry);
    this.#byTp.add(entry.tp, row.key);
    this.#byTrip.add(entry.trip, row.key);
    this.#note(entry, changed);
  }

  #drop(entry: Entry, changed: Set<string>): void {
    this.#note(entry, changed);
    this.#byTp.remove(entry.tp, entry.row.key);
    this.#byTrip.remove(entry.trip, entry.row.key);
  }

  #note({ row, tp, trip }: Entry, changed: Set<string>): void {
    changed.add(row.key);
    for (const other of this.#byTp.others(tp, row.key)) changed.add(other);
    for (const other of this.#byTrip.others(trip, row.key)) changed.add(other);
  }

  /** The check of a row; undefined: the row is empty. */
  of(key: string): RowCheck | undefined {
    return this.#entries.get(key)?.check;
  }

  twins(key: string): Twins {
    const entry = this.#entries.get(key);
    if (!entry) return noTwins;
    return { sameTp: this.#byTp.others(entry.tp, key), sameTrip: this.#byTrip.others(entry.trip, key) };
  }
}
