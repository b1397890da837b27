import { formatAmount } from '../../../../shared/calc/money.ts';
import type { SheetCheck as Answer, SheetCheckInput } from '../../../../shared/contract/challan-sheet.ts';
import { sheetColumns, type SheetColumn } from '../../../../shared/sheet/challan-sheet-fields.ts';
import type { ColumnMessages, RowCheck, RowContext, Starts, UnknownKind } from '../../../../shared/sheet/check-row.ts';
import { SheetCheck } from '../../../../shared/sheet/sheet-check.ts';
import { needsNoTyping } from '../../../../shared/sheet/typing-order.ts';
import {
  beginHistory,
  isBlank,
  record,
  redo,
  sheetOf,
  undo,
  usedRows,
  type Cells,
  type ReadCell,
  type Sheet,
  type SheetHistory,
  type SheetRow,
  type ShownColumns,
} from '../../../../shared/sheet/sheet.ts';
import { errorText } from '../../../kit/api/api-error.ts';
import type { SheetCellView, CellPosition } from '../../../kit/grid/sheet-grid-types.ts';
import { LookupTable } from './lookup-table.ts';
import { fieldOf, fieldsOf, gridColumns, isFigureColumn } from './sheet-columns.ts';

export interface SheetSnapshot {
  sheet: Sheet;
  rowKeys: readonly string[];
  undoLabel: string | undefined;
  redoLabel: string | undefined;
  /** True while the server is being asked. */
  isAsking: boolean;
  /** Why the last request failed. */
  askFailure: { text: string; error: unknown } | undefined;
  /** Increases with every change of anything that is shown. */
  version: number;
}

interface StoreOptions {
  today: string;
  starts: Starts;
  ask: (rows: SheetCheckInput['rows']) => Promise<Answer>;
  /** Tells the grid to draw these rows again. */
  redraw: (keys: ReadonlySet<string>) => void;
}

/** The debounce: the request is sent after a pause in typing of this length. */
const askDelayMs = 150;
/** An answer can bring a new name to ask about, such as a remembered one, so several rounds may be needed. */
const maxRounds = 3;

/** The state of the entry sheet, without React: its rows, their checks, and what the server knows about them. */
export class SheetStore {
  readonly lookups = new LookupTable();
  readonly #check: SheetCheck;
  readonly #options: StoreOptions;
  #starts: Starts;
  readonly #listeners = new Set<() => void>();
  #history: SheetHistory;
  #snapshot: SheetSnapshot;
  #rowIndex: ReadonlyMap<string, number> = new Map();
  /** The errors that the server found in a row, kept until the row is changed. */
  #refused = new Map<string, { row: SheetRow; errors: ColumnMessages }>();
  #inSight: ShownColumns = fieldsOf(gridColumns.map(({ key }) => key));
  #askTimer: ReturnType<typeof setTimeout> | undefined;
  #pendingAsk: Promise<void> | undefined;

