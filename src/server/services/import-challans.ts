import { setImmediate as turn } from 'node:timers/promises';
import { compareDays, dayOf, formatDate } from '../../shared/calc/dates.ts';
import { compare, formatINR, normalizeTyped, subtract, sum } from '../../shared/calc/money.ts';
import { nameKey } from '../../shared/calc/names.ts';
import { tpKey } from '../../shared/calc/tp.ts';
import { parseTypedDate } from '../../shared/calc/typed-date.ts';
import { vehicleKey } from '../../shared/calc/vehicle.ts';
import type { SheetCheck } from '../../shared/contract/challan-sheet.ts';
import { challanInput } from '../../shared/contract/challan-input.ts';
import { sheetColumns, type SheetColumn } from '../../shared/sheet/challan-sheet-fields.ts';
import { checkRow, type Lookups, type RowCheck, type Unknown } from '../../shared/sheet/check-row.ts';
import { settled } from '../../shared/sheet/sheet.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { selectPastChallans, type PastChallan } from '../queries/imports.ts';
import { Refusal } from '../refusal.ts';
import { createWithin, type NewChallan } from './challans-create.ts';
import { checkSheet } from './challans-sheet.ts';
import {
  importChanged,
  countUnknown,
  plannedAnswers,
  planRows,
  writesOf,
  type FieldError,
  type KindRules,
  type PlanOf,
  type Texts,
  type Values,
} from './import-plan.ts';
import { payChallans } from './payments.ts';

/** Past challans of an import: rows as the entry sheet has them, and the day on which each was paid. */

/** An empty cell of these shows what the truck says; one of any other column says that there is nothing. */
const ofTruck: readonly SheetColumn[] = ['ownerName', 'ownerContactNumber', 'vehicleType', 'vehicleWheel'];
/** A column of deductions has an empty cell where there was none. */
const noneIsZero: readonly SheetColumn[] = ['advanceMoney', 'officeCharges'];

interface ReadChallan {
  errors: FieldError[];
  unknown: readonly Unknown[];
  /** undefined: it is wrong. */
  challan: NewChallan | undefined;
  /** The day on which it was paid; '': it is unpaid. */
  paidOn: string;
}

const rules: KindRules<PastChallan> = {
  keysOf: ({ tpNo = '', vehicleNo = '', loadingDate = '', netAmountPayable = '' }) => [
    { by: 'TP No', key: tpKey(String(tpNo)) && `tp ${tpKey(String(tpNo))}` },
    {
      by: 'vehicle, loading date and net amount',
      key: vehicleNo === '' ? '' : `trip ${vehicleKey(String(vehicleNo))} ${loadingDate} ${netAmountPayable}`,
    },
  ],
  valuesOf: ({ challanNumber, tpNo, vehicleNo, loadingDate, netAmountPayable, paidOn }) => ({
    challanNumber,
    tpNo,
    vehicleNo,
    loadingDate,
    netAmountPayable,
    paidOn: paidOn ?? '',
  }),
  nameOf: ({ challanNumber, tpNo = '' }) => String(challanNumber ?? `TP No ${tpNo}`),
  isKept: true,
  shown: (field, value) => {
    if (field === 'netAmountPayable') return formatINR(String(value));
    return field === 'loadingDate' || field === 'paidOn' ? formatDate(String(value)) : String(value);
  },
  isSame: (field, stored, given) =>
    (field === 'tpNo' && tpKey(String(stored)) === tpKey(String(given))) ||
    (field === 'vehicleNo' && vehicleKey(String(stored)) === vehicleKey(String(given))),
};

export const planChallans: PlanOf = async (db, rows) => {
  const read = await readAll(db, rows);
  const given = read.map(({ challan, paidOn }): Values => {
    if (!challan) return {};
    const { tpNo, vehicleNo, loadingDate, netAmountPayable = '' } = challan;
    return { tpNo, vehicleNo, loadingDate: dayOf(loadingDate), netAmountPayable, ...(paidOn && { paidOn }) };
  });
  const plans = planRows(
    read.map(({ errors }, index) => ({ errors, given: given[index] ?? {} })),
    await selectPastChallans(
      db,
      given.filter(({ tpNo }) => tpNo !== undefined),
    ),
    rules,
  );
  return {
    ...plannedAnswers(plans),
    given: read.map(({ challan, paidOn }) => ({ ...challan, paidOn })),
    unknown: countUnknown(read.map(unknownIn)),
    write: async (writeDb, choices, caller) => {
      const { creates, targets } = writesOf(plans, choices, rules);
      // A row that is the same as an earlier one has that one's target.
      const own = read.filter((_, index) => creates.delete(targets[index] ?? ''));
      return writeChallans(writeDb, caller, own);
    },
  };
};

