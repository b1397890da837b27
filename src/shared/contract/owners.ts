import { z } from 'zod';
import {
  ifscError,
  IFSC_MESSAGE,
  PAN_MESSAGE,
  PAN_PATTERN,
  storedContact,
  TEN_DIGITS,
  TEN_DIGITS_MESSAGE,
} from '../calc/identity.ts';
import { endpoint } from './define.ts';
import {
  idParams,
  ids,
  instant,
  matching,
  message,
  pageQuery,
  pagination,
  searchTerm,
  sortQuery,
  text,
  textQuery,
  upperCase,
  version,
} from './scalars.ts';
import { truck } from './trucks.ts';

/** A truck owner, who is paid for the trips. `address` and `ifsc` are '' when not given. */
export const owner = z.object({
  id: z.string(),
  name: z.string(),
  contactNumber: z.string(),
  address: z.string(),
  /** Text from end to end: leading zeros count (ruling 10). */
  accountNo: z.string(),
  ifsc: z.string(),
  panNo: z.string(),
  branchName: z.string(),
  subadminId: z.string(),
  createdAt: instant,
  updatedAt: instant,
  version: z.number(),
});
export type Owner = z.output<typeof owner>;

const withTrucks = { trucksCount: z.number(), trucks: z.array(truck) };
export const ownerWithTrucks = owner.extend(withTrucks);
export type OwnerWithTrucks = z.output<typeof ownerWithTrucks>;
export const ownerListItem = z.object({ owner, ...withTrucks });
export type OwnerListItem = z.output<typeof ownerListItem>;

/** Another account's owner: account number, PAN and phone masked to the last four (ruling 8). */
export const ownerCard = owner.extend({
  ...withTrucks,
  currentSubAdmin: z.object({ bannerName: z.string() }),
});
export type OwnerCard = z.output<typeof ownerCard>;

/** POST /owners and the owner form (part 1 §5). */
export const ownerInput = z.strictObject({
  name: text(200, { required: 'Please enter owner name' }),
  contactNumber: matching(TEN_DIGITS, 'Please enter contact number', TEN_DIGITS_MESSAGE, storedContact),
  address: text(500, { tooLong: 'Address cannot exceed 500 characters', lines: true }).optional(),
  accountNo: text(20, {
    required: 'Please enter account number',
    tooLong: 'Account number cannot exceed 20 characters',
  }),
  // Empty or exactly 11 (ruling 10).
  ifsc: text(50, { tooLong: IFSC_MESSAGE, stored: upperCase })
    .pipe(z.string().refine((value) => ifscError(value) === null, IFSC_MESSAGE))
    .optional(),
  panNo: matching(PAN_PATTERN, 'Please enter PAN number', PAN_MESSAGE, upperCase),
  branchName: text(100, { required: 'Please enter branch name', tooLong: 'Branch name cannot exceed 100 characters' }),
});
export const ownerChange = ownerInput.partial().extend({ version: version.optional() });

export const ownerSortKeys = ['name', 'contactNumber', 'trucksCount', 'createdAt'] as const;
export type OwnerSortKey = (typeof ownerSortKeys)[number];

/** One owner that was not copied, or a truck left out, and why. */
export const copyError = z.object({ ownerId: z.string(), message: z.string() });

const roles = ['subadmin'] as const;
const one = z.object({ data: owner });

export const owners = {
  list: endpoint('owners', {
    method: 'GET',
    path: '/owners',
    summary: 'List owners with their trucks',
    roles,
    query: z.object({ ...pageQuery, ...sortQuery(ownerSortKeys, 'name', 'asc') }),
    answer: z.object({
      data: z.array(ownerListItem),
      pagination,
      meta: z.object({ totalTrucks: z.number() }),
    }),
  }),
  get: endpoint('owners', {
    method: 'GET',
    path: '/owners/{id}',
    summary: 'Get an owner with its trucks',
    roles,
    params: idParams,
    answer: z.object({ data: ownerWithTrucks }),
  }),
  search: endpoint('owners', {
    method: 'GET',
    path: '/owners/search',
    summary: 'Search owners by name, contact number or truck number; at most 200 results',
    roles,
    query: z.object({ q: searchTerm }),
    answer: z.object({ results: z.array(ownerWithTrucks), count: z.number(), searchTerm: z.string() }),
  }),
  create: endpoint('owners', {
    method: 'POST',
    path: '/owners',
    summary: 'Create an owner',
    roles,
    body: ownerInput,
    answer: one,
    status: 201,
    touches: ['owners'],
  }),
  update: endpoint('owners', {
    method: 'PUT',
    path: '/owners/{id}',
    summary: 'Change an owner',
    roles,
    params: idParams,
    body: ownerChange,
    answer: one,
    touches: ['owners', 'trucks', 'challans', 'bank-statement', 'accounting', 'dashboard', 'shared-reports'],
  }),
  remove: endpoint('owners', {
    method: 'DELETE',
    path: '/owners/{id}',
    summary: 'Delete an owner and its trucks; refused while challans name it',
    roles,
    params: idParams,
    answer: message,
    errors: ['OWNER_IN_USE'],
    // Its page in Accounting is gone with it.
    touches: ['owners', 'trucks', 'accounting'],
  }),
  listAllSystem: endpoint('owners', {
    method: 'GET',
    path: '/owners/all-system',
    summary: "List other accounts' owners, masked",
    roles: ['admin', 'subadmin'],
    query: z.object({ ...pageQuery, search: textQuery }),
    answer: z.object({ data: z.array(ownerCard), pagination }),
  }),
  copy: endpoint('owners', {
    method: 'POST',
    path: '/owners/copy',
    summary: "Copy other accounts' owners with their trucks into the own list",
    roles,
    body: z.strictObject({ ownerIds: ids(100, 'Please select at least one owner to copy') }),
    answer: z.object({
      meta: z.object({
        totalOwnersCopied: z.number(),
        totalTrucksCopied: z.number(),
        errors: z.array(copyError),
      }),
    }),
    touches: ['owners', 'trucks'],
    idempotent: true,
  }),
};
