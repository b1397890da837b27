import type { Batch, LeftRecord } from '../../../src/shared/contract/batches.ts';
import type { Challan, ChallanReference } from '../../../src/shared/contract/challan.ts';
import type { Owner, OwnerCard } from '../../../src/shared/contract/owners.ts';
import type { PaymentBatch } from '../../../src/shared/contract/payment-batches.ts';
import type { PetrolPump } from '../../../src/shared/contract/petrol-pumps.ts';
import type { Profile } from '../../../src/shared/contract/profile.ts';
import type { OpenSession } from '../../../src/shared/contract/session.ts';
import type { Subadmin } from '../../../src/shared/contract/subadmins.ts';
import type { Tag } from '../../../src/shared/contract/tags.ts';
import type { Truck } from '../../../src/shared/contract/trucks.ts';

/** Records as the contract has them. Each has its own numbers, so that a test sees which record it got. */

export const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const two = (n: number): string => String(n).padStart(2, '0');
const stamp = { createdAt: '2026-11-14T05:00:00.000Z', updatedAt: '2026-11-20T05:30:00.000Z', version: 1 };
const made = '2026-11-20T10:00:00.000Z';

export const many = <T>(count: number, build: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => build(index + 1));

/** What the challans of `buildChallan` name. */
export const owner = { id: idOf(901), name: 'Ravi Kumar', contactNumber: '9876543210', holdReason: '' };
export const otherOwner = { id: idOf(902), name: 'Sunita Jindal', contactNumber: '9876543211', holdReason: '' };
export const coal = { id: idOf(801), name: 'COAL', color: '#3B82F6' };
export const pump = { id: idOf(701), name: 'Joda Filling Station' };

/** Challan n: 10 MT at ₹100 less n rupees of office charges, so that each net is its own. */
export function buildChallan(n: number, over: Partial<Challan> = {}): Challan {
  return {
    id: idOf(n),
    challanNumber: `CH-2627-${String(n).padStart(6, '0')}`,
    tpNo: `TP${String(n).padStart(5, '0')}`,
    vehicleNo: `OD09AB${1000 + n}`,
    owner,
    ownerName: owner.name,
    ownerContactNumber: owner.contactNumber,
    discounter: null,
    tag: coal,
    petrolPump: pump,
    material: 'Iron ore',
    loadingDate: '2026-11-14T18:30:00.000Z',
    unloadingDate: '2026-11-15T18:30:00.000Z',
    loadingPlace: 'Joda',
    unloadingPlace: 'Paradip',
    loadingWeight: '10.50',
    unloadingWeight: '10.00',
    differenceWeight: '0.50',
    discountWeight: '0.00',
    ratePerMT: '100.00',
    tdsPercentage: '1.0',
    tdsAmount: '10.00',
    tdsDeclaration: null,
    hsdPricePerLiter: '90.00',
    hsdInLiters: '1.00',
    hsdAmount: '90.00',
    advanceMoney: '100.00',
    officeCharges: `${n}.00`,
    shortageAmount: '50.00',
    materialShortageAmount: '0.00',
    netAmountPayable: `${800 - n}.00`,
    vehicleType: 'Hyva',
    vehicleWheel: 12,
    driverName: '',
    drivingLicenseNo: '',
    dataEntryBy: 'Mamata',
    remarks: '',
    paymentStatus: false,
    paidAt: null,
    payment: null,
    holdReason: '',
    hsdVerified: false,
    hsdVerifiedAt: null,
    depositedAt: '2026-11-17T18:30:00.000Z',
    createdAt: made,
    updatedAt: made,
    version: 1,
    ...over,
  };
}

/** How another challan is named beside it. */
export const referenceOf = ({ id, challanNumber, tpNo, vehicleNo, loadingDate }: Challan): ChallanReference => ({
  id,
  challanNumber,
  tpNo,
  vehicleNo,
  loadingDate,
});

export const buildChallans = (count: number, over: (n: number) => Partial<Challan> = () => ({})): Challan[] =>
  Array.from({ length: count }, (_, index) => buildChallan(count - index, over(count - index)));

