import { z } from 'zod';
import {
  isWheelCount,
  requiredMessages as say,
  tdsPercentageError,
  WHEELS,
  WHEELS_MESSAGE,
} from '../calc/challan-rules.ts';
import { storedContact } from '../calc/identity.ts';
import { isAmount, isZero } from '../calc/money.ts';
import { displayVehicle } from '../calc/keys.ts';
import { derived, kept, keptOrNull, named, typed, typedOrNull, type FieldKind, type Origin } from './fields.ts';
import {
  day,
  dayOrInstant,
  decimal,
  documented,
  id,
  requiredId,
  signedAmount,
  text,
  trueOrFalse,
  weight,
} from './scalars.ts';

/**
 * The fields of a challan. This table and the maps below define the shapes of the API, the columns that are read and
 * written, the form's values, the details, the history and the file. Each map has to name every field, else the code does
 * not compile.
 */

/** An owner as a challan names it. The discounter is an owner too. */
const ownerReference = z.object({ id: z.string(), name: z.string(), contactNumber: z.string() });
/** The owner who is paid. holdReason says why the owner and all its challans are on hold; '' where they are not. */
const payeeReference = ownerReference.extend({ holdReason: z.string() });
export const tagReference = z.object({ id: z.string(), name: z.string(), color: z.string() });
const petrolPumpReference = z.object({ id: z.string(), name: z.string() });
/** The payment that pays a challan; its name is its number. */
const paymentReference = z.object({ id: z.string(), name: z.string() });

/** The declaration under which nothing is deducted. Its name is the day on which it was received. */
const declarationReference = z.object({ id: z.string(), name: day });

/**
 * 0.1 to 100 with one decimal (docs/specification.md §8.3.2). 0 passes here: whether the owner has a valid declaration is
 * checked with the whole challan, in the same words.
 */
const tdsPercentage = decimal(say.tdsPercentage)
  .superRefine((value, context) => {
    const message = isAmount(value) && !isZero(value) ? tdsPercentageError(value) : null;
    if (message) context.addIssue({ code: 'custom', message });
  })
  .register(documented, {
    type: 'string',
    pattern: '^0{0,9}(100(\\.00?)?|[1-9]\\d?(\\.\\d0?)?|0(\\.\\d0?)?)$',
  });

const shortageRequired = 'Material shortage amount is required';
const shortageInvalid = 'Material shortage amount must be a positive number or zero';
const materialShortageAmount = z
  .string({ error: (issue) => (issue.input === undefined ? shortageRequired : shortageInvalid) })
  .min(1, { error: shortageRequired, abort: true })
  .regex(/^\d{1,12}(\.\d{1,2})?$/, shortageInvalid);

const vehicleWheel = z
  .number({ error: WHEELS_MESSAGE })
  .min(WHEELS.min, { error: WHEELS_MESSAGE, abort: true })
  .max(WHEELS.max, { error: WHEELS_MESSAGE, abort: true })
  .refine(isWheelCount, WHEELS_MESSAGE)
  .register(documented, { type: 'integer', minimum: WHEELS.min, maximum: WHEELS.max, multipleOf: WHEELS.step });

/**
 * The fields in the order of an answer. Weights are in MT and money in rupees, both with two decimals; the TDS percentage
 * has one. Optional texts are '' when not given. `differenceWeight` and `netAmountPayable` can be negative.
 */
