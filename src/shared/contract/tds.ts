import { z } from 'zod';
import { tdsDeductionFilters, tdsFilters, tdsPeriodFilters } from '../filters/tds-filters.ts';
import { endpoint, filePair } from './define.ts';
import { filterQuery } from './filters.ts';
import {
  amountOut,
  percentageOut,
  day,
  decimal,
  idQuery,
  instant,
  pageQuery,
  pagination,
  sortQuery,
  text,
  total,
} from './scalars.ts';

/** Which day of a challan puts its deduction into a quarter (docs/specification.md §27.1). */
const tdsBases = ['paid', 'deposited'] as const;
export type TdsBasis = (typeof tdsBases)[number];

export const maxSectionLength = 20;

const count = (least: number, most: number) =>
  z
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(least, `must be ${least} or more`)
    .max(most, `must be at most ${most}`);

/** What declarations of no deduction are held against, and what is printed for the owner to sign. */
const declarationRules = z.strictObject({
  mostCarriages: count(1, 1000),
  noticeDays: count(0, 366),
  /** What it rests on in the law, since when, and who says so. Nothing is computed from these texts. */
  law: text(200),
  holdsFrom: day,
  source: text(500, { lines: true }),
  /** {business}, {year} and {carriages} are filled in. */
  wording: text(4000, { lines: true, required: 'Please enter the wording' }),
});

/** Until when deductions are deposited (docs/specification.md §30.2): a day of the following month, for March one of April. */
const depositRules = z.strictObject({
  dueDay: count(1, 31),
  marchDueDay: count(1, 30),
  /** Since when, and who says so. Nothing is computed from these. */
  holdsFrom: day,
  source: text(500, { lines: true }),
});

const tdsSettings = z.object({
  basis: z.enum(tdsBases),
  /** '' until the business has entered one. */
  section: z.string(),
  /** The thresholds for the gross of one PAN in a financial year and of one challan; null: none was entered. */
  yearThreshold: amountOut.nullable(),
  challanThreshold: amountOut.nullable(),
  declarations: z.object({
    mostCarriages: z.number(),
    noticeDays: z.number(),
    law: z.string(),
    holdsFrom: day,
    source: z.string(),
    wording: z.string(),
    /** The business has not changed what the product ships. */
    isShipped: z.boolean(),
  }),
  deposits: z.object({
    dueDay: z.number(),
    marchDueDay: z.number(),
    holdsFrom: day,
    source: z.string(),
    isShipped: z.boolean(),
  }),
  updatedAt: instant.nullable(),
  /** 0 until it was saved for the first time. */
  version: z.number(),
});
export type TdsSettings = z.output<typeof tdsSettings>;

const threshold = decimal().regex(/[1-9]/, 'Leave it empty where there is none').nullable();
export const tdsSettingsChange = z.strictObject({
  basis: z.enum(tdsBases, { error: 'must be paid or deposited' }),
  section: text(maxSectionLength),
  yearThreshold: threshold,
  challanThreshold: threshold,
  /** Absent: they stay as they are. */
  declarations: declarationRules.optional(),
  deposits: depositRules.optional(),
  version: z.number({ error: 'must be a whole number' }).int('must be a whole number').min(0, 'must be 0 or more'),
});
export type TdsSettingsChange = z.output<typeof tdsSettingsChange>;

/** The deductions of one PAN at one percentage. An owner without a valid PAN has lines of its own. */
const tdsLine = z.object({
  /** Made of the PAN and the percentage, so it is the same in every period. */
  id: z.string(),
  /** null: the owner has no PAN that the tax department can have issued. */
  panNo: z.string().nullable(),
  /** Where nothing is deducted: the days on which the declarations for it were received. */
  declaredOn: z.array(day),
  /** The names of all owners with this PAN that have a deduction in this line. */
  ownerNames: z.array(z.string()),
  /** null: the challans have no percentage, and nothing was deducted. */
  tdsPercentage: percentageOut.nullable(),
  challanCount: z.number(),
  gross: total,
  tdsAmount: total,
  /** The gross of the PAN at all percentages, from the first of April to the end of the period. */
  yearGross: total,
  /** The day on which yearGross went above the threshold of the year; null: it did not, or there is no threshold. */
  crossedOn: day.nullable(),
  /** How many challans of the line have a gross above the threshold of one challan. */
  aboveCount: z.number(),
});
export type TdsLine = z.output<typeof tdsLine>;

const tdsTotals = z.object({ challanCount: z.number(), gross: total, tdsAmount: total });
export type TdsTotals = z.output<typeof tdsTotals>;

