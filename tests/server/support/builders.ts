import { createHash } from 'node:crypto';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { shippedLayout } from '../../../src/shared/bank/shipped-layouts.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { shippedLedgers } from '../../../src/shared/contract/tally.ts';
import type { Api, Tenant } from './api.ts';
import { takeNumbers } from './numbers.ts';

/** Valid bodies with a running number, so that no two collide; a test overrides what it is about. */
const next = (): number => takeNumbers('bodies');
const digits = (length: number): string => String(next()).padStart(length, '0');

/** A challan has its owner's name. */
const ownerNames = new Map<string, string>();

export type OwnerBody = BodyInput<typeof contract.owners.create>;
export type TruckBody = BodyInput<typeof contract.trucks.create>;
export type TagBody = BodyInput<typeof contract.tags.create>;
export type PumpBody = BodyInput<typeof contract.petrolPumps.create>;
export type ChallanBody = BodyInput<typeof contract.challans.create>;

export function buildOwner(over: Partial<OwnerBody> = {}): OwnerBody {
  return {
    name: `Owner ${next()}`,
    contactNumber: `9${digits(9)}`,
    address: 'Barbil, Keonjhar',
    accountNo: `000${digits(8)}`,
    ifsc: 'SBIN0001234',
    panNo: `ABCPK${digits(4).slice(-4)}F`,
    branchName: 'Barbil',
    ...over,
  };
}

export function buildTruck(ownerId: string, over: Partial<TruckBody> = {}): TruckBody {
  return { truckNumber: `OD09AB${digits(4)}`, typeOfVehicle: 'Tipper', noOfWheels: 12, ownerId, ...over };
}

export function buildTag(over: Partial<TagBody> = {}): TagBody {
  return { name: `TAG ${next()}`, color: '#3B82F6', description: 'A contract', ...over };
}

export function buildPump(over: Partial<PumpBody> = {}): PumpBody {
  return { name: `Pump ${next()}`, contactNumber: `8${digits(9)}`, address: 'Main road, Joda', ...over };
}

/** 25.00 MT loaded, 24.90 unloaded at 1,000.00 a tonne, TDS 1 %, advance 5,000.00, office 100.00: net 19,551.00. */
export function buildChallan(refs: { ownerId: string; tagId: string }, over: Partial<ChallanBody> = {}): ChallanBody {
  return {
    ownerId: refs.ownerId,
    tagId: refs.tagId,
    tpNo: `24090${digits(7)}`,
    loadingDate: '2026-04-10',
    unloadingDate: '2026-04-11',
    depositedAt: '2026-04-12',
    vehicleNo: `OD09AB${digits(4)}`,
    material: 'Iron ore fines',
    ownerName: ownerNames.get(over.ownerId ?? refs.ownerId) ?? 'Bikash Mohanta',
    ownerContactNumber: '9876543210',
    loadingPlace: 'Joda',
    unloadingPlace: 'Paradip Port',
    loadingWeight: '25.00',
    unloadingWeight: '24.90',
    ratePerMT: '1000.00',
    tdsPercentage: '1.0',
    advanceMoney: '5000.00',
    officeCharges: '100.00',
    materialShortageAmount: '0.00',
    ...over,
  };
}

export function buildTdsSettings(over: Partial<BodyInput<typeof contract.tds.updateSettings>> = {}) {
  return {
    basis: 'deposited' as const,
    section: '194C',
    yearThreshold: '100000.00',
    challanThreshold: '30000.00',
    version: 0,
    ...over,
  };
}

/** A declaration of the owner for the financial year 2026-27. */
export const buildTallySettings = (over: Partial<BodyInput<typeof contract.tally.updateSettings>> = {}) => ({
  ledgers: { ...shippedLedgers, tds: 'TDS 194C' },
  accounts: [],
  grouping: 'day' as const,
  version: 0,
  ...over,
});

export function buildDeclaration(ownerId: string, over: Partial<BodyInput<typeof contract.declarations.create>> = {}) {
  return { ownerId, receivedOn: '2026-04-04', carriages: 4, panNo: 'BNZPM0001Q', ...over };
}

/** A deposit of TDS that was deducted today. */
export function buildTdsDeposit(over: Partial<BodyInput<typeof contract.tdsDeposits.create>> = {}) {
  const today = dayOf(new Date());
  return {
    depositedOn: today,
    bsrCode: '0510308',
    serialNo: digits(5),
    amount: '90000.00',
    deductedFrom: today,
    deductedTo: today,
    ...over,
  };
}

export function buildBankAccount(over: Partial<BodyInput<typeof contract.bankAccounts.create>> = {}) {
  return {
    name: `Paying account ${next()}`,
    accountNo: `5010${digits(8)}`,
    ifsc: 'HDFC0001234',
    layout: 'B',
    clientCode: 'KOEL',
    fileLimit: '0',
    rtgsFloor: '200000',
    impsCeiling: '500000',
    ...over,
  };
}

/** The shipped layout B under another name. */
export function buildBankLayout(name = `Layout ${next()}`): BodyInput<typeof contract.bankLayouts.create> {
  return { name, definition: structuredClone(shippedLayout('B').definition) };
}

/** An account's statement of one withdrawal. */
export const buildStatement = (narration = `Rent ${next()}`, amount = '5,000.00'): string[][] => [
  ['Any Bank'],
  ['Date', 'Narration', 'Chq./Ref.No.', 'Withdrawal Amt.', 'Deposit Amt.', 'Closing Balance'],
  ['21/04/26', narration, '', amount, '', '1,00,000.00'],
];