export const challanFields = {
  id: kept('reference', 'id', 'Id'),
  challanNumber: kept('reference', 'challan_number', 'Challan No'),
  tpNo: typed('identifier', 'tp_no', 'TP No', text(100, { required: say.tpNo })),
  vehicleNo: typed('text', 'vehicle_no', 'Vehicle No', text(30, { required: say.vehicleNo, stored: displayVehicle })),
  owner: { ...kept('text', 'owner_id', 'Owner'), kind: 'record' as const, answer: payeeReference },
  /** The owner's name when the challan was saved. Renaming the owner does not change it (docs/specification.md §8.2.2). */
  ownerName: typed('text', 'owner_name', 'Owner Name', text(200, { required: say.ownerName })),
  ownerContactNumber: typed(
    'identifier',
    'owner_contact_number',
    'Owner Contact Number',
    text(20, { required: say.ownerContactNumber, stored: storedContact }),
  ),
  discounter: named('discounter_id', 'Discounter', ownerReference, id.nullable().optional()),
  tag: named('tag_id', 'Tag', tagReference, requiredId(say.tagId)),
  petrolPump: named('petrol_pump_id', 'Petrol Pump', petrolPumpReference, id.nullable().optional()),
  material: typed('text', 'material', 'Material', text(100, { required: say.material })),
  loadingDate: typed('date', 'loading_at', 'Loading Date', dayOrInstant(say.loadingDate)),
  unloadingDate: typed('date', 'unloading_at', 'Unloading Date', dayOrInstant(say.unloadingDate)),
  loadingPlace: typed('text', 'loading_place', 'Loading Place', text(200, { required: say.loadingPlace })),
  unloadingPlace: typed('text', 'unloading_place', 'Unloading Place', text(200, { required: say.unloadingPlace })),
  loadingWeight: typed('weight', 'loading_weight', 'Loading Weight', weight(say.loadingWeight)),
  unloadingWeight: typed('weight', 'unloading_weight', 'Unloading Weight', weight(say.unloadingWeight)),
  differenceWeight: derived('weight', 'difference_weight', 'Difference Weight', signedAmount.optional()),
  discountWeight: typed('weight', 'discount_weight', 'Discount Weight', weight().optional()),
  ratePerMT: typed('money', 'rate_per_mt', 'Rate per MT', decimal(say.ratePerMT)),
  /** null only where a challan was stored without it; the form then computes it (docs/specification.md §8.4.3). */
  tdsPercentage: typedOrNull('percent', 'tds_percentage', 'TDS Percentage', tdsPercentage),
  /** Why the percentage is 0; null where it is not. It follows from the owner and the challan's day, and is not sent. */
  tdsDeclaration: named('tds_declaration_id', 'TDS Declaration', declarationReference, null),
  tdsAmount: derived('money', 'tds_amount', 'TDS Amount', decimal(say.tdsAmount).optional()),
  hsdPricePerLiter: typed('money', 'hsd_price_per_liter', 'HSD Price per Liter', decimal().optional()),
  hsdInLiters: typed('liters', 'hsd_in_liters', 'HSD in Liters', decimal().optional()),
  hsdAmount: derived('money', 'hsd_amount', 'HSD Amount', decimal().optional()),
  advanceMoney: typed('money', 'advance_money', 'Advance Money', decimal(say.advanceMoney)),
  officeCharges: typed('money', 'office_charges', 'Office Charges', decimal(say.officeCharges)),
  shortageAmount: derived('money', 'shortage_amount', 'Shortage Amount', decimal().optional()),
  /** It has to be sent: the server cannot compute it, because its rate is not stored. */
  materialShortageAmount: derived(
    'money',
    'material_shortage_amount',
    'Material Shortage Amount',
    materialShortageAmount,
  ),
  netAmountPayable: derived('money', 'net_amount_payable', 'Net Amount Payable', signedAmount.optional()),
  vehicleType: typed('text', 'vehicle_type', 'Vehicle Type', text(100).optional()),
  vehicleWheel: typedOrNull('count', 'vehicle_wheel', 'Vehicle Wheels', vehicleWheel.nullable().optional()),
  driverName: typed('text', 'driver_name', 'Driver Name', text(100).optional()),
  drivingLicenseNo: typed('text', 'driving_license_no', 'Driving License No', text(50).optional()),
  dataEntryBy: typed('text', 'data_entry_by', 'Data Entry By', text(100).optional()),
  remarks: typed('text', 'remarks', 'Remarks', text(1000, { lines: true }).optional()),
  /** A payment in the ledger changes it, not the SQL statement that saves a challan. */
  paymentStatus: { ...kept('flag', 'payment_status', 'Payment Status'), input: trueOrFalse.optional() },
  /** The day is the paid day of the payment (migration 006). */
  paidAt: keptOrNull('date', 'paid_at', 'Paid On'),
  /** Read from the ledger (server/features/challans/challans-row.queries.ts). The challan has no column for it that could differ. */
  payment: { ...kept('text', '', 'Payment No'), kind: 'record' as const, answer: z.nullable(paymentReference) },
  /** Why the challan is on hold and cannot be paid; '' where it is not (docs/specification.md §10.8). */
  holdReason: kept('text', 'hold_reason', 'On Hold'),
  hsdVerified: kept('flag', 'hsd_verified', 'HSD Verified'),
  hsdVerifiedAt: keptOrNull('instant', 'hsd_verified_at', 'HSD Verified At'),
  depositedAt: typedOrNull('date', 'deposited_at', 'Deposited On', dayOrInstant(say.depositedAt)),
  createdAt: kept('instant', 'created_at', 'Created'),
  updatedAt: kept('instant', 'updated_at', 'Last Updated'),
  version: kept('count', 'version', 'Version'),
};

