import { lockedSentence } from '../../../shared/calc/period-lock.ts';
import { randomUUID } from 'node:crypto';
import { grouped } from '../../../shared/calc/grouped.ts';
import { nameKey, vehicleKey } from '../../../shared/calc/keys.ts';
import {
  type ImportChoice,
  type ImportKind,
  type ImportRow,
  type ImportUnknown,
} from '../../../shared/contract/imports.ts';
import type { ReadRow } from '../../../shared/sheet/import-fields.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { WrittenRecord } from '../batches/batches.queries.ts';
import type { HistoryLine } from '../history/history.queries.ts';
import type { Stored } from '../master-data/records.queries.ts';
import { Refusal } from '../../refusal.ts';

/**
 * Plans an import: decides for each row whether it is new, equal, different or wrong (docs/specification.md §22.2).
 * This file is pure: the caller reads the records before and writes the plan afterwards.
 */

export type RowTexts = ReadRow['texts'];

/** What an import wrote, for the batch and the history. `words` summarizes it: '300 owners'. */
export interface Written {
  lines: WrittenRecord[];
  history: HistoryLine[];
  words: string[];
  /** The sum, for kinds that have amounts. */
  amount?: string;
}

export interface ImportPlan {
  answers: ImportRow[];
  /** The values of each row as they would be written. */
  given: readonly unknown[];
  /** Of each row the values that are hardly ever meant. They are not in the answers: they do not change what is written. */
  warnings?: readonly FieldError[][];
  /** Names in the rows that belong to no record, each once. */
  unknown?: ImportUnknown[];
  write: (db: TenantDb, choices: readonly ImportChoice[], caller: Caller) => Promise<Written>;
}

export type PlanImport = (db: TenantDb, rows: readonly ReadRow[]) => Promise<ImportPlan>;
export type ImportPlans = Readonly<Record<ImportKind, PlanImport>>;

export function importChangedRefusal(): Refusal {
  return new Refusal(
    'IMPORT_CHANGED',
    'The records have changed since the file was checked. Nothing was imported: check it again.',
  );
}

export type Values = Readonly<Record<string, string | number>>;
export type FieldError = { field: string; message: string };

/** A parsed row: the values of its record, or what is wrong with it. */
export interface ParsedRow {
  /** Only the fields for which the row has a value. An empty cell says nothing. */
  given: Values;
  errors: readonly FieldError[];
  /** Whether a new record of it is created only if the user takes it: one of its values is in doubt. */
  waits?: boolean;
}

/** The errors of a row: what cannot be read, and of the other fields what its record does not allow. */
export const joinErrors = ({ errors: unread }: ReadRow, errors: readonly FieldError[]): FieldError[] => [
  ...unread,
  ...errors.filter(({ field }) => !unread.some((one) => one.field === field)),
];

export interface KindRules<R extends Stored> {
  /** The keys that identify a record, the strongest first, each with its name for messages. An empty key means none. */
  keysOf: (values: Values) => readonly { by: string; key: string }[];
  /** The values of a stored record by the field names of the import. */
  valuesOf: (record: R) => Values;
  nameOf: (values: Values) => string;
  /** Rows never change an existing record. */
  isKept?: true;
  /**
   * Set when a second record with the same key is refused; `noun` is for the message ('Truck'). Absent: duplicates are
   * allowed.
   */
  onlyOnce?: { noun: string; field: string };
  /** Formats a value for the list of differences. */
  shown?: (field: string, value: string | number) => string;
  /** Whether two values are equal although they are written differently. */
  isSame?: (field: string, stored: string | number, given: string | number) => boolean;
}

export interface Planned<R extends Stored> {
  answer: ImportRow;
  given: Values;
  /** The existing record that the row matches. */
  stored: R | null;
  /** The index of the earlier row with the same record, counted from 0. */
  first: number | null;
}

