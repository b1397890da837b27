import { amountsFromTyped, computeChallan } from '../calc/challan-amounts.ts';
import { amountInputs, type AmountInput } from '../calc/challan-figures.ts';
import { isWheelCount, correctedBy } from '../calc/challan-rules.ts';
import { addDays, compareDays, formatDate } from '../calc/dates.ts';
import { formatAmount, formatPercentage, isNegative, isZero } from '../calc/money.ts';
import { shownAmounts, unreadInputs, type ShownAmounts } from '../calc/shown-amounts.ts';
import { declarationOn, declaredText, tdsDay, type DeclaredDays } from '../calc/declaration.ts';
import { nameKey, vehicleKey } from '../calc/keys.ts';
import { plausibleWarnings, type PlausibleWarning } from '../calc/plausible.ts';
import { unusualTds } from '../calc/tds-percentage.ts';
import { typedDay } from '../reading/day.ts';
import { readFigure } from '../reading/amount.ts';
import { readValue } from '../reading/values.ts';
import { challanCreateForm, type ChallanFormValues } from '../contract/challan-form.ts';
import type { ChallanInput } from '../contract/challan-input.ts';
import { kindOfColumn, labelOf, sheetColumns, valueKindOf, type SheetColumn } from './challan-sheet-fields.ts';
import type { Cells } from './sheet.ts';

/** Checks a row of the entry sheet: what its cells show, what is wrong with it, and which challan it makes. */

export interface FoundOwner {
  id: string;
  name: string;
  contactNumber: string;
}
export interface FoundVehicle {
  vehicleType: string;
  wheels: number;
  owner: FoundOwner;
}

/**
 * What the server has found for the names in a sheet. undefined: it has not answered yet; null or an empty list: there is
 * no such record.
 */
export interface Lookups {
  vehicle: (vehicleNo: string) => FoundVehicle | null | undefined;
  owners: (name: string) => readonly FoundOwner[] | undefined;
  tags: (name: string) => readonly { id: string }[] | undefined;
  petrolPumps: (name: string) => readonly { id: string }[] | undefined;
  /** The TDS percentage of the owner's last challan. */
  lastTds: (ownerId: string) => string | undefined;
  /** The days on which declarations of the owner are valid. */
  declarations: (ownerId: string) => readonly DeclaredDays[];
  /** The rate of the last challan of the row's route; null: it has none, or a place is empty. */
  lastRate: (route: Pick<Texts, 'loadingPlace' | 'unloadingPlace'>) => string | null | undefined;
}

/** The values that a new challan starts with (docs/specification.md §8.7). */
export interface Starts {
  texts: Readonly<Partial<Record<SheetColumn, string>>>;
  /** Days from loading to unloading. */
  tripDays: number;
}

export interface RowContext {
  today: string;
  starts: Starts;
  lookups: Lookups;
  /** The rows are past challans that are imported. */
  isPast?: boolean;
}

export type UnknownKind = 'vehicle' | 'owner' | 'tag' | 'petrolPump';
/** A name that belongs to no record of the master data. */
export interface Unknown {
  kind: UnknownKind;
  column: SheetColumn;
  text: string;
}

type Texts = Readonly<Record<SheetColumn, string>>;
export type ColumnMessages = Readonly<Partial<Record<SheetColumn, string>>>;

export interface RowCheck {
  /** What each cell shows while nobody edits it. */
  shown: Texts;
  /** The text of each cell, typed or filled in. */
  texts: Texts;
  filled: ReadonlySet<SheetColumn>;
  errors: ColumnMessages;
  warnings: ColumnMessages;
  /** Those of the warnings that are about values which are hardly ever meant (docs/specification.md §8.3.5). */
  implausible: readonly PlausibleWarning[];
  /** What they were compared with. */
  lastRate: string | null | undefined;
  figures: ShownAmounts;
  unknown: readonly Unknown[];
  /** The server's answer about one of its names is still missing. */
  isWaiting: boolean;
  /** The body to send; undefined while the row is wrong or waits for an answer. */
  body: ChallanInput | undefined;
  /** YYYY-MM-DD; '' while the text is not a day. */
  loadingDay: string;
}

/** These are filled in only when liters are typed: a pump without liters would make every row wrong. */
const withLiters: readonly SheetColumn[] = ['petrolPump', 'hsdPricePerLiter'];

interface Filling {
  texts: Texts;
  filled: ReadonlySet<SheetColumn>;
  owner: FoundOwner | undefined;
  /** The declaration of the owner that is valid on the row's day. */
  declaration: DeclaredDays | undefined;
  vehicle: FoundVehicle | null | undefined;
}