/** One challan of the register. */
const tdsDeduction = z.object({
  /** The id of the challan. */
  id: z.string(),
  challanNumber: z.string(),
  tpNo: z.string(),
  vehicleNo: z.string(),
  ownerName: z.string(),
  panNo: z.string().nullable(),
  /** The PAN at the time of the payment, where it was another one. */
  panWhenPaid: z.string().nullable(),
  loadingOn: day,
  depositedOn: day.nullable(),
  paidOn: day.nullable(),
  payment: z.object({ id: z.string(), number: z.string() }).nullable(),
  /** The day that puts the deduction into its quarter. */
  day,
  gross: amountOut,
  tdsPercentage: percentageOut.nullable(),
  tdsAmount: amountOut,
  /** Why nothing is deducted: the day on which the declaration was received. */
  declaredOn: day.nullable(),
  netAmountPayable: amountOut,
});
export type TdsDeduction = z.output<typeof tdsDeduction>;

/** What the figures are about: the period, and the settings that they were counted with. */
const counted = z.object({ year: z.string(), from: day, to: day, settings: tdsSettings });
export type TdsCounted = z.output<typeof counted>;

/** What was deducted in a month, and how much of it is deposited (docs/specification.md §30.2). */
const tdsMonth = z.object({
  /** The first and the last day of the month. */
  from: day,
  to: day,
  challanCount: z.number(),
  tdsAmount: total,
  covered: total,
  open: total,
  dueOn: day,
  /** Something is open after the due day. */
  isLate: z.boolean(),
});
export type TdsMonth = z.output<typeof tdsMonth>;

export const tdsSorts = ['panNo', 'ownerName', 'tdsPercentage', 'challanCount', 'gross', 'tdsAmount'] as const;
export type TdsSort = (typeof tdsSorts)[number];
export const tdsDeductionSorts = ['day', 'challanNumber', 'ownerName', 'gross', 'tdsAmount'] as const;
export type TdsDeductionSort = (typeof tdsDeductionSorts)[number];

const deductionsQuery = {
  ...filterQuery(tdsDeductionFilters),
  /** The id of a line of the register: only its deductions. */
  line: idQuery,
  ...sortQuery(tdsDeductionSorts, 'day', 'asc'),
};

const returnFiles = filePair('accounting', 'GET /accounting/tds/return/csv', {
  summary: 'A working for the return of TDS: one line for each deduction with its deposit, doubtful PANs first',
  right: 'readBank',
  query: z.object(filterQuery(tdsPeriodFilters)),
});

/** The register is made of challans and payments. It belongs to 'accounting', so that their changes refresh it. */
export const tds = {
  list: endpoint('accounting', 'GET /accounting/tds', {
    summary: 'TDS register of a financial year or a quarter: a line for each PAN and percentage',
    right: 'readBank',
    query: z.object({ ...pageQuery, ...sortQuery(tdsSorts, 'ownerName', 'asc'), ...filterQuery(tdsFilters) }),
    answer: z.object({ data: z.array(tdsLine), totals: tdsTotals, counted, pagination }),
  }),
  listDeductions: endpoint('accounting', 'GET /accounting/tds/deductions', {
    summary: 'The challans behind the TDS register',
    right: 'readBank',
    query: z.object({ ...pageQuery, ...deductionsQuery }),
    answer: z.object({ data: z.array(tdsDeduction), totals: tdsTotals, counted, pagination }),
  }),
  ...filePair('accounting', 'GET /accounting/tds/csv', {
    summary: 'The challans behind the TDS register as a file, one line for each',
    right: 'readBank',
    query: z.object(deductionsQuery),
  }),
  listMonths: endpoint('accounting', 'GET /accounting/tds/months', {
    summary: 'What was deducted in each month of a financial year or a quarter, and what of it is not deposited',
    right: 'readBank',
    query: z.object(filterQuery(tdsPeriodFilters)),
    answer: z.object({ data: z.array(tdsMonth), counted }),
  }),
  exportReturnCsv: returnFiles.exportCsv,
  exportReturnXlsx: returnFiles.exportXlsx,
  getSettings: endpoint('accounting', 'GET /accounting/tds/settings', {
    summary: 'How the business wants its TDS register',
    answer: z.object({ data: tdsSettings }),
  }),
  updateSettings: endpoint('accounting', 'PUT /accounting/tds/settings', {
    summary: 'Change it',
    right: 'pay',
    body: tdsSettingsChange,
    answer: z.object({ data: tdsSettings }),
    // The numbers that declarations are held against.
    touches: ['accounting', 'declarations', 'owners'],
  }),
};
