import { z } from 'zod';
import {
  IFSC_MESSAGE,
  IFSC_OR_NONE,
  PAN_MESSAGE,
  PAN_PATTERN,
  storedContact,
  TEN_DIGITS,
  TEN_DIGITS_MESSAGE,
} from '../calc/identity.ts';
import { declarationState } from './declaration-state.ts';
import { endpoint } from './define.ts';
import type { FieldsOf } from './fields.ts';
import { languageOf, languages } from './languages.ts';
import {
  documented,
  holdInput,
  ids,
  instant,
  matching,
  message,
  pageQuery,
  pagination,
  searchQuery,
  sortQuery,
  text,
  textQuery,
  toConfirmQuery,
  upperCase,
  version,
  written,
} from './scalars.ts';
import { recordsBulk } from './records-bulk.ts';
import { truck } from './trucks.ts';

/** A truck owner, who is paid for trips. `address` and `ifsc` are '' when not given. */
export const owner = z.object({
  id: z.string(),
  name: z.string(),
  contactNumber: z.string(),
  address: z.string(),
  /** A text and never a number, because leading zeros count (docs/specification.md §3.5). */
  accountNo: z.string(),
  ifsc: z.string(),
  panNo: z.string(),
  branchName: z.string(),
  language: z.enum(languages),
  /** Why the owner is on hold and none of its challans can be paid; '' where it is not (docs/specification.md §10.8). */
  holdReason: z.string(),
  subadminId: z.string(),
  ...written,
});
export type Owner = z.output<typeof owner>;

const withTrucks = { trucksCount: z.number(), trucks: z.array(truck) };
const ownerWithTrucks = owner.extend({ ...withTrucks, declaration: declarationState.nullable() });
export type OwnerWithTrucks = z.output<typeof ownerWithTrucks>;
const ownerListItem = z.object({ owner, ...withTrucks, declaration: declarationState.nullable() });

/**
 * An owner of another business. Account number, PAN and phone are masked except for the last four characters
 * (docs/specification.md §6.5).
 */
const ownerCard = owner.omit({ holdReason: true, language: true }).extend({
  ...withTrucks,
  /**
   * Why the caller need not copy the owner: it was copied before, or an owner of the caller has the same PAN. null: neither
   * is true, or the caller is an admin.
   */
  inYourList: z.enum(['copied', 'same-pan']).nullable(),
  currentSubAdmin: z.object({ bannerName: z.string() }),
});
export type OwnerCard = z.output<typeof ownerCard>;

/** POST /owners and the owner form (docs/specification.md §6.2). */
export const ownerInput = z.strictObject({
  name: text(200, { required: 'Please enter owner name' }),
  contactNumber: matching(TEN_DIGITS, 'Please enter contact number', TEN_DIGITS_MESSAGE, storedContact),
  address: text(500, { tooLong: 'Address cannot exceed 500 characters', lines: true }).optional(),
  accountNo: text(20, {
    required: 'Please enter account number',
    tooLong: 'Account number cannot exceed 20 characters',
    // What a seat without bank details was shown must not come back as a value (docs/specification.md §28.2).
    pattern: /^[^•]+$/,
    invalid: 'Please type the whole account number',
  }),
  // Empty or exactly 11 characters (docs/specification.md §6.2).
  ifsc: text(50, {
    tooLong: IFSC_MESSAGE,
    stored: upperCase,
    pattern: IFSC_OR_NONE,
    invalid: IFSC_MESSAGE,
  }).optional(),
  panNo: matching(PAN_PATTERN, 'Please enter PAN number', PAN_MESSAGE, upperCase),
  branchName: text(100, { required: 'Please enter branch name', tooLong: 'Branch name cannot exceed 100 characters' }),
  /** English where it is not given. */
  language: text(20, { stored: languageOf })
    .pipe(z.enum(languages, { error: 'Please choose English, Hindi or Odia' }))
    .register(documented, { type: 'string', enum: [...languages] })
    .optional(),
});
/**
 * The fields in the order of the form and the details. Account, IFSC and PAN are not edited in a cell but in the form,
 * which warns of owners with the same values.
 */
export const ownerFields = {
  name: { label: 'Owner Name', heading: 'Name', kind: 'reference', inCell: 'text' },
  contactNumber: { label: 'Contact Number', heading: 'Contact', kind: 'identifier', inCell: 'text' },
  address: { label: 'Address', kind: 'text', inCell: 'lines' },
  accountNo: { label: 'Account Number', kind: 'identifier', seenWith: 'readBank' },
  ifsc: { label: 'IFSC Code', heading: 'IFSC', kind: 'identifier', seenWith: 'readBank' },
  panNo: { label: 'PAN Number', heading: 'PAN', kind: 'identifier', seenWith: 'readBank' },
  branchName: { label: 'Branch Name', heading: 'Branch', kind: 'text', inCell: 'text' },
  language: { label: 'Language of Messages', heading: 'Language', kind: 'text' },
} as const satisfies FieldsOf<typeof ownerInput>;

export const ownerChange = ownerInput.partial().extend({ version: version.optional() });

/** How many owners the caller's business may copy in a day, and how many more today. */
const copyAllowance = z.object({ perDay: z.number(), left: z.number() });
export type CopyAllowance = z.output<typeof copyAllowance>;