type Fields = typeof challanFields;
/** The name of a field in an answer. */
export type ChallanFieldName = keyof Fields;
type OfKind<K extends FieldKind> = {
  [N in ChallanFieldName]: Fields[N]['kind'] extends K ? N : never;
}[ChallanFieldName];
type OfOrigin<O extends Origin> = {
  [N in ChallanFieldName]: Fields[N]['origin'] extends O ? N : never;
}[ChallanFieldName];
/** A field that names another record. */
export type NamedField = OfKind<'record'>;
export type TypedField = OfOrigin<'typed'>;
/** The fields that a save writes. */
export type StoredField = OfOrigin<'typed' | 'derived'>;
type SentField = { [N in ChallanFieldName]: Fields[N]['input'] extends z.ZodType ? N : never }[ChallanFieldName];

/** The name of a field in a body and in a save: a record is named by its id. */
export type SentName<N extends ChallanFieldName> = N extends NamedField ? `${N}Id` : N;
export const sentName = <N extends ChallanFieldName>(name: N): SentName<N> =>
  // Safe: SentName describes the same rule for types.
  (challanFields[name].kind === 'record' ? `${name}Id` : name) as SentName<N>;

// Safe: Object.keys widens to string, but these are the table's keys. The same holds for the casts below.
export const challanFieldNames = Object.keys(challanFields) as ChallanFieldName[];
export const storedFieldNames = challanFieldNames.filter(
  (name): name is StoredField => challanFields[name].origin !== 'server',
);

export const typedFieldNames = challanFieldNames.filter(
  (name): name is TypedField => challanFields[name].origin === 'typed',
);

/** The values that a save writes: complete, with computed figures, two decimals and instants in ISO 8601. */
export type ChallanValues = {
  [N in StoredField as SentName<N>]: N extends NamedField ? string | null : z.output<Fields[N]['answer']>;
};
/** The part of them that a person enters. */
export type TypedValues = { [N in TypedField as SentName<N>]: ChallanValues[SentName<N>] };

export type AnswerShape = { [N in ChallanFieldName]: Fields[N]['answer'] };
// Safe: each field comes with its own schema.
export const answerShape = Object.fromEntries(
  challanFieldNames.map((name) => [name, challanFields[name].answer]),
) as AnswerShape;

/**
 * The fields that can be sent, in the order of the paper form (docs/specification.md §8.2.1), which is the order of the
 * form's fields and of its errors. Only the keys matter: it is a map so that the compiler finds a missing one.
 */
const paper: Readonly<Record<Exclude<SentField, OptionalFigure>, true>> = {
  tpNo: true,
  loadingDate: true,
  unloadingDate: true,
  vehicleNo: true,
  material: true,
  ownerName: true,
  ownerContactNumber: true,
  discounter: true,
  tag: true,
  petrolPump: true,
  loadingPlace: true,
  unloadingPlace: true,
  loadingWeight: true,
  unloadingWeight: true,
  ratePerMT: true,
  tdsPercentage: true,
  hsdPricePerLiter: true,
  hsdInLiters: true,
  advanceMoney: true,
  officeCharges: true,
  discountWeight: true,
  materialShortageAmount: true,
  paymentStatus: true,
  driverName: true,
  drivingLicenseNo: true,
  vehicleType: true,
  vehicleWheel: true,
  remarks: true,
  dataEntryBy: true,
  depositedAt: true,
};
/** Figures that need not be sent, because the server computes them in any case. */
type OptionalFigure = Exclude<OfOrigin<'derived'>, 'materialShortageAmount'>;
export type PaperField = keyof typeof paper;
export const paperOrder = Object.keys(paper) as PaperField[];

export type InputShape = { [N in SentField as SentName<N>]: NonNullable<Fields[N]['input']> };
const figures = storedFieldNames.filter(
  (name): name is OptionalFigure => challanFields[name].origin === 'derived' && !(name in paper),
);
export const sentFieldNames: readonly SentField[] = [...paperOrder, ...figures];
// Safe: each sent field comes with its own schema, figures last.
export const inputShape = Object.fromEntries(
  sentFieldNames.map((name) => [sentName(name), challanFields[name].input]),
) as InputShape;