/** The typed cells, and in cells that nobody has touched the values that the form would fill in. */
function fillIn(cells: Cells, { today, starts, lookups }: RowContext): Filling {
  const texts = Object.fromEntries(sheetColumns.map((column) => [column, cells[column] ?? ''])) as Record<
    SheetColumn,
    string
  >;
  const filled = new Set<SheetColumn>();
  const fill = (column: SheetColumn, text: string | undefined): void => {
    if (cells[column] !== undefined || !text) return;
    texts[column] = text;
    filled.add(column);
  };
  const vehicle = texts.vehicleNo === '' ? null : lookups.vehicle(texts.vehicleNo);
  fill('ownerName', vehicle?.owner.name);
  const owner = ownerOf(texts, vehicle, lookups);
  fill('ownerContactNumber', owner?.contactNumber);
  fill('vehicleType', vehicle?.vehicleType);
  fill('vehicleWheel', vehicle && isWheelCount(vehicle.wheels) ? String(vehicle.wheels) : undefined);

  fill('loadingDate', starts.texts.loadingDate ?? formatDate(today));
  const loading = typedDay(texts.loadingDate, today);
  fill('unloadingDate', loading && formatDate(addDays(loading, starts.tripDays)));
  fill('depositedAt', depositDay(typedDay(texts.unloadingDate, today), { today, starts }));
  const day = tdsDay({ depositedAt: typedDay(texts.depositedAt, today), loadingDate: loading });
  const declaration = owner && declarationOn(lookups.declarations(owner.id), day);
  const lastTds = owner && lookups.lastTds(owner.id);
  fill('tdsPercentage', declaration ? '0' : lastTds && !isZero(lastTds) ? formatPercentage(lastTds) : undefined);
  for (const column of sheetColumns) {
    if (kindOfColumn(column) === 'date' || (withLiters.includes(column) && !isGiven(texts.hsdInLiters))) continue;
    fill(column, starts.texts[column]);
  }
  return { texts, filled, owner, declaration, vehicle };
}

function isGiven(liters: string): boolean {
  const read = readFigure('liters', liters);
  return 'error' in read || (read.value !== '' && !isZero(read.value));
}

/** The remembered deposited day, else today. It is never before the unloading, which a challan may not have. */
function depositDay(unloading: string, { today, starts }: Pick<RowContext, 'today' | 'starts'>): string {
  const remembered = typedDay(starts.texts.depositedAt ?? '', today);
  const fits = [remembered, today, unloading].find(
    (day) => day !== '' && (!unloading || compareDays(day, unloading) >= 0),
  );
  return fits ? formatDate(fits) : '';
}

/**
 * The owner of a row: that of its truck, else the only owner of the typed name. Of several with the same name it is the one
 * with the row's contact number.
 */
function ownerOf(texts: Texts, vehicle: FoundVehicle | null | undefined, lookups: Lookups): FoundOwner | undefined {
  const name = nameKey(texts.ownerName);
  if (name === '') return undefined;
  if (vehicle && nameKey(vehicle.owner.name) === name) return vehicle.owner;
  const found = lookups.owners(texts.ownerName) ?? [];
  if (found.length < 2) return found[0];
  return found.find(({ contactNumber }) => contactNumber === texts.ownerContactNumber.replace(/\D/g, '').slice(-10));
}

const errorColumns: Readonly<Record<string, SheetColumn>> = {
  ownerId: 'ownerName',
  discounterId: 'discounter',
  tagId: 'tag',
  petrolPumpId: 'petrolPump',
};

/** The column that shows an error of the contract. An error of a computed figure is shown at the input that corrects it. */
export function columnOfError(name: string, texts: Texts): SheetColumn | undefined {
  if (name === 'materialShortageAmount') return texts.materialShortageAmount ? name : 'materialRate';
  const known = errorColumns[name] ?? (name in correctedBy ? correctedBy[name as keyof typeof correctedBy] : name);
  return sheetColumns.find((column) => column === known);
}

const isAmountColumn = (column: SheetColumn): column is SheetColumn & AmountInput =>
  amountInputs.some((input) => input === column);