/** The caller's owners that other businesses copied lately. It does not say which businesses (docs/specification.md §6.4). */
const copiedByOthers = z.object({
  /** How many were copied in the last 30 days, and when the last one was. */
  count: z.number(),
  lastAt: instant.nullable(),
  /** The last few of them. */
  owners: z.array(z.object({ id: z.string(), name: z.string(), copiedAt: instant })),
});
export type CopiedByOthers = z.output<typeof copiedByOthers>;

/** An owner that one business copied from another (docs/specification.md §6.6). */
const copiedOwner = z.object({
  id: z.string(),
  name: z.string(),
  /** The banner names of the two businesses. */
  from: z.string(),
  to: z.string(),
  copiedAt: instant,
  /** The email of the account that copied it; for another business its banner name. */
  by: z.string(),
});
export type CopiedOwner = z.output<typeof copiedOwner>;

/** Whether an owner can be deleted, and the challans that prevent it. */
const ownerUsage = z.object({ totalChallans: z.number(), canDelete: z.boolean() });

export const ownerSortKeys = ['name', 'contactNumber', 'trucksCount', 'createdAt'] as const;
export type OwnerSortKey = (typeof ownerSortKeys)[number];

/** Why an owner was not copied, or why one of its trucks was left out. */
const copyError = z.object({ ownerId: z.string(), message: z.string() });

const one = z.object({ data: owner });

export const owners = {
  list: endpoint('owners', 'GET /owners', {
    summary: 'List owners with their trucks',
    query: z.object({ ...pageQuery, ...sortQuery(ownerSortKeys, 'name', 'asc'), toConfirm: toConfirmQuery }),
    answer: z.object({
      data: z.array(ownerListItem),
      pagination,
      meta: z.object({ totalTrucks: z.number() }),
    }),
  }),
  get: endpoint('owners', 'GET /owners/{id}', {
    summary: 'Get an owner with its trucks',
    answer: z.object({ data: ownerWithTrucks }),
  }),
  search: endpoint('owners', 'GET /owners/search', {
    summary: 'Search owners by name, contact, account, PAN or truck number; without a page at most 200 results',
    query: z.object({ ...searchQuery(ownerSortKeys), toConfirm: toConfirmQuery }),
    answer: z.object({ results: z.array(ownerWithTrucks), count: z.number(), searchTerm: z.string(), pagination }),
  }),
  // It belongs to 'challans': a write to challans changes this answer but not the lists of owners.
  usage: endpoint('challans', 'GET /owners/{id}/usage', {
    summary: 'Count the challans that name an owner',
    answer: z.object({ data: z.object({ usage: ownerUsage }) }),
  }),
  create: endpoint('owners', 'POST /owners', {
    summary: 'Create an owner',
    body: ownerInput,
    answer: one,
    status: 201,
    touches: ['owners', 'accounting'],
  }),
  update: endpoint('owners', 'PUT /owners/{id}', {
    summary: 'Change an owner',
    body: ownerChange,
    answer: one,
    touches: [
      'owners',
      'prepared-payments',
      'trucks',
      'challans',
      'bank-statement',
      'accounting',
      'dashboard',
      'shared-reports',
      'payment-batches',
      'batches',
      'declarations',
    ],
  }),
  setHold: endpoint('owners', 'PUT /owners/{id}/hold', {
    summary: 'Put an owner with all its challans on hold with a reason, or take it off with an empty one',
    right: 'pay',
    body: holdInput,
    answer: one,
    touches: ['owners', 'challans', 'bank-statement', 'accounting'],
  }),
  remove: endpoint('owners', 'DELETE /owners/{id}', {
    summary: 'Delete an owner and its trucks; refused while challans name it',
    answer: message,
    errors: ['OWNER_IN_USE'],
    // The owner's page in Accounting and its usage, which belongs to 'challans', disappear too.
    touches: ['owners', 'trucks', 'accounting', 'challans', 'declarations'],
  }),
  ...recordsBulk('owners', { touches: ['owners', 'trucks', 'accounting', 'challans', 'declarations'] }),
  listAllSystem: endpoint('owners', 'GET /owners/all-system', {
    mayLag: true,
    summary: "List other accounts' owners, masked",
    roles: ['admin', 'subadmin'],
    query: z.object({ ...pageQuery, search: textQuery }),
    // `copying` is null for an admin, who copies nothing.
    answer: z.object({
      data: z.array(ownerCard),
      pagination,
      meta: z.object({ copying: copyAllowance.nullable(), isDirectoryOn: z.boolean() }),
    }),
  }),
  getCopiedByOthers: endpoint('owners', 'GET /owners/copied-by-others', {
    summary: 'Own owners that other businesses copied in the last 30 days',
    answer: z.object({ data: copiedByOthers }),
  }),
  listCopied: endpoint('owners', 'GET /owners/copied', {
    summary: 'Owners that the own business copied, and own owners that others copied, newest first',
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(copiedOwner), pagination }),
  }),
  listAllCopied: endpoint('owners', 'GET /admin/copied-owners', {
    summary: 'Owners that any business copied, newest first',
    roles: ['admin'],
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(copiedOwner), pagination }),
  }),
  copy: endpoint('owners', 'POST /owners/copy', {
    summary: "Copy other accounts' owners with their trucks into the own list",
    body: z.strictObject({ ownerIds: ids(100, 'Please select at least one owner to copy') }),
    answer: z.object({
      meta: z.object({
        totalOwnersCopied: z.number(),
        totalTrucksCopied: z.number(),
        errors: z.array(copyError),
      }),
    }),
    errors: ['COPY_LIMIT'],
    touches: ['owners', 'trucks', 'accounting'],
    idempotent: true,
  }),
};
