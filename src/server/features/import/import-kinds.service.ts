import type { z } from 'zod';
import { countText } from '../../../shared/calc/count-text.ts';
import { nameKey, vehicleKey } from '../../../shared/calc/keys.ts';
import { declarationDaysError, declarationInput } from '../../../shared/contract/declarations.ts';
import type { ImportKind } from '../../../shared/contract/imports.ts';
import { ownerInput, type Owner } from '../../../shared/contract/owners.ts';
import { petrolPumpInput } from '../../../shared/contract/petrol-pumps.ts';
import { defaultTagColor, tagInput } from '../../../shared/contract/tags.ts';
import { truckInput, type Truck } from '../../../shared/contract/trucks.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { WrittenRecord } from '../batches/batches.queries.ts';
import { lockReferences } from '../challans/challans.queries.ts';
import { changesBetween, type HistoryLine } from '../history/history.queries.ts';
import { selectByKey } from './imports.queries.ts';
import { ownerTable } from '../master-data/owners.queries.ts';
import { petrolPumpTable } from '../master-data/petrol-pumps.queries.ts';
import { selectByName, type RecordTable, type Stored } from '../master-data/records.queries.ts';
import { tagTable } from '../master-data/tags.queries.ts';
import { truckTable } from '../master-data/trucks.queries.ts';
import { declarationTable, lockDeclarers, selectDeclarationsOf } from '../tds/declarations.queries.ts';
import { planChallans } from './import-challans.service.ts';
import { declarationRules, wholeDeclaration } from './import-declarations.service.ts';
import { ownerFinder, selectNamedOwners, unknownOwners } from './import-owners.service.ts';
import {
  importChangedRefusal,
  answersOf,
  planRows,
  joinErrors,
  planWrites,
  type FieldError,
  type ImportPlans,
  type KindRules,
  type ParsedRow,
  type RowTexts,
  type Values,
  type Writes,
  type Written,
} from './import-plan.service.ts';
import { planOpenings } from '../accounting/opening-balances.service.ts';

/** How each kind of import reads its rows, finds its records and writes them (docs/specification.md §22). */

/** Returns one message per field, under the field names of the import. */
function errorsOf(
  result: z.ZodSafeParseResult<unknown>,
  nameOf: (field: string) => string = (field) => field,
): FieldError[] {
  const errors = new Map<string, string>();
  for (const { path, message } of result.error?.issues ?? []) {
    const field = nameOf(String(path[0]));
    if (!errors.has(field)) errors.set(field, message);
  }
  return [...errors].map(([field, message]) => ({ field, message }));
}

/** Returns the fields of a record for which the row has a value. */
const withoutEmpty = (values: Readonly<Record<string, string | number | undefined>>): Values =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string | number] => (entry[1] ?? '') !== ''),
  );

/**
 * Saves the planned rows of one table. Locks the records that change, and refuses when they are no longer as they were
 * read.
 */
async function savePlan<R extends Stored, F extends keyof R & string>(
  db: TenantDb,
  table: Omit<RecordTable<R, F, string>, 'list'>,
  creates: ReadonlyMap<string, Values>,
  changes: Writes<R>['changes'],
): Promise<{ lines: WrittenRecord[]; history: HistoryLine[] }> {
  const { record } = table;
  const locked = await table.lockMany(db, [...changes.keys()]);
  const isCurrent = (now: (typeof locked)[number]): boolean =>
    !now.isDeleted && now.version === changes.get(now.id)?.before.version;
  if (locked.length !== changes.size || !locked.every(isCurrent)) throw importChangedRefusal();
  // The casts here and below are safe: these are the values of this kind, by the table's field names.
  await table.insertMany(db, creates as ReadonlyMap<string, Partial<Pick<R, F>>>);
  await table.updateMany(db, new Map([...changes].map(([id, { after }]) => [id, after as Partial<Pick<R, F>>])));
  const lines: WrittenRecord[] = [...creates.keys()].map((id) => ({ record, id, versionAfter: 1, before: null }));
  const history: HistoryLine[] = [...creates.keys()].map((entityId) => ({
    entity: record,
    entityId,
    action: 'created',
  }));
  for (const [id, { before, after }] of changes) {
    const changed = changesBetween(before, { ...before, ...after }, table.fields);
    lines.push({
      record,
      id,
      versionAfter: before.version + 1,
      before: Object.fromEntries(Object.entries(changed).map(([field, [value]]) => [field, value])),
    });
    history.push({ entity: record, entityId: id, action: 'updated', changes: changed });
  }
  return { lines, history };
}