export function checkRow(cells: Cells, context: RowContext): RowCheck {
  const { lookups, today, isPast = false } = context;
  const { texts, filled, owner, declaration, vehicle } = fillIn(cells, context);
  const errors: Partial<Record<SheetColumn, string>> = {};
  const warnings: Partial<Record<SheetColumn, string>> = {};
  const unknown: Unknown[] = [];
  const sent: Partial<Record<SheetColumn, string>> = { ...texts };
  const shown: Record<SheetColumn, string> = { ...texts };

  for (const column of sheetColumns) {
    const read = readValue(valueKindOf(column), texts[column], { today, label: labelOf(column) });
    if ('problem' in read) {
      errors[column] = read.problem;
      if (!isAmountColumn(column)) sent[column] = '';
      continue;
    }
    sent[column] = read.value;
    if (read.doubt !== undefined) warnings[column] = read.doubt;
    if (isAmountColumn(column) && read.value !== '')
      shown[column] = column === 'tdsPercentage' ? formatPercentage(read.value) : formatAmount(read.value);
  }
  if (declaration && filled.has('tdsPercentage')) shown.tdsPercentage = declaredText(declaration.receivedOn);
  const amounts = Object.fromEntries(amountInputs.map((input) => [input, sent[input]]));
  const figures = computeChallan(amountsFromTyped(amounts));
  const lastRate = lookups.lastRate(texts);
  const implausible = plausibleWarnings({ ...sent, today, lastRate }, { isPast });
  for (const { field, message } of implausible) {
    const other = warnings[field];
    warnings[field] = other === undefined ? message : `${other.replace(/\.?$/, '.')} ${message}`;
  }
  const unusual = owner && !declaration && unusualTds(texts.tdsPercentage, lookups.lastTds(owner.id));
  if (unusual) warnings.tdsPercentage ??= unusual;

  let isWaiting = texts.vehicleNo !== '' && vehicle === undefined;
  if (texts.vehicleNo !== '' && vehicle === null) {
    unknown.push({ kind: 'vehicle', column: 'vehicleNo', text: texts.vehicleNo });
    warnings.vehicleNo = 'No truck has this number';
  }
  let isOwnerWaiting = isWaiting && texts.ownerName === '';
  if (texts.ownerName !== '' && !owner) {
    const found = lookups.owners(texts.ownerName);
    if (found === undefined) isOwnerWaiting = true;
    else if (found.length === 0) unknown.push({ kind: 'owner', column: 'ownerName', text: texts.ownerName });
    else {
      errors.ownerName = `Several owners are called "${texts.ownerName}". Type the contact number of the one that is meant`;
    }
  }
  if (isOwnerWaiting) {
    isWaiting = true;
    // The owner is still being looked up. These values keep the rules from reporting it as missing.
    sent.ownerName ||= '-';
    sent.ownerContactNumber ||= '0000000000';
  }
  /** The id of the record with this name. Adds an error where there is none or several. */
  const idOf = (
    column: 'discounter' | 'tag' | 'petrolPump',
    kind: UnknownKind,
    noun: string,
    found: readonly { id: string }[] | undefined,
  ): string => {
    const text = texts[column];
    if (text === '') return '';
    if (found === undefined) isWaiting = true;
    else if (found.length === 0) {
      unknown.push({ kind, column, text });
      errors[column] = `No ${noun} matches "${text}"`;
    } else if (found.length > 1) errors[column] = `Several ${noun}s are called "${text}"`;
    return found?.[0]?.id ?? someId;
  };
  const ids = {
    ownerId: owner?.id ?? (isOwnerWaiting ? someId : ''),
    discounterId: idOf('discounter', 'owner', 'owner', lookups.owners(texts.discounter)),
    tagId: idOf('tag', 'tag', 'tag', lookups.tags(texts.tag)),
    petrolPumpId: idOf('petrolPump', 'petrolPump', 'petrol pump', lookups.petrolPumps(texts.petrolPump)),
  };
  const form: ChallanFormValues = {
    // Safe: all other columns have the names of form fields; those that have not follow by their ids.
    ...(sent as Record<Exclude<SheetColumn, 'discounter' | 'tag' | 'petrolPump'>, string>),
    ...ids,
    tdsDeclarationId: declaration?.id ?? '',
    paymentStatus: false,
    differenceWeight: figures.differenceWeight ?? '',
    tdsAmount: figures.tdsAmount,
    hsdAmount: figures.hsdAmount,
    shortageAmount: figures.shortageAmount,
    materialShortageAmount: figures.materialShortageAmount,
    netAmountPayable: figures.netAmountPayable ?? '',
  };
  const judged = challanCreateForm.safeParse(form);
  for (const { path, message } of judged.error?.issues ?? []) {
    const column = columnOfError(String(path[0] ?? ''), texts);
    if (column) errors[column] ??= message;
  }
  const isWrong = Object.keys(errors).length > 0;
  return {
    shown,
    texts,
    filled,
    errors,
    warnings,
    implausible,
    lastRate,
    figures: shownAmounts(figures, unreadInputs(amounts)),
    unknown,
    isWaiting,
    body: judged.success && !isWrong && !isWaiting ? judged.data : undefined,
    loadingDay: sent.loadingDate ?? '',
  };
}

/**
 * The id for a name that was not found or is still being looked up. The cell has its own error then, and the rule for
 * required fields must not add another.
 */
const someId = '00000000-0000-4000-8000-000000000000';

/** What the trips of two rows are compared by: vehicle and loading day; '' while one of them is missing. */
export const tripKey = ({ texts, loadingDay }: RowCheck): string =>
  texts.vehicleNo === '' || loadingDay === '' ? '' : `${vehicleKey(texts.vehicleNo)} ${loadingDay}`;

export const hasNegativeNet = ({ figures }: RowCheck): boolean =>
  figures.netAmountPayable !== null && isNegative(figures.netAmountPayable);