/** The section of the details that shows a field, in the order of the details; null: none, or beside another field. */
export type DetailSectionName = 'basic' | 'weights' | 'rates' | 'amounts' | 'additional' | 'status';
export const challanDetails: Readonly<Record<ChallanFieldName, DetailSectionName | null>> = {
  tpNo: 'basic',
  vehicleNo: 'basic',
  loadingDate: 'basic',
  unloadingDate: 'basic',
  material: 'basic',
  tag: 'basic',
  ownerName: 'basic',
  ownerContactNumber: 'basic',
  discounter: 'basic',
  petrolPump: 'basic',
  loadingPlace: 'basic',
  unloadingPlace: 'basic',
  loadingWeight: 'weights',
  unloadingWeight: 'weights',
  differenceWeight: 'weights',
  discountWeight: 'weights',
  ratePerMT: 'rates',
  tdsPercentage: 'rates',
  tdsDeclaration: null,
  tdsAmount: 'amounts',
  hsdPricePerLiter: 'rates',
  hsdInLiters: 'rates',
  hsdAmount: 'amounts',
  advanceMoney: 'amounts',
  officeCharges: 'amounts',
  shortageAmount: 'amounts',
  materialShortageAmount: 'amounts',
  netAmountPayable: 'amounts',
  driverName: 'additional',
  drivingLicenseNo: 'additional',
  vehicleType: 'additional',
  vehicleWheel: 'additional',
  dataEntryBy: 'additional',
  depositedAt: 'additional',
  remarks: 'additional',
  paymentStatus: 'status',
  payment: 'status',
  holdReason: 'status',
  hsdVerified: 'status',
  createdAt: 'status',
  updatedAt: 'status',
  id: null,
  challanNumber: null,
  owner: null,
  paidAt: null,
  hsdVerifiedAt: null,
  version: null,
};
export const detailOrder = Object.keys(challanDetails) as ChallanFieldName[];

/** Heading and width of each column of the challan file (docs/specification.md §13.2), in its order; null: not in the file. */
export const challanFile = {
  challanNumber: ['No', 160],
  tpNo: ['TP', 150],
  vehicleNo: ['Vehicle', 130],
  ownerName: ['Owner', 200],
  ownerContactNumber: ['Contact', 120],
  discounter: ['Discounter', 160],
  tag: ['Tag', 140],
  petrolPump: ['Pump', 160],
  material: ['Material', 140],
  loadingPlace: ['From', 140],
  unloadingPlace: ['To', 140],
  loadingDate: ['Loading date', 110],
  unloadingDate: ['Unloading date', 110],
  loadingWeight: ['Loading MT', 100],
  unloadingWeight: ['Unloading MT', 100],
  differenceWeight: ['Difference', 100],
  discountWeight: ['Discount MT', 100],
  ratePerMT: ['Rate', 100],
  tdsPercentage: ['TDS %', 80],
  tdsAmount: ['TDS', 100],
  hsdPricePerLiter: ['HSD ₹/L', 90],
  hsdInLiters: ['HSD L', 90],
  hsdAmount: ['HSD', 110],
  advanceMoney: ['Advance', 110],
  officeCharges: ['Office', 100],
  shortageAmount: ['Shortage', 110],
  materialShortageAmount: ['Material shortage', 120],
  netAmountPayable: ['Net', 130],
  paymentStatus: ['Paid', 70],
  paidAt: ['Paid on', 110],
  payment: ['Payment no', 170],
  hsdVerified: ['HSD verified', 90],
  depositedAt: ['Deposited', 110],
  remarks: ['Remarks', 200],
  createdAt: ['Created', 140],
  id: null,
  owner: null,
  vehicleType: null,
  vehicleWheel: null,
  driverName: null,
  drivingLicenseNo: null,
  dataEntryBy: null,
  holdReason: null,
  hsdVerifiedAt: null,
  tdsDeclaration: null,
  updatedAt: null,
  version: null,
} as const satisfies Readonly<Record<ChallanFieldName, readonly [heading: string, width: number] | null>>;
export type FileField = { [N in ChallanFieldName]: (typeof challanFile)[N] extends null ? never : N }[ChallanFieldName];
export const fileOrder = (Object.keys(challanFile) as ChallanFieldName[]).filter(
  (name): name is FileField => challanFile[name] !== null,
);

/**
 * How the tables of challans use a field (shared/columns/challan-columns.ts). 'list': a column of the challan list.
 * 'owner': a column of an owner's challans. 'offered': tables without the column let the user add it. 'sort': lists can be
 * sorted by it. 'edit': its cells are edited in the challan list. []: no table has it.
 */