const valuesOf =
  <R extends Stored>(fields: readonly (keyof R & string)[]) =>
  (record: R): Values =>
    // The cast is safe: fields of master data are texts and counts.
    Object.fromEntries(fields.map((field) => [field, record[field] as string | number]));

/** Parses the number of wheels in a cell: '10', '10 wheeler'. Other text stays text, which the form's rule refuses. */
function parseWheels(text: string | undefined): number | string | undefined {
  const count = /^(\d{1,4})(\s*-?\s*w(heels?|heelers?)?)?$/i.exec(text ?? '')?.[1];
  return count === undefined ? text || undefined : Number(count);
}

const truckKeyOf = (values: Values) => [{ by: 'truck number', key: vehicleKey(String(values['truckNumber'] ?? '')) }];

/** A placeholder for the required owner, where only the truck itself is checked. */
const placeholderOwnerId = '00000000-0000-4000-8000-000000000000';

interface ParsedTrucks {
  errors: FieldError[];
  trucks: { truckNumber: string; noOfWheels: number; typeOfVehicle: string }[];
}

/** Parses the trucks in an owner's row. */
function parseTrucks(texts: RowTexts): ParsedTrucks {
  const numbers = (texts['trucks'] ?? '').split(', ');
  const results = [...new Map(numbers.filter(Boolean).map((one) => [vehicleKey(one), one])).values()].map(
    (truckNumber) =>
      truckInput.safeParse({
        truckNumber,
        noOfWheels: parseWheels(texts['noOfWheels']),
        typeOfVehicle: texts['typeOfVehicle'],
        ownerId: placeholderOwnerId,
      }),
  );
  const errors = results.flatMap((result) => errorsOf(result, (field) => (field === 'truckNumber' ? 'trucks' : field)));
  return {
    errors: [...new Map(errors.map((error) => [error.field, error])).values()],
    trucks: results.flatMap(({ data }) =>
      data
        ? [{ truckNumber: data.truckNumber, noOfWheels: data.noOfWheels, typeOfVehicle: data.typeOfVehicle ?? '' }]
        : [],
    ),
  };
}

const ownerRules: KindRules<Owner> = {
  keysOf: ({ panNo = '', accountNo = '', ifsc = '' }) => [
    { by: 'PAN', key: panNo === '' ? '' : `pan ${panNo}` },
    { by: 'account number and IFSC', key: accountNo === '' || ifsc === '' ? '' : `account ${accountNo} ${ifsc}` },
  ],
  valuesOf: valuesOf(ownerTable.fields),
  nameOf: ({ name = '' }) => String(name),
};

const truckRules = (ownerNames: ReadonlyMap<string, string>): KindRules<Truck> => ({
  keysOf: truckKeyOf,
  valuesOf: ({ truckNumber, noOfWheels, typeOfVehicle, ownerId }) => ({
    truckNumber,
    ownerName: ownerId,
    noOfWheels,
    typeOfVehicle,
  }),
  nameOf: ({ truckNumber = '' }) => String(truckNumber),
  onlyOnce: { noun: 'Truck', field: 'truckNumber' },
  shown: (field, value) => (field === 'ownerName' ? (ownerNames.get(String(value)) ?? '') : String(value)),
  isSame: (field, stored, given) => field === 'truckNumber' && vehicleKey(String(stored)) === vehicleKey(String(given)),
});