export function planRows<R extends Stored>(
  rows: readonly ParsedRow[],
  records: readonly R[],
  rules: KindRules<R>,
  /** Checks what else a row brings (an owner's trucks): returns errors, or an additional difference. */
  checkExtra: (
    index: number,
    match: { stored: R | null; first: number | null },
  ) => { errors: readonly FieldError[]; added: string; field: string } | null = () => null,
): Planned<R>[] {
  const known = grouped(records, (record) => rules.keysOf(rules.valuesOf(record)).flatMap(({ key }) => key || []));
  const firstRows = new Map<string, number>();
  const plans: Planned<R>[] = [];

  for (const [index, { given, errors, waits = false }] of rows.entries()) {
    const plan = (answer: ImportRow, stored: R | null = null, first: number | null = null): void => {
      plans.push({ answer, given, stored, first });
    };
    if (errors.length > 0) {
      plan({ state: 'wrong', errors: [...errors] });
      continue;
    }
    const keys = rules.keysOf(given).filter(({ key }) => key !== '');
    const hit = keys.find(({ key }) => known.has(key));
    const stored = hit ? closestRecord(known.get(hit.key) ?? [], given, rules) : null;
    const firstHit = stored ? undefined : keys.find(({ key }) => firstRows.has(key));
    const first = firstHit ? (firstRows.get(firstHit.key) ?? null) : null;

    const extra = checkExtra(index, { stored, first });
    if (extra && extra.errors.length > 0) {
      plan({ state: 'wrong', errors: [...extra.errors] }, stored, first);
      continue;
    }
    const added = extra && extra.added !== '' ? [{ field: extra.field, stored: '', given: extra.added }] : [];

    if (stored && hit) {
      const values = rules.valuesOf(stored);
      const differences = [...differencesOf(values, given, rules), ...added];
      const twin = { id: stored.id, row: null, name: rules.nameOf(values), by: hit.by };
      const prior = rules.onlyOnce && firstRows.get(hit.key);
      if (!firstRows.has(hit.key)) firstRows.set(hit.key, index);
      if (rules.onlyOnce && prior !== undefined && differencesOf(plans[prior]?.given ?? {}, given, rules).length > 0) {
        plan({ state: 'wrong', errors: [duplicateError(rules.onlyOnce, rules.nameOf(given), prior)], twin }, stored);
      } else if (differences.length === 0) plan({ state: 'same', twin }, stored);
      else plan({ state: 'differs', differences, twin, choices: allowedChoices(rules, true) }, stored);
    } else if (first !== null && firstHit) {
      const earlier = plans[first]?.given ?? {};
      const differences = differencesOf(earlier, given, rules);
      const twin = { id: null, row: first + 1, name: rules.nameOf(earlier), by: firstHit.by };
      // Trucks of an owner who waits wait with him.
      const isWaiting = added.length > 0 && plans[first]?.answer.choices !== undefined;
      if (differences.length === 0) {
        plan({ state: added.length > 0 ? 'new' : 'same', twin, ...(isWaiting && waitingChoices) }, null, first);
      } else if (rules.onlyOnce) {
        plan(
          { state: 'wrong', errors: [duplicateError(rules.onlyOnce, rules.nameOf(given), first)], twin },
          null,
          first,
        );
      } else
        plan({ state: 'differs', differences, twin, choices: allowedChoices(rules, added.length > 0) }, null, first);
    } else {
      for (const { key } of keys) if (!firstRows.has(key)) firstRows.set(key, index);
      plan({ state: 'new', ...(waits && waitingChoices) });
    }
  }
  return plans;
}

const waitingChoices: Pick<ImportRow, 'choices'> = { choices: ['skip', 'new'] };

const duplicateError = ({ noun, field }: { noun: string; field: string }, name: string, first: number): FieldError => ({
  field,
  message: `${noun} ${name} is also in row ${first + 1}: leave it in the file once`,
});

/** Chooses among several records with the same key: an equal one, else one with the same name, else the oldest. */
function closestRecord<R extends Stored>(records: readonly R[], given: Values, rules: KindRules<R>): R | null {
  const isEqual = (record: R): boolean => differencesOf(rules.valuesOf(record), given, rules).length === 0;
  const isNamed = (record: R): boolean => rules.nameOf(rules.valuesOf(record)) === rules.nameOf(given);
  return records.find(isEqual) ?? records.find(isNamed) ?? records[0] ?? null;
}

function differencesOf<R extends Stored>(
  stored: Values,
  given: Values,
  { shown = (_, value) => String(value), isSame = () => false }: KindRules<R>,
): { field: string; stored: string; given: string }[] {
  return Object.entries(given).flatMap(([field, value]) => {
    const before = stored[field] ?? '';
    if (before === value || isSame(field, before, value)) return [];
    return [{ field, stored: before === '' ? '' : shown(field, before), given: shown(field, value) }];
  });
}

