import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { compareDays, dayOf, formatDate } from '../../../shared/calc/dates.ts';
import { grouped } from '../../../shared/calc/grouped.ts';
import { compare, formatINR, sum } from '../../../shared/calc/money.ts';
import { tdsDay } from '../../../shared/calc/declaration.ts';
import { nameKey, routeKey, vehicleKey, tpKey } from '../../../shared/calc/keys.ts';
import type { SheetCheck } from '../../../shared/contract/challan-sheet.ts';
import { challanInput } from '../../../shared/contract/challan-input.ts';
import { sheetColumns, type SheetColumn } from '../../../shared/sheet/challan-sheet-fields.ts';
import { checkRow, type Lookups, type RowCheck, type Unknown } from '../../../shared/sheet/check-row.ts';
import { settled } from '../../../shared/sheet/sheet.ts';
import type { ReadRow } from '../../../shared/sheet/import-fields.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { selectPastChallans, type PastChallan } from './imports.queries.ts';
import { Refusal } from '../../refusal.ts';
import { holdLockedUpTo } from '../accounting/period-lock.queries.ts';
import { createWithin, type NewChallan } from '../challans/challans-create.service.ts';
import { checkSheet } from '../challans/challans-sheet.service.ts';
import {
  importChangedRefusal,
  countUnknown,
  answersOf,
  joinErrors,
  planRows,
  planWrites,
  refuseLocked,
  type FieldError,
  type KindRules,
  type PlanImport,
  type RowTexts,
  type Values,
} from './import-plan.service.ts';
import { payChallans } from '../payments/payments.service.ts';

/** Imports past challans: rows with the columns of the entry sheet, and the day on which each was paid. */

/**
 * An empty cell of these columns is filled from the truck, and the TDS percentage by a declaration of the owner. An empty cell
 * of any other column means that there is no value.
 */
const filledWhenEmpty: readonly SheetColumn[] = [
  'ownerName',
  'ownerContactNumber',
  'vehicleType',
  'vehicleWheel',
  'tdsPercentage',
];
/** Columns of deductions, in which an empty cell means that there was no deduction. */
const emptyMeansZero: readonly SheetColumn[] = ['advanceMoney', 'officeCharges'];

interface ReadChallan {
  errors: FieldError[];
  warnings: FieldError[];
  unknown: readonly Unknown[];
  /** undefined when the row has errors. */
  challan: NewChallan | undefined;
  /** The day on which it was paid; '' when it is unpaid. */
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

export const planChallans: PlanImport = async (db, rows) => {
  const read = await readRows(db, rows);
  const given = read.map(({ challan, paidOn }): Values => {
    if (!challan) return {};
    const { tpNo, vehicleNo, loadingDate, netAmountPayable = '' } = challan;
    return { tpNo, vehicleNo, loadingDate: dayOf(loadingDate), netAmountPayable, ...(paidOn && { paidOn }) };
  });
  const [past, lockedUpTo] = await Promise.all([
    selectPastChallans(
      db,
      given.filter(({ tpNo }) => tpNo !== undefined),
    ),
    holdLockedUpTo(db),
  ]);
  const planned = planRows(
    read.map(({ errors }, index) => ({ errors, given: given[index] ?? {} })),
    past,
    rules,
  );
  const today = dayOf(new Date());
  const plans = refuseLocked(planned, lockedUpTo, (_, index) => {
    const { challan, paidOn = '' } = read[index] ?? {};
    return {
      [challan?.depositedAt ? 'depositedAt' : 'loadingDate']: challan && tdsDay(challan),
      // A payment of today is not dated back.
      paidOn: paidOn === '' || paidOn === today ? undefined : paidOn,
    };
  });
  return {
    ...answersOf(plans),
    given: read.map(({ challan, paidOn }) => ({ ...challan, paidOn })),
    warnings: read.map(({ warnings }) => warnings),
    unknown: countUnknown(read.map(unknownNames)),
    write: async (writeDb, choices, caller) => {
      const { creates, targets } = planWrites(plans, choices, rules);
      // A row that equals an earlier one has the earlier row's target, so only the first is created.
      const own = read.filter((_, index) => creates.delete(targets[index] ?? ''));
      return writeChallans(writeDb, caller, own);
    },
  };
};

async function writeChallans(db: TenantDb, caller: Caller, rows: readonly ReadChallan[]) {
  // Only rows without errors are created.
  const inputs = rows.flatMap(({ challan }) => (challan ? [challan] : []));
  if (inputs.length === 0) return { lines: [], history: [], words: [] };
  const stored: Awaited<ReturnType<typeof createWithin>> = [];
  try {
    for (const part of chunksOf(inputs)) stored.push(...(await createWithin(db, part)));
  } catch (error) {
    // The rules were checked before, so a refusal means that a referenced record is gone.
    throw error instanceof Refusal ? importChangedRefusal() : error;
  }
  const paidOf = new Map<string, string[]>();
  for (const [index, { paidOn }] of rows.entries())
    if (paidOn !== '') paidOf.set(paidOn, [...(paidOf.get(paidOn) ?? []), stored[index]!.id]);
  for (const [paidOn, challanIds] of [...paidOf].toSorted(([a], [b]) => compareDays(a, b)))
    await payChallans(db, caller, { kind: 'import', challanIds, paidOn });
  const paid = rows.filter(({ paidOn }) => paidOn !== '').length;
  return {
    // A payment raises the version of its challan.
    lines: stored.map(({ id }, index) => ({
      record: 'challan' as const,
      id,
      versionAfter: rows[index]?.paidOn === '' ? 1 : 2,
      before: null,
    })),
    history: stored.map(({ id }) => ({ entity: 'challan' as const, entityId: id, action: 'created' as const })),
    words: [`${countText(stored.length, 'past challan')} (${formatCount(paid)} paid)`],
    amount: sum(stored.map(({ netAmountPayable }) => netAmountPayable)),
  };
}

/** This many rows are read before other requests get their turn in the event loop. */
const rowsPerTurn = 20;
/** This many rows are read between two statements. A transaction that is silent for longer would be ended as idle. */
const chunkSize = 500;

const chunksOf = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / chunkSize) }, (_, part) =>
    rows.slice(part * chunkSize, (part + 1) * chunkSize),
  );