async function writeChallans(db: TenantDb, caller: Caller, rows: readonly ReadChallan[]) {
  // Only right rows are created.
  const inputs = rows.flatMap(({ challan }) => (challan ? [challan] : []));
  if (inputs.length === 0) return { lines: [], history: [], words: [] };
  const stored: Awaited<ReturnType<typeof createWithin>> = [];
  try {
    for (const part of partsOf(inputs)) stored.push(...(await createWithin(db, part)));
  } catch (error) {
    // The rules were checked: what a row names is no longer there.
    throw error instanceof Refusal ? importChanged() : error;
  }
  const paidOf = new Map<string, string[]>();
  for (const [index, { paidOn }] of rows.entries())
    if (paidOn !== '') paidOf.set(paidOn, [...(paidOf.get(paidOn) ?? []), stored[index]!.id]);
  for (const [paidOn, challanIds] of [...paidOf].toSorted(([a], [b]) => compareDays(a, b)))
    await payChallans(db, caller, { kind: 'import', challanIds, paidOn });
  const paid = rows.filter(({ paidOn }) => paidOn !== '').length;
  const count = stored.length.toLocaleString('en-IN');
  return {
    // A payment is a change of its challan.
    lines: stored.map(({ id }, index) => ({
      record: 'challan' as const,
      id,
      versionAfter: rows[index]?.paidOn === '' ? 1 : 2,
      before: null,
    })),
    history: stored.map(({ id }) => ({ entity: 'challan' as const, entityId: id, action: 'created' as const })),
    words: [`${count} past challan${stored.length === 1 ? '' : 's'} (${paid.toLocaleString('en-IN')} paid)`],
    amount: sum(stored.map(({ netAmountPayable }) => netAmountPayable)),
  };
}

/** So many rows are read before other requests get their turn. */
const atOnce = 20;
/** So many are read between two statements: a transaction that is silent for long would be ended as one left open. */
const inOneGo = 500;

const partsOf = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / inOneGo) }, (_, part) =>
    rows.slice(part * inOneGo, (part + 1) * inOneGo),
  );

async function readAll(db: TenantDb, rows: readonly Texts[]): Promise<ReadChallan[]> {
  const today = dayOf(new Date());
  const read: ReadChallan[] = [];
  for (const part of partsOf(rows)) {
    const named = await checkSheet(db, {
      rows: part.map((texts, index) => ({
        key: String(index),
        vehicleNo: texts['vehicleNo'],
        ownerName: texts['ownerName'],
        discounterName: texts['discounter'],
        tagName: texts['tag'],
        petrolPumpName: texts['petrolPump'],
      })),
    });
    const lookups = lookupsOf(named);
    for (const texts of part) {
      if (read.length % atOnce === atOnce - 1) await turn();
      read.push(readRow(texts, today, lookups));
    }
  }
  return read;
}

function lookupsOf({ vehicles, owners, tags, petrolPumps }: SheetCheck): Lookups {
  const byKey = <T>(answers: readonly { asked: string; found: T }[], keyOf: (text: string) => string) =>
    new Map(answers.map(({ asked, found }) => [keyOf(asked), found]));
  const [vehicleOf, ownersOf] = [byKey(vehicles, vehicleKey), byKey(owners, nameKey)];
  const [tagsOf, pumpsOf] = [byKey(tags, nameKey), byKey(petrolPumps, nameKey)];
  return {
    vehicle: (text) => {
      const found = vehicleOf.get(vehicleKey(text));
      return found
        ? { vehicleType: found.vehicle.typeOfVehicle, wheels: found.vehicle.noOfWheels, owner: found.owner }
        : null;
    },
    owners: (name) => ownersOf.get(nameKey(name)) ?? [],
    tags: (name) => tagsOf.get(nameKey(name)) ?? [],
    petrolPumps: (name) => pumpsOf.get(nameKey(name)) ?? [],
    // What was deducted from a past challan is in the file, not in the owner's last one.
    lastTds: () => undefined,
  };
}