/** Converts the import's values to the fields of a record that has an owner. */
const ownerFieldsOf = ({ ownerName, ...values }: Values): Values => ({
  ...values,
  ...(ownerName !== undefined && { ownerId: ownerName }),
});

async function lockOwners(db: TenantDb, ids: Iterable<string>): Promise<void> {
  const { missing } = await lockReferences(
    db,
    [...new Set(ids)].map((ownerId) => ({ ownerId })),
  );
  if (missing.some((gone) => gone.length > 0)) throw importChangedRefusal();
}

export const importPlans: ImportPlans = {
  owners: async (db, rows) => {
    const rowTrucks = rows.map(({ texts }) => parseTrucks(texts));
    const read = rows.map((row, index): ParsedRow => {
      const { trucks: _trucks, noOfWheels: _wheels, typeOfVehicle: _type, ...own } = row.texts;
      // An empty cell must not set the language: a merge keeps the one the owner has.
      const result = ownerInput.safeParse({ ...own, language: own['language'] || undefined });
      return {
        given: withoutEmpty(result.data ?? {}),
        errors: joinErrors(row, [...errorsOf(result), ...(rowTrucks[index]?.errors ?? [])]),
        waits: row.doubts.some(({ field }) => field === 'accountNo' || field === 'ifsc'),
      };
    });
    const givens = read.map(({ given }) => given);
    const textsOf = (field: string): string[] =>
      givens.flatMap((given) => (given[field] ? [String(given[field])] : []));
    const [byPan, byAccount, trucks] = await Promise.all([
      selectByKey(db, ownerTable, 'panNo', textsOf('panNo')),
      selectByKey(db, ownerTable, 'accountNo', textsOf('accountNo')),
      selectByKey(
        db,
        truckTable,
        'truckNumber',
        rowTrucks.flatMap((own) => own.trucks.map(({ truckNumber }) => vehicleKey(truckNumber))),
      ),
    ]);
    const owners = [...new Map([...byPan, ...byAccount].map((owner) => [owner.id, owner])).values()];
    const storedTrucks = new Map(trucks.map((truck) => [vehicleKey(truck.truckNumber), truck]));
    /** For each truck the row that brought it first, and whose it is. */
    const claims = new Map<string, { whose: string; row: number }>();
    const newRowTrucks: ParsedTrucks['trucks'][] = rows.map(() => []);

    const plans = planRows(read, owners, ownerRules, (index, { stored, first }) => {
      const whose = stored?.id ?? `row ${first ?? index}`;
      const errors: FieldError[] = [];
      for (const truck of rowTrucks[index]?.trucks ?? []) {
        const key = vehicleKey(truck.truckNumber);
        const known = storedTrucks.get(key);
        const claim = claims.get(key);
        if (known) {
          if (known.ownerId !== stored?.id)
            errors.push({ field: 'trucks', message: `Truck ${truck.truckNumber} is already in your list` });
        } else if (claim === undefined) {
          claims.set(key, { whose, row: index + 1 });
          newRowTrucks[index]?.push(truck);
        } else if (claim.whose !== whose) {
          const message = `Truck ${truck.truckNumber} is also in row ${claim.row}: leave it in the file once`;
          errors.push({ field: 'trucks', message });
        }
      }
      const added = (newRowTrucks[index] ?? []).map(({ truckNumber }) => truckNumber).join(', ');
      return { errors: errors.slice(0, 1), added, field: 'trucks' };
    });

    return {
      ...answersOf(plans),
      write: async (writeDb, choices) => {
        const { creates, changes, targets } = planWrites(plans, choices, ownerRules);
        const newTrucks = new Map<string, Values>();
        for (const [index, target] of targets.entries())
          if (target !== null)
            for (const truck of newRowTrucks[index] ?? [])
              newTrucks.set(crypto.randomUUID(), { ...truck, ownerId: target });
        const saved = await savePlan(writeDb, ownerTable, creates, changes);
        const named = [...newTrucks.values()].map(({ ownerId }) => String(ownerId));
        await lockOwners(
          writeDb,
          named.filter((id) => !creates.has(id)),
        );
        const savedTrucks = await savePlan(writeDb, truckTable, newTrucks, new Map());
        return {
          lines: [...saved.lines, ...savedTrucks.lines],
          history: [...saved.history, ...savedTrucks.history],
          words: [
            ...(saved.lines.length > 0 ? [countText(saved.lines.length, 'owner')] : []),
            ...(newTrucks.size > 0 ? [countText(newTrucks.size, 'truck')] : []),
          ],
        };
      },
    };
  },

  trucks: async (db, rows) => {
    const owners = await selectNamedOwners(db, rows);
    const ownerOf = ownerFinder(owners);
    const read = rows.map((row): ParsedRow => {
      const { texts } = row;
      const found = ownerOf(texts);
      const result = truckInput.safeParse({
        truckNumber: texts['truckNumber'],
        ownerId: 'owner' in found ? found.owner.id : placeholderOwnerId,
        noOfWheels: parseWheels(texts['noOfWheels']),
        typeOfVehicle: texts['typeOfVehicle'],
      });
      const errors = joinErrors(row, [...errorsOf(result), ...('error' in found ? [found.error] : [])]);
      const { ownerId, ...rest } = result.data ?? {};
      return { given: withoutEmpty({ ...rest, ...(ownerId && { ownerName: ownerId }) }), errors };
    });
    const keys = read.flatMap(({ given }) => truckKeyOf(given).map(({ key }) => key));
    const stored = await selectByKey(db, truckTable, 'truckNumber', keys);
    const names = new Map([
      ...stored.map(({ owner }): [string, string] => [owner.id, owner.name]),
      ...owners.map(({ id, name }): [string, string] => [id, name]),
    ]);
    const rules = truckRules(names);
    const plans = planRows(read, stored, rules);
    return {
      ...answersOf(plans),
      unknown: unknownOwners(rows, owners),
      write: async (writeDb, choices) => {
        const { creates, changes } = planWrites(plans, choices, rules);
        const newTrucks = new Map([...creates].map(([id, values]) => [id, ownerFieldsOf(values)]));
        const changed = new Map(
          [...changes].map(([id, { before, after }]) => [id, { before, after: ownerFieldsOf(after) }]),
        );
        const all = [...newTrucks.values(), ...[...changed.values()].map(({ after }) => after)];
        await lockOwners(
          writeDb,
          all.flatMap(({ ownerId }) => (ownerId === undefined ? [] : [String(ownerId)])),
        );
        return withWords(await savePlan(writeDb, truckTable, newTrucks, changed), 'truck');
      },
    };
  },

  tags: planByName(
    'tag',
    tagTable,
    (texts) => tagInput.safeParse({ ...texts, color: texts['color'] || defaultTagColor }),
    {
      onlyOnce: { noun: 'Tag', field: 'name' },
      isSame: (field, stored, given) =>
        field === 'color' && String(stored).toLowerCase() === String(given).toLowerCase(),
    },
    { color: defaultTagColor },
  ),

  challans: planChallans,

  'opening-balances': planOpenings,

  declarations: async (db, rows) => {
    const owners = await selectNamedOwners(db, rows);
    const ownerOf = ownerFinder(owners);
    const names = new Map(owners.map(({ id, name }) => [id, name]));
    const panOf = new Map(owners.map(({ id, panNo }) => [id, panNo]));
    const stored = await selectDeclarationsOf(db, [...names.keys()]);
    const rules = declarationRules(names);
    const read = rows.map((row): ParsedRow => {
      const { ownerName: _name, ownerPan: _pan, carriages = '', ...texts } = row.texts;
      const found = ownerOf(row.texts);
      const owner = 'owner' in found ? found.owner : undefined;
      const result = declarationInput.safeParse({
        ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
        receivedOn: texts['receivedOn'],
        panNo: texts['panNo'] || owner?.panNo,
        carriages: /^\d{1,4}$/.test(carriages) ? Number(carriages) : undefined,
        ownerId: owner?.id ?? placeholderOwnerId,
      });
      const errors = joinErrors(row, [...errorsOf(result), ...('error' in found ? [found.error] : [])]);
      const { ownerId, withdrawnOn, panNo = '', ...rest } = result.data ?? {};
      return {
        given: withoutEmpty({
          ...rest,
          panNo: texts['panNo'] && panNo,
          ...(withdrawnOn && { withdrawnOn }),
          ...(ownerId && { ownerName: ownerId }),
        }),
        errors,
      };
    });
    const plans = planRows(read, stored, rules, (index, match) => {
      const wrong = declarationDaysError(wholeDeclaration(read[index]?.given ?? {}, match.stored));
      return wrong && { errors: [wrong], added: '', field: wrong.field };
    });
    return {
      ...answersOf(plans),
      unknown: unknownOwners(rows, owners),
      write: async (writeDb, choices) => {
        const { creates, changes } = planWrites(plans, choices, rules);
        const made = new Map(
          [...creates].map(([id, values]): [string, Values] => {
            const { validUntil } = wholeDeclaration(values, null);
            return [id, { panNo: panOf.get(String(values['ownerName'])) ?? '', ...ownerFieldsOf(values), validUntil }];
          }),
        );
        const changed = new Map(
          [...changes].map(([id, { before, after }]) => [id, { before, after: ownerFieldsOf(after) }]),
        );
        const ownerIds = [...made.values()].map((values) => String(values['ownerId']));
        const there = await lockDeclarers(writeDb, { ownerIds, ids: [...changed.keys()] });
        if (ownerIds.some((id) => !there.has(id))) throw importChangedRefusal();
        return withWords(await savePlan(writeDb, declarationTable, made, changed), 'declaration');
      },
    };
  },

  'petrol-pumps': planByName('petrol pump', petrolPumpTable, (texts) => petrolPumpInput.safeParse(texts)),
};