  constructor(rows: readonly Cells[], options: StoreOptions) {
    this.#options = options;
    this.#starts = options.starts;
    this.#check = new SheetCheck(this.#context());
    this.#history = beginHistory(sheetOf(rows));
    this.#snapshot = {
      sheet: this.#history.now,
      rowKeys: [],
      undoLabel: undefined,
      redoLabel: undefined,
      isAsking: false,
      askFailure: undefined,
      version: 0,
    };
    this.#afterEdit();
  }

  #context(): RowContext {
    return { today: this.#options.today, starts: this.#starts, lookups: this.lookups };
  }

  get today(): string {
    return this.#options.today;
  }
  get sheet(): Sheet {
    return this.#history.now;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  snapshot = (): SheetSnapshot => this.#snapshot;

  /** The columns in sight, in their order: the places of columns refer to it. */
  get inSight(): ShownColumns {
    return this.#inSight;
  }
  setInSight = (keys: readonly string[]): void => {
    this.#inSight = fieldsOf(keys);
    this.#change({});
  };

  // Edits.

  edit(next: Sheet, label: string): void {
    const history = record(this.#history, next, label);
    if (history === this.#history) return;
    this.#history = history;
    this.#afterEdit();
  }
  /** Returns false if there is nothing to undo. */
  undo(): boolean {
    if (this.#history.past.length === 0) return false;
    this.#history = undo(this.#history);
    this.#afterEdit();
    return true;
  }
  redo(): boolean {
    if (this.#history.future.length === 0) return false;
    this.#history = redo(this.#history);
    this.#afterEdit();
    return true;
  }

  /** Starts with another sheet and an empty undo history: with a draft, or with what a commit left. */
  begin(sheet: Sheet): void {
    this.#history = beginHistory(sheet);
    this.#afterEdit();
  }

  setStarts(starts: Starts): void {
    this.#starts = starts;
    this.#check.setContext(this.#context());
    this.#afterEdit();
  }

  #afterEdit(): void {
    const { now, past, future } = this.#history;
    const changed = this.#check.update(now);
    const before = this.#snapshot.rowKeys;
    const isSame = before.length === now.rows.length && now.rows.every(({ key }, index) => key === before[index]);
    const rowKeys = isSame ? before : now.rows.map(({ key }) => key);
    if (!isSame) this.#rowIndex = new Map(rowKeys.map((key, index) => [key, index]));
    for (const [key, { row }] of this.#refused) {
      if (now.rows[this.#rowIndex.get(key) ?? -1] !== row) this.#refused.delete(key);
    }
    this.#change({ sheet: now, rowKeys, undoLabel: past.at(-1)?.label, redoLabel: future.at(-1)?.label });
    this.#options.redraw(changed);
    // After a paste the server is asked at once, after typing only after a pause.
    this.#askSoon(changed.size > 2 ? 0 : askDelayMs);
  }

  #change(part: Partial<SheetSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...part, version: this.#snapshot.version + 1 };
    for (const listener of this.#listeners) listener();
  }

  // Requests.

  #askSoon(delay: number): void {
    clearTimeout(this.#askTimer);
    this.#askTimer = setTimeout(() => void this.settled(), delay);
  }

  /** Resolves when everything has been answered, or when a request failed. */
  settled = async (): Promise<void> => {
    clearTimeout(this.#askTimer);
    for (let round = 0; round < maxRounds; round += 1) {
      // Requests run one after the other, because the first answer can make further questions unnecessary.
      while (this.#pendingAsk) await this.#pendingAsk;
      const checks = new Map<string, RowCheck>();
      const rows = this.sheet.rows.flatMap(({ key }) => {
        const check = this.#check.of(key);
        const question = check && this.lookups.question(key, check);
        if (check && question) checks.set(key, check);
        return question ?? [];
      });
      if (rows.length === 0) return;
      this.#pendingAsk = this.#ask(rows, checks);
      await this.#pendingAsk;
      if (this.#snapshot.askFailure) return;
    }
  };

  async #ask(rows: SheetCheckInput['rows'], checks: ReadonlyMap<string, RowCheck>): Promise<void> {
    this.#change({ isAsking: true });
    try {
      this.lookups.take(await this.#options.ask(rows), rows, checks);
      const changed = this.#check.update(this.sheet, this.lookups.isOutdated);
      for (const key of checks.keys()) changed.add(key);
      this.#change({ askFailure: undefined });
      this.#options.redraw(changed);
    } catch (error) {
      this.#change({ askFailure: { text: errorText(error, 'The names could not be checked.'), error } });
    } finally {
      this.#pendingAsk = undefined;
      this.#change({ isAsking: false });
    }
  }

  /** Asks the server again: after a record of this kind was created, or after challans were stored or undone. */
  askAgain(about: UnknownKind | 'challans'): void {
    if (about === 'challans') this.lookups.forgetChallans();
    else this.lookups.forgetUnknown(about);
    this.#options.redraw(this.#check.update(this.sheet, this.lookups.isOutdated));
    this.#change({ askFailure: undefined });
    this.#askSoon(0);
  }

  stop(): void {
    clearTimeout(this.#askTimer);
  }

  // What the grid shows.

  of = (key: string): RowCheck | undefined => this.#check.of(key);
  indexOf = (key: string): number => this.#rowIndex.get(key) ?? -1;
  read: ReadCell = (row, column) => this.of(row.key)?.texts[column] ?? row.cells[column] ?? '';

  refuse(refused: readonly { key: string; errors: ColumnMessages }[]): void {
    const before = [...this.#refused.keys()];
    this.#refused = new Map(
      refused.flatMap(({ key, errors }) => {
        const row = this.sheet.rows[this.indexOf(key)];
        return row ? [[key, { row, errors }]] : [];
      }),
    );
    this.#options.redraw(new Set([...before, ...this.#refused.keys()]));
    this.#change({});
  }

  errorsOf(key: string): ColumnMessages {
    const own = this.of(key)?.errors ?? {};
    const refused = this.#refused.get(key)?.errors;
    return refused ? { ...refused, ...own } : own;
  }

  /** Why a row may already exist, by the cell that tells so. */
  twinTexts(key: string): ColumnMessages {
    const check = this.of(key);
    if (!check) return {};
    const { sameTp, sameTrip } = this.#check.twins(key);
    const stored = this.lookups.twins(key, check);
    const places = (rows: readonly string[], found: readonly { challanNumber: string }[] = []): string =>
      [
        listNames('row', rows, (row) => String(this.indexOf(row) + 1)),
        listNames('challan', found, ({ challanNumber }) => challanNumber),
      ]
        .filter(Boolean)
        .join(' and ');
    const tp = places(sameTp, stored?.sameTp);
    const trip = places(sameTrip, stored?.sameTrip);
    return {
      ...(tp && { tpNo: `This TP No is also in ${tp}` }),
      ...(trip && { vehicleNo: `This vehicle has the same loading day in ${trip}` }),
    };
  }

  toneOf = (key: string): 'error' | 'warning' | 'ready' | undefined => {
    const check = this.of(key);
    if (!check) return undefined;
    if (Object.keys(this.errorsOf(key)).length > 0) return 'error';
    if (Object.keys(check.warnings).length > 0 || Object.keys(this.twinTexts(key)).length > 0) return 'warning';
    return check.body ? 'ready' : undefined;
  };

  view = (key: string, name: string): SheetCellView => {
    const check = this.of(key);
    if (!check) return { text: '', isFilled: false };
    if (isFigureColumn(name)) {
      const figure = check.figures[name];
      return { text: figure === null ? '—' : formatAmount(figure), isFilled: false };
    }
    const column = fieldOf(name);
    if (!column) return { text: '', isFilled: false };
    const error = this.errorsOf(key)[column];
    const twin = column === 'tpNo' || column === 'vehicleNo' ? this.twinTexts(key)[column] : undefined;
    const warning = [check.warnings[column], twin].filter(Boolean).join('. ') || undefined;
    const shown = column === 'remarks' ? check.shown[column].replaceAll('\n', ' ⏎ ') : check.shown[column];
    const isWorkedOut = column === 'materialShortageAmount' && shown === '';
    return {
      text: isWorkedOut ? formatAmount(check.figures.materialShortageAmount ?? '0') : shown,
      isFilled: check.filled.has(column) || isWorkedOut,
      tone: error ? 'error' : warning ? 'warning' : undefined,
      note: error ?? warning,
    };
  };

  textOf = (key: string, name: string): string => {
    const column = fieldOf(name);
    return column ? (this.of(key)?.texts[column] ?? '') : '';
  };

  /** Whether Tab skips a cell: it is filled in, or it is optional and also empty in the row above. */
  isPassedOver = (key: string, name: string): boolean => {
    const column = fieldOf(name);
    const place = this.indexOf(key);
    return (
      !column ||
      needsNoTyping(column, this.sheet.rows[place], this.of(key), {
        above: this.sheet.rows[place - 1],
        error: this.errorsOf(key)[column],
        starts: this.#starts,
      })
    );
  };

  /** The next mistake after a cell. The search wraps around at the end. */
  findError(from: CellPosition, step: 1 | -1): CellPosition | undefined {
    const spots = usedRows(this.sheet).flatMap(({ key }) =>
      this.#inSight.flatMap((column, index) =>
        column !== null && this.errorsOf(key)[column] ? [{ row: this.indexOf(key), column: index }] : [],
      ),
    );
    const place = (spot: CellPosition): number => spot.row * this.#inSight.length + spot.column;
    return step === 1
      ? (spots.find((spot) => place(spot) > place(from)) ?? spots[0])
      : (spots.findLast((spot) => place(spot) < place(from)) ?? spots.at(-1));
  }

  /**
   * The hidden columns that must be seen: someone typed or pasted a value there, or it has a problem. What is filled in there
   * by itself may stay hidden.
   */
  neededColumns(): { column: SheetColumn; row: number; isProblem: boolean }[] {
    const hidden = sheetColumns.filter((column) => !this.#inSight.includes(column));
    if (hidden.length === 0) return [];
    const rows = usedRows(this.sheet).map(({ key, cells }) => {
      const problems = { ...this.of(key)?.warnings, ...this.twinTexts(key), ...this.errorsOf(key) };
      return { key, cells, problems };
    });
    return hidden.flatMap((column) => {
      const found = rows.find(({ cells, problems }) => cells[column] || problems[column]);
      if (!found) return [];
      return { column, row: this.indexOf(found.key), isProblem: found.problems[column] !== undefined };
    });
  }

  /** The rows as the draft stores them. */
  draft = (): readonly Cells[] => {
    const last = this.sheet.rows.findLastIndex((row) => !isBlank(row));
    return this.sheet.rows.slice(0, last + 1).map(({ cells }) => cells);
  };
}

/** 'row 3', 'rows 3, 4, 5 and 20 more'; '' for none. */
function listNames<Item>(noun: string, items: readonly Item[], nameOf: (item: Item) => string): string {
  if (items.length === 0) return '';
  const more = items.length > 3 ? ` and ${items.length - 3} more` : '';
  return `${noun}${items.length > 1 ? 's' : ''} ${items.slice(0, 3).map(nameOf).join(', ')}${more}`;
}
