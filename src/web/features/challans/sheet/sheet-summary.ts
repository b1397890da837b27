import { sum } from '../../../../shared/calc/money.ts';
import { nameKey } from '../../../../shared/calc/keys.ts';
import type { ChallanReference } from '../../../../shared/contract/challan.ts';
import type { SheetColumn } from '../../../../shared/sheet/challan-sheet-fields.ts';
import { hasNegativeNet, type Unknown } from '../../../../shared/sheet/check-row.ts';
import { usedRows } from '../../../../shared/sheet/sheet.ts';
import type { SheetStore } from './sheet-store.ts';

/** A cell, also where its column is hidden. */
export interface SheetSpot {
  row: number;
  column: SheetColumn;
}

/** All mistakes or all warnings of one kind. */
export interface ProblemKind {
  column: SheetColumn;
  text: string;
  count: number;
  first: SheetSpot;
}

export interface UnknownName extends Unknown {
  count: number;
  first: SheetSpot;
}

interface TwinRow {
  row: number;
  texts: readonly string[];
  stored: readonly ChallanReference[];
}

/** The figures of the whole sheet, for the line above it and the list below it. */
export interface SheetSummary {
  used: number;
  /** The keys of the rows that can be stored as they are. */
  ready: readonly string[];
  wrong: number;
  waiting: number;
  /** The sum of the net amounts of the rows that are ready. */
  net: string;
  negative: number;
  /** How many of the rows that are ready have a value that is hardly ever meant. */
  implausible: number;
  errors: readonly ProblemKind[];
  warnings: readonly ProblemKind[];
  unknown: readonly UnknownName[];
  twins: readonly TwinRow[];
  needed: ReturnType<SheetStore['neededColumns']>;
}

/** Messages that differ only in a quoted name or a number are of one kind. */
const kindOf = (text: string): string => text.replace(/"[^"]*"/g, '"…"').replace(/\d[\d/,.:]*/g, '#');

class ProblemKinds {
  readonly #found = new Map<string, ProblemKind>();

  add(column: SheetColumn, text: string, row: number): void {
    const key = `${column} ${kindOf(text)}`;
    const known = this.#found.get(key);
    if (known) known.count += 1;
    else this.#found.set(key, { column, text, count: 1, first: { row, column } });
  }

  /** The kinds, the most frequent first. */
  list(): ProblemKind[] {
    return [...this.#found.values()]
      .map((kind) => (kind.count > 1 ? { ...kind, text: kind.text.replace(/"[^"]*"/g, '"…"') } : kind))
      .sort((a, b) => b.count - a.count);
  }
}

// Object.entries widens the type of the keys, which are columns.
const entries = (messages: object) => Object.entries(messages) as [SheetColumn, string][];

export function summarise(store: SheetStore): SheetSummary {
  const [errors, warnings] = [new ProblemKinds(), new ProblemKinds()];
  const unknown = new Map<string, UnknownName>();
  const ready: string[] = [];
  const nets: string[] = [];
  const twins: TwinRow[] = [];
  const counts = { wrong: 0, waiting: 0, negative: 0, implausible: 0 };
  const used = usedRows(store.sheet);
  for (const { key } of used) {
    const check = store.of(key);
    if (!check) continue;
    const row = store.indexOf(key);
    const own = entries(store.errorsOf(key));
    for (const [column, text] of own) errors.add(column, text, row);
    for (const [column, text] of entries(check.warnings)) warnings.add(column, text, row);
    for (const one of check.unknown) {
      const name = `${one.kind} ${nameKey(one.text)}`;
      const known = unknown.get(name);
      if (known) known.count += 1;
      else unknown.set(name, { ...one, count: 1, first: { row, column: one.column } });
    }
    const twin = entries(store.twinTexts(key));
    if (twin.length > 0) {
      const stored = store.lookups.twins(key, check);
      const found = new Map([...(stored?.sameTp ?? []), ...(stored?.sameTrip ?? [])].map((item) => [item.id, item]));
      twins.push({ row, texts: twin.map(([, text]) => text), stored: [...found.values()] });
    }
    if (own.length > 0) counts.wrong += 1;
    else if (check.body) {
      ready.push(key);
      nets.push(check.figures.netAmountPayable ?? '0.00');
      if (hasNegativeNet(check)) counts.negative += 1;
      if (check.implausible.length > 0) counts.implausible += 1;
    } else counts.waiting += 1;
  }
  return {
    used: used.length,
    ready,
    ...counts,
    net: sum(nets),
    errors: errors.list(),
    warnings: warnings.list(),
    unknown: [...unknown.values()],
    twins,
    needed: store.neededColumns(),
  };
}