const withWords = (saved: Omit<Written, 'words'>, noun: string): Written => ({
  ...saved,
  words: saved.lines.length > 0 ? [countText(saved.lines.length, noun)] : [],
});

/** Returns the plan of a kind whose records are identified by their names and refer to no other record. */
function planByName<R extends Stored & { name: string }, F extends keyof R & string>(
  noun: string,
  table: Omit<RecordTable<R, F, string>, 'list'>,
  parse: (texts: RowTexts) => z.ZodSafeParseResult<Record<string, string | undefined>>,
  more: Partial<KindRules<R>> = {},
  /** Values of fields that the form fills in. A file without such a field does not change it in an existing record. */
  defaults: Values = {},
): ImportPlans[ImportKind] {
  const rules: KindRules<R> = {
    keysOf: ({ name = '' }) => [{ by: 'name', key: nameKey(String(name)) }],
    valuesOf: valuesOf<R>(table.fields),
    nameOf: ({ name = '' }) => String(name),
    ...more,
  };
  return async (db, rows) => {
    const read = rows.map((row): ParsedRow => {
      const result = parse(row.texts);
      const given = withoutEmpty(result.data ?? {});
      return {
        given: Object.fromEntries(Object.entries(given).filter(([field]) => row.texts[field])),
        errors: joinErrors(row, errorsOf(result)),
      };
    });
    const names = read.flatMap(({ given }) => (given['name'] ? [String(given['name'])] : []));
    const plans = planRows(read, await selectByName(db, table, names), rules);
    return {
      ...answersOf(plans),
      write: async (writeDb, choices) => {
        const { creates, changes } = planWrites(plans, choices, rules);
        const made = new Map([...creates].map(([id, values]) => [id, { ...defaults, ...values }]));
        return withWords(await savePlan(writeDb, table, made, changes), noun);
      },
    };
  };
}