export const buildOwner = (n: number, over: Partial<Owner> = {}): Owner => ({
  id: idOf(n),
  name: `Owner ${two(n)}`,
  contactNumber: `98765432${two(n)}`,
  address: `Plot ${n}, Joda`,
  accountNo: `0012345678${two(n)}`,
  ifsc: 'SBIN0001234',
  panNo: `ABCDE12${two(n)}F`,
  branchName: 'Joda',
  language: 'English',
  holdReason: '',
  subadminId: idOf(1000),
  ...stamp,
  ...over,
});
export const buildTruck = (n: number, owner: Pick<Owner, 'id' | 'name'>, over: Partial<Truck> = {}): Truck => ({
  id: idOf(100 + n),
  truckNumber: `OD09AB10${two(n)}`,
  typeOfVehicle: 'Hyva',
  noOfWheels: 12,
  ownerId: owner.id,
  owner: { id: owner.id, name: owner.name },
  ...stamp,
  ...over,
});
export const buildTag = (n: number, over: Partial<Tag> = {}): Tag => ({
  id: idOf(200 + n),
  name: `TAG ${two(n)}`,
  color: '#10B981',
  description: '',
  ...stamp,
  ...over,
});
export const buildPump = (n: number, over: Partial<PetrolPump> = {}): PetrolPump => ({
  id: idOf(300 + n),
  name: `Pump ${two(n)}`,
  contactNumber: `91234567${two(n)}`,
  address: 'Main Road, Joda',
  ...stamp,
  ...over,
});
export const buildCard = (n: number, over: Partial<OwnerCard> = {}): OwnerCard => ({
  ...buildOwner(n),
  id: idOf(400 + n),
  contactNumber: `••••••32${two(n)}`,
  accountNo: `••••••••78${two(n)}`,
  panNo: `••••••2${two(n)}F`,
  subadminId: idOf(2000),
  trucks: [],
  trucksCount: 0,
  inYourList: null,
  currentSubAdmin: { bannerName: 'Shree Balaji Carriers' },
  ...over,
});

export const buildSubadmin = (n: number, over: Partial<Subadmin> = {}): Subadmin => ({
  id: idOf(n),
  email: `desk${n}@carriers.example`,
  bannerName: `Carriers ${String(n).padStart(3, '0')}`,
  gstNo: '21ABCDE1234F1Z5',
  contactNumber: `98765432${String(n).padStart(2, '0').slice(-2)}`,
  officeAddress: `Plot ${n}, Joda`,
  isActive: true,
  isInDirectory: true,
  role: 'subadmin',
  people: 0,
  lastSeenAt: '2026-11-20T05:30:00.000Z',
  createdAt: '2026-11-14T05:00:00.000Z',
  updatedAt: '2026-11-20T05:30:00.000Z',
  version: 1,
  ...over,
});

export const subadminsOf = (count: number): Subadmin[] => many(count, (n) => buildSubadmin(n));

export const buildProfile = (over: Partial<Profile> = {}): Profile => ({
  email: 'a@b.in',
  bannerName: 'Maa Tarini Roadlines',
  gstNo: '21ABCDE1234F1Z5',
  contactNumber: '9876543210',
  officeAddress: 'Station Road, Keonjhar',
  isActive: true,
  createdAt: '2026-11-14T05:00:00.000Z',
  updatedAt: '2026-11-20T05:30:00.000Z',
  version: 1,
  ...over,
});

export const buildOpenSession = (n: number, over: Partial<OpenSession> = {}): OpenSession => ({
  id: idOf(n),
  createdAt: '2026-11-20T04:00:00.000Z',
  lastUsedAt: '2026-11-20T05:30:00.000Z',
  expiresAt: '2026-11-20T12:00:00.000Z',
  address: `192.168.1.${n}`,
  userAgent: 'Chrome on Windows',
  isCurrent: n === 1,
  ...over,
});

/** A payment as it stands on the day; `over` may say what is left of it. */
export function buildPayment(n: number, over: Partial<PaymentBatch> = {}): PaymentBatch {
  const { updatedCount = 1, totalAmount = '1000.00', ownerCount = 1, reversedAt = null } = over;
  const left =
    reversedAt === null
      ? { paidCount: updatedCount, paidAmount: totalAmount, paidOwnerCount: ownerCount }
      : { paidCount: 0, paidAmount: '0.00', paidOwnerCount: 0 };
  return {
    id: idOf(n),
    number: `PAY-2627-${String(n).padStart(6, '0')}`,
    createdAt: '2026-11-20T10:00:00.000Z',
    paidOn: '2026-11-20',
    createdBy: 'a@b.in',
    kind: 'selected',
    updatedCount,
    totalAmount,
    ownerCount,
    ...left,
    reversedAt,
    owner: null,
    challan: null,
    reversedReason: null,
    reversedBy: null,
    appliedFilters: null,
    ...over,
  };
}

export const buildBatch = (n: number, over: Partial<Batch>): Batch => ({
  id: idOf(400 + n),
  kind: 'import',
  number: `Import 2627-00000${n}`,
  title: '',
  amount: '0.00',
  lineCount: 1,
  createdAt: '2026-11-22T05:00:00.000Z',
  createdBy: 'a@b.in',
  undoneAt: null,
  undoneBy: null,
  undoneCount: 0,
  facts: {},
  ...over,
});

/** The answer to the undo of a change of two records, of which one had to be left. */
export const halfUndone = (number: string, left: Pick<LeftRecord, 'record' | 'id' | 'name' | 'reason'>) => ({
  data: { ...buildBatch(100, { kind: 'change', number, lineCount: 2 }), undone: 1, leftCount: 1, left: [left] },
});