function allowedChoices<R extends Stored>({ onlyOnce, isKept }: KindRules<R>, mayMerge: boolean): ImportChoice[] {
  return [...(mayMerge && !isKept ? ['merge' as const] : []), 'skip' as const, ...(onlyOnce ? [] : ['new' as const])];
}

/**
 * Makes each row wrong that would write into days that are locked (docs/specification.md §29.1). `daysOf` says which days a row
 * would write into, by field.
 */
export const refuseLocked = <R extends Stored>(
  plans: readonly Planned<R>[],
  lockedUpTo: string | null,
  daysOf: (plan: Planned<R>, index: number) => Readonly<Record<string, string | undefined>>,
): Planned<R>[] =>
  plans.map((plan, index) => {
    const { state, twin } = plan.answer;
    if (lockedUpTo === null || state === 'same' || state === 'wrong') return plan;
    const field = Object.entries(daysOf(plan, index)).find(([, day]) => day !== undefined && day <= lockedUpTo)?.[0];
    if (field === undefined) return plan;
    const errors = [{ field, message: lockedSentence(lockedUpTo) }];
    return { ...plan, answer: { state: 'wrong', errors, ...(twin && { twin }) } };
  });

export const answersOf = (plans: readonly Planned<Stored>[]): Pick<ImportPlan, 'answers' | 'given'> => ({
  answers: plans.map(({ answer }) => answer),
  given: plans.map(({ given }) => given),
});

export interface Writes<R extends Stored> {
  creates: Map<string, Values>;
  changes: Map<string, { before: R; after: Values }>;
  /** For each row the id of its record, stored or created; null when there is none. */
  targets: (string | null)[];
}

/** Computes what to write after the user's choices. A row that has a choice and was given none is skipped. */
export function planWrites<R extends Stored>(
  plans: readonly Planned<R>[],
  choices: readonly ImportChoice[],
  { valuesOf, isSame = () => false }: Pick<KindRules<R>, 'valuesOf' | 'isSame'>,
): Writes<R> {
  const writes: Writes<R> = { creates: new Map(), changes: new Map(), targets: [] };
  const create = (given: Values): string => {
    const id = randomUUID();
    writes.creates.set(id, given);
    return id;
  };
  /** By the index of the first row with the same key: the record of these rows, created by the first one that is not skipped. */
  const shared = new Map<number, string>();
  const createShared = (first: number, given: Values): string => {
    const id = shared.get(first) ?? create(given);
    shared.set(first, id);
    return id;
  };
  for (const [index, { answer, given, stored, first }] of plans.entries()) {
    const { state, choices: allowed } = answer;
    const wanted = choices[index] ?? 'skip';
    const choice = allowed?.includes(wanted) ? wanted : 'skip';
    let target: string | null = null;
    if (allowed && choice === 'skip') target = null;
    else if (state === 'new') target = createShared(first ?? index, given);
    else if (state === 'same') target = stored?.id ?? (first === null ? null : (shared.get(first) ?? null));
    else if (state === 'differs' && choice === 'new') target = create(given);
    else if (state === 'differs' && choice === 'merge') {
      target = stored?.id ?? createShared(first ?? index, given);
      const before = stored ? valuesOf(stored) : {};
      // A value that is only written differently must not cause a new version and a history line.
      const changed = Object.entries(given).filter(
        ([field, value]) => before[field] !== value && !isSame(field, before[field] ?? '', value),
      );
      if (stored && changed.length > 0) {
        const earlierAfter = writes.changes.get(stored.id)?.after;
        writes.changes.set(stored.id, { before: stored, after: { ...earlierAfter, ...Object.fromEntries(changed) } });
      }
    }
    writes.targets.push(target);
  }
  return writes;
}

/** Counts the names that were not found: each once with the number of rows that use it, the most used first. */
export function countUnknown(
  rows: readonly (readonly { kind: ImportUnknown['kind']; text: string }[])[],
): ImportUnknown[] {
  const found = new Map<string, ImportUnknown>();
  for (const unknown of rows) {
    const keys = new Map(
      unknown.map(({ kind, text }) => [
        `${kind} ${kind === 'vehicle' ? vehicleKey(text) : nameKey(text)}`,
        { kind, text },
      ]),
    );
    for (const [key, { kind, text }] of keys) {
      found.set(key, { kind, name: text, rows: (found.get(key)?.rows ?? 0) + 1 });
    }
  }
  return [...found.values()].toSorted((a, b) => b.rows - a.rows);
}