function readRow(texts: Texts, today: string, lookups: Lookups): ReadChallan {
  const payment = readPayment(texts, today);
  const reference = texts['paymentReference'] ?? '';
  const cells = Object.fromEntries(
    sheetColumns.flatMap((column) => {
      const typed = settled(column, texts[column] ?? '', today);
      const text = column === 'remarks' && reference !== '' ? remarksWith(typed, reference) : typed;
      if (text === '' && ofTruck.includes(column)) return [];
      return [[column, text === '' && noneIsZero.includes(column) ? '0' : text]];
    }),
  );
  const check = checkRow(cells, { today, starts: { texts: {}, tripDays: 0 }, lookups });
  const input = check.body && challanInput.safeParse(check.body);
  const errors = [...errorsOf(check), ...payment.errors, ...netError(check, texts['netAmountPayable'] ?? '')];
  const challan = errors.length === 0 && input?.success ? input.data : undefined;
  if (!challan && errors.length === 0) errors.push({ field: 'tpNo', message: 'This row cannot be read as a challan' });
  return { errors, unknown: check.unknown, challan, paidOn: payment.paidOn };
}

const remarksWith = (remarks: string, reference: string): string =>
  [remarks, `Payment reference ${reference}`].filter(Boolean).join('\n');

/** The sentences of the form, and what to do about a name that is not found. */
function errorsOf({ errors, unknown, texts }: RowCheck): FieldError[] {
  const all = new Map<string, string>(Object.entries(errors));
  for (const { kind, column, text } of unknown) {
    if (kind === 'owner') all.set(column, `No owner is named "${text}": import the owner first`);
    else if (kind === 'tag') all.set(column, `No tag is named "${text}": import the tag first`);
    else if (kind === 'petrolPump') all.set(column, `No petrol pump is named "${text}": import the petrol pump first`);
    else if (texts.ownerName === '')
      all.set('vehicleNo', `No truck has the number ${text}: import the truck first, or name the owner`);
  }
  return [...all].map(([field, message]) => ({ field, message }));
}

const paidWords = /^(yes|y|true|1|paid|done)$/i;
const unpaidWords = /^(no|n|false|0|unpaid|pending|due|-|—|)$/i;

function readPayment(texts: Texts, today: string): { paidOn: string; errors: FieldError[] } {
  const [paid, text, reference] = [texts['paid'] ?? '', texts['paidOn'] ?? '', texts['paymentReference'] ?? ''];
  const wrong = (field: string, message: string) => ({ paidOn: '', errors: [{ field, message }] });
  if (!paidWords.test(paid) && !unpaidWords.test(paid))
    return wrong('paid', `"${paid}" is neither paid nor unpaid: write Yes or No`);
  const read = /^[-—]$/.test(text) ? { day: '' } : parseTypedDate(text, today);
  if ('error' in read) return wrong('paidOn', read.error);
  const { day } = read;
  if (day === '') {
    if (paidWords.test(paid)) return wrong('paidOn', 'Please enter the date on which it was paid');
    if (reference !== '') return wrong('paidOn', 'A payment reference needs the date on which it was paid');
    return { paidOn: '', errors: [] };
  }
  if (compareDays(day, today) > 0) return wrong('paidOn', 'The paid date cannot be in the future');
  if (paid !== '' && unpaidWords.test(paid)) return wrong('paid', 'It has a paid date, but is not marked as paid');
  return { paidOn: day, errors: [] };
}

/** The file's own net is compared: books that were worked out otherwise would not agree with the ledger. */
function netError({ body }: RowCheck, text: string): FieldError[] {
  if (!body || text === '') return [];
  const net = body.netAmountPayable ?? '0';
  const isBelowZero = /^[^\d]*[-\u2212(]/.test(text);
  const read = normalizeTyped(isBelowZero ? text.replace(/[-\u2212()]/g, '') : text);
  const field = 'netAmountPayable';
  if ('error' in read) return [{ field, message: read.error }];
  const given = isBelowZero ? subtract('0', read.value) : read.value;
  if (compare(given, net) === 0) return [];
  return [{ field, message: `The row comes to ${formatINR(net)}, the file says ${formatINR(given)}` }];
}

/** A truck that is not found is no mistake where the owner is named. */
const unknownIn = ({ unknown, errors }: ReadChallan): readonly Unknown[] =>
  unknown.filter(({ kind, column }) => kind !== 'vehicle' || errors.some(({ field }) => field === column));