async function readRows(db: TenantDb, rows: readonly ReadRow[]): Promise<ReadChallan[]> {
  const today = dayOf(new Date());
  const read: ReadChallan[] = [];
  for (const part of chunksOf(rows)) {
    const named = await checkSheet(db, {
      rows: part.map(({ texts }, index) => ({
        key: String(index),
        vehicleNo: texts['vehicleNo'],
        ownerName: texts['ownerName'],
        discounterName: texts['discounter'],
        tagName: texts['tag'],
        petrolPumpName: texts['petrolPump'],
        loadingPlace: texts['loadingPlace'],
        unloadingPlace: texts['unloadingPlace'],
      })),
    });
    const lookups = toLookups(named);
    for (const row of part) {
      if (read.length % rowsPerTurn === rowsPerTurn - 1) await yieldToEventLoop();
      const challan = readRow(row.texts, today, lookups);
      read.push({ ...challan, errors: joinErrors(row, challan.errors) });
    }
  }
  return read;
}

function toLookups({ vehicles, owners, tags, petrolPumps, lastRates, declarations }: SheetCheck): Lookups {
  const byKey = <T>(answers: readonly { asked: string; found: T }[], keyOf: (text: string) => string) =>
    new Map(answers.map(({ asked, found }) => [keyOf(asked), found]));
  const [vehicleOf, ownersOf] = [byKey(vehicles, vehicleKey), byKey(owners, nameKey)];
  const [tagsOf, pumpsOf] = [byKey(tags, nameKey), byKey(petrolPumps, nameKey)];
  const declaredBy = grouped(declarations, ({ ownerId }) => [ownerId]);
  const rateOf = new Map(lastRates.map((last) => [routeKey(last), last.ratePerMT]));
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
    // The TDS of a past challan is in the file, not in the owner's last challan.
    lastTds: () => undefined,
    declarations: (ownerId) => declaredBy.get(ownerId) ?? [],
    lastRate: (route) => rateOf.get(routeKey(route)) ?? null,
  };
}

function readRow(texts: RowTexts, today: string, lookups: Lookups): ReadChallan {
  const payment = readPayment(texts, today);
  const reference = texts['paymentReference'] ?? '';
  const cells = Object.fromEntries(
    sheetColumns.flatMap((column) => {
      const typed = settled(column, texts[column] ?? '', today);
      const text = column === 'remarks' && reference !== '' ? addReference(typed, reference) : typed;
      if (text === '' && filledWhenEmpty.includes(column)) return [];
      return [[column, text === '' && emptyMeansZero.includes(column) ? '0' : text]];
    }),
  );
  const check = checkRow(cells, { today, starts: { texts: {}, tripDays: 0 }, lookups, isPast: true });
  const input = check.body && challanInput.safeParse(check.body);
  const errors = [...errorsOf(check), ...payment.errors, ...netError(check, texts['netAmountPayable'] ?? '')];
  const challan = errors.length === 0 && input?.success ? input.data : undefined;
  if (!challan && errors.length === 0) errors.push({ field: 'tpNo', message: 'This row cannot be read as a challan' });
  const warnings = check.implausible.map(({ field, message }) => ({ field, message }));
  return { errors, warnings, unknown: check.unknown, challan, paidOn: payment.paidOn };
}

const addReference = (remarks: string, reference: string): string =>
  [remarks, `Payment reference ${reference}`].filter(Boolean).join('\n');

/** Returns the messages of the form, and for a name that is not found what to do about it. */
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

function readPayment(texts: RowTexts, today: string): { paidOn: string; errors: FieldError[] } {
  const { paid = '', paidOn: day = '', paymentReference: reference = '' } = texts;
  const wrong = (field: string, message: string) => ({ paidOn: '', errors: [{ field, message }] });
  if (!paidWords.test(paid) && !unpaidWords.test(paid))
    return wrong('paid', `"${paid}" is neither paid nor unpaid: write Yes or No`);
  if (day === '') {
    if (paidWords.test(paid)) return wrong('paidOn', 'Please enter the date on which it was paid');
    if (reference !== '') return wrong('paidOn', 'A payment reference needs the date on which it was paid');
    return { paidOn: '', errors: [] };
  }
  if (compareDays(day, today) > 0) return wrong('paidOn', 'The paid date cannot be in the future');
  if (paid !== '' && unpaidWords.test(paid)) return wrong('paid', 'It has a paid date, but is not marked as paid');
  return { paidOn: day, errors: [] };
}

/**
 * Compares the file's own net amount with the computed one: an import whose net was calculated differently would not
 * agree with the ledger.
 */
function netError({ body }: RowCheck, given: string): FieldError[] {
  const net = body?.netAmountPayable ?? '0';
  if (!body || given === '' || compare(given, net) === 0) return [];
  return [
    { field: 'netAmountPayable', message: `The row comes to ${formatINR(net)}, the file says ${formatINR(given)}` },
  ];
}

/** A truck that is not found is no error when the row names the owner. */
const unknownNames = ({ unknown, errors }: ReadChallan): readonly Unknown[] =>
  unknown.filter(({ kind, column }) => kind !== 'vehicle' || errors.some(({ field }) => field === column));