/** The first line of a file was executed. */
export const buildAnswer = (
  fileId: string,
  statementLineId: string | null = null,
  over: Partial<BodyInput<typeof contract.bankAnswers.accept>['items'][number]> = {},
): BodyInput<typeof contract.bankAnswers.accept> => ({
  source: statementLineId === null ? 'reverse file' : 'statement',
  fileName: 'answer.r01',
  items: [
    {
      fileId,
      lineNo: 1,
      outcome: 'executed',
      utr: `N0972620${digits(8)}`,
      day: '2026-04-21',
      reason: '',
      statementLineId,
      ...over,
    },
  ],
});

export const buildAnswerRow = (
  over: Partial<BodyInput<typeof contract.bankAnswers.preview>['rows'][number]> = {},
): BodyInput<typeof contract.bankAnswers.preview>['rows'][number] => ({
  row: 1,
  reference: 'PAY2627999999-01',
  accountNo: '',
  amount: '',
  utr: 'N097262000000001',
  day: '2026-04-21',
  state: 'executed',
  reason: '',
  ...over,
});

export async function createBankAccount(api: Api, tenant: Tenant, over: Parameters<typeof buildBankAccount>[0] = {}) {
  return created(
    await api.call(contract.bankAccounts.create, { body: buildBankAccount(over) }, { token: tenant.token }),
  ).data;
}

export async function createOwner(api: Api, tenant: Tenant, over: Partial<OwnerBody> = {}) {
  const owner = created(
    await api.call(contract.owners.create, { body: buildOwner(over) }, { token: tenant.token }),
  ).data;
  ownerNames.set(owner.id, owner.name);
  return owner;
}

export async function createTruck(api: Api, tenant: Tenant, ownerId: string, over: Partial<TruckBody> = {}) {
  return created(await api.call(contract.trucks.create, { body: buildTruck(ownerId, over) }, { token: tenant.token }))
    .data;
}

export async function createTag(api: Api, tenant: Tenant, over: Partial<TagBody> = {}) {
  return created(await api.call(contract.tags.create, { body: buildTag(over) }, { token: tenant.token })).data;
}

export async function createPump(api: Api, tenant: Tenant, over: Partial<PumpBody> = {}) {
  return created(await api.call(contract.petrolPumps.create, { body: buildPump(over) }, { token: tenant.token })).data;
}

export async function createChallan(
  api: Api,
  tenant: Tenant,
  refs: { ownerId: string; tagId: string },
  over: Partial<ChallanBody> = {},
) {
  return created(await api.call(contract.challans.create, { body: buildChallan(refs, over) }, { token: tenant.token }))
    .data;
}

function created<T>(answer: { status: number; text: string; body: T }, status = 201): T {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** An import of one tag that nobody has, with what its check says. */
export function buildTagImport(name: string) {
  const table = { kind: 'tags' as const, file: { name: 'tags.csv', sha256: null }, fields: ['name'], rows: [[name]] };
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([[{ state: 'new' }], [{ name }]]))
    .digest('hex');
  return { table, body: { ...table, choices: ['skip' as const], expected: { fingerprint } } };
}

type TextRow = Record<string, string>;

/** A past challan as a row of texts: 24.90 MT at 1,000.00, TDS 1 %, advance 5,000.00, office 100.00: net 19,551.00. */
export const buildPastChallan = (n: number, over: TextRow = {}): TextRow => ({
  tpNo: `TP-${n}`,
  loadingDate: '10/04/2024',
  unloadingDate: '11/04/2024',
  depositedAt: '12/04/2024',
  vehicleNo: `OD 09 A ${n}`,
  material: 'Iron ore',
  ownerName: 'Ram Das',
  ownerContactNumber: '9876543210',
  tag: 'Joda',
  loadingPlace: 'Joda',
  unloadingPlace: 'Paradip',
  loadingWeight: '25',
  unloadingWeight: '24.90',
  ratePerMT: '1,000.00',
  tdsPercentage: '1',
  advanceMoney: '5000',
  officeCharges: '100',
  ...over,
});

/** The body of an import of these rows. */
export function buildImport(kind: 'challans' | 'owners', rows: readonly TextRow[]) {
  const fields = [...new Set(rows.flatMap((one) => Object.keys(one)))];
  return {
    kind,
    file: { name: 'past.xlsx', sha256: null },
    fields,
    rows: rows.map((one) => fields.map((field) => one[field] ?? '')),
  };
}

/** Locks the books of a business up to a day. */
export async function lockPeriod(api: Api, tenant: Tenant, upTo: string) {
  return created(await api.call(contract.periodLock.lock, { body: { upTo } }, { token: tenant.token }), 200).data;
}

export async function liftLock(api: Api, tenant: Tenant, reason = 'A wrong rate', hours = 1) {
  return created(await api.call(contract.periodLock.lift, { body: { reason, hours } }, { token: tenant.token }), 200)
    .data;
}

export async function createTdsDeposit(api: Api, tenant: Tenant, over: Parameters<typeof buildTdsDeposit>[0] = {}) {
  return created(await api.call(contract.tdsDeposits.create, { body: buildTdsDeposit(over) }, { token: tenant.token }))
    .data;
}

export async function createDeclaration(
  api: Api,
  tenant: Tenant,
  ownerId: string,
  over: Parameters<typeof buildDeclaration>[1] = {},
) {
  return created(
    await api.call(contract.declarations.create, { body: buildDeclaration(ownerId, over) }, { token: tenant.token }),
  ).data;
}