const challanTables = {
  createdAt: ['offered', 'sort'],
  challanNumber: ['list', 'owner', 'sort'],
  tpNo: ['list', 'owner', 'sort', 'edit'],
  vehicleNo: ['list', 'owner', 'sort'],
  ownerName: ['list', 'offered', 'sort'],
  tag: ['list', 'owner', 'sort', 'edit'],
  material: ['offered', 'sort', 'edit'],
  loadingDate: ['offered', 'sort', 'edit'],
  unloadingDate: ['offered', 'sort', 'edit'],
  depositedAt: ['list', 'owner', 'sort', 'edit'],
  netAmountPayable: ['list', 'owner', 'sort'],
  paymentStatus: ['list', 'owner', 'sort'],
  paidAt: ['owner', 'offered', 'sort'],
  payment: ['owner', 'offered'],
  holdReason: ['offered', 'sort'],
  hsdVerified: ['list', 'offered', 'sort'],
  id: [],
  owner: [],
  ownerContactNumber: ['offered', 'sort'],
  discounter: ['offered', 'sort'],
  petrolPump: ['offered', 'sort'],
  loadingPlace: ['offered', 'sort', 'edit'],
  unloadingPlace: ['offered', 'sort', 'edit'],
  loadingWeight: ['offered', 'sort'],
  unloadingWeight: ['offered', 'sort'],
  differenceWeight: ['offered', 'sort'],
  discountWeight: ['offered', 'sort'],
  ratePerMT: ['offered', 'sort', 'edit'],
  tdsPercentage: ['offered', 'sort', 'edit'],
  tdsAmount: ['offered', 'sort'],
  hsdPricePerLiter: ['offered', 'sort', 'edit'],
  hsdInLiters: ['offered', 'sort', 'edit'],
  hsdAmount: ['offered', 'sort'],
  advanceMoney: ['offered', 'sort', 'edit'],
  officeCharges: ['offered', 'sort', 'edit'],
  shortageAmount: ['offered', 'sort'],
  materialShortageAmount: ['offered', 'sort'],
  vehicleType: ['offered', 'sort', 'edit'],
  vehicleWheel: ['offered', 'sort', 'edit'],
  driverName: ['offered', 'sort', 'edit'],
  drivingLicenseNo: ['offered', 'sort', 'edit'],
  dataEntryBy: ['offered', 'sort', 'edit'],
  remarks: ['offered', 'edit'],
  hsdVerifiedAt: ['offered', 'sort'],
  updatedAt: ['offered', 'sort'],
  tdsDeclaration: [],
  version: [],
} as const satisfies Readonly<Record<ChallanFieldName, readonly TableUse[]>>;
type TableUse = 'list' | 'owner' | 'offered' | 'sort' | 'edit';
type Tables = typeof challanTables;
/** The fields with one of these uses. */
export type FieldIn<Use extends TableUse> = {
  [N in ChallanFieldName]: Use extends Tables[N][number] ? N : never;
}[ChallanFieldName];

const uses = (name: ChallanFieldName): readonly TableUse[] => challanTables[name];
/** The fields that a table, or a file of a table, can show. */
export const columnFields = detailOrder.filter((name) => uses(name).length > 0);
/**
 * The fields that are edited in their cell. A weight, an owner or a pump is not among them: it changes other fields as
 * well, and the form shows those.
 */
export const editedFields = detailOrder.filter((name): name is FieldIn<'edit'> => uses(name).includes('edit'));

/** The name of a field in `sortBy`: a record is sorted by its name. */
type SortKeyOf<N extends ChallanFieldName> = N extends NamedField ? `${N}Name` : N;
export type ChallanSortKey = SortKeyOf<FieldIn<'sort'>>;
/** Fields that tables offer, in the order of the details. */
export const offeredFields = detailOrder.filter((name): name is FieldIn<'offered'> => uses(name).includes('offered'));
/** The `sortBy` value of a field; undefined: lists cannot be sorted by it. */
export const sortKeyOf = (name: ChallanFieldName): ChallanSortKey | undefined =>
  // Safe: SortKeyOf describes the same rule for types.
  uses(name).includes('sort')
    ? ((challanFields[name].kind === 'record' ? `${name}Name` : name) as ChallanSortKey)
    : undefined;
/** What a challan list can be sorted by; the server sorts (docs/specification.md §3.4). */
// Safe: there is at least one.
export const challanSortKeys = (Object.keys(challanTables) as ChallanFieldName[])
  .map(sortKeyOf)
  .filter((key) => key !== undefined) as [ChallanSortKey, ...ChallanSortKey[]];
