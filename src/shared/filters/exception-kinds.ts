import { exact, oneOf } from './define.ts';

/**
 * What is unusual (docs/specification.md §35): each kind with its name, the sentence that explains it, the fields that it reads,
 * and what its effect in rupees is. The usual is the median of the same group, and how far off is unusual comes from the median
 * of the distances from it, but never from less than `least`.
 */
interface ExceptionKind {
  name: string;
  says: string;
  fields: readonly string[];
  effect: string;
  /** In the unit of `unit`, in hundredths. Absent: it is not measured, it is there or not. */
  least?: number;
  unit?: 'MT' | 'L' | '₹/MT' | 'days' | 'MT a trip';
  /** What is remembered as fine: one challan, or also its vehicle on its route; or all of a subject. */
  about: 'challan' | 'driver' | 'vehicle' | 'owner' | 'TP No' | 'bill line';
}

const atTheRate = 'what is above the usual, at the rate of the challan';
const trips = 'what is above the usual in all its trips of the days, at the rate of each';
const pattern = (of: 'driver' | 'vehicle' | 'owner', field: string): ExceptionKind => ({
  name: `Shortage of ${of === 'owner' ? 'an' : 'a'} ${of}`,
  says: `Over many trips this ${of} loses more than is usual on the same routes.`,
  fields: [field, 'loadingWeight', 'unloadingWeight', 'discountWeight', 'ratePerMT'],
  effect: trips,
  least: 5,
  unit: 'MT a trip',
  about: of,
});
const freight = 'the freight of the challan';

export const exceptionKinds = {
  shortage: {
    name: 'Shortage',
    says: 'More was lost than is usual on this route.',
    fields: ['loadingWeight', 'unloadingWeight', 'discountWeight', 'ratePerMT'],
    effect: atTheRate,
    least: 10,
    unit: 'MT',
    about: 'challan',
  },
  driverShortage: pattern('driver', 'driverName'),
  vehicleShortage: pattern('vehicle', 'vehicleNo'),
  ownerShortage: pattern('owner', 'ownerId'),
  liters: {
    name: 'HSD litres',
    says: 'More litres than is usual for this route and as many wheels.',
    fields: ['hsdInLiters', 'hsdPricePerLiter', 'vehicleWheel'],
    effect: 'the litres above the usual, at the price of the challan',
    least: 1000,
    unit: 'L',
    about: 'challan',
  },
  overlap: {
    name: 'Trips overlap',
    says: 'The vehicle was loaded before it had unloaded its last trip.',
    fields: ['vehicleNo', 'loadingDate', 'unloadingDate'],
    effect: freight,
    about: 'challan',
  },
  weight: {
    name: 'Overweight',
    says: 'More was loaded than vehicles of as many wheels usually carry.',
    fields: ['loadingWeight', 'vehicleWheel', 'ratePerMT'],
    effect: atTheRate,
    least: 200,
    unit: 'MT',
    about: 'challan',
  },
  rate: {
    name: 'Rate',
    says: 'The rate is off what is usual on this route, and few trips have it.',
    fields: ['ratePerMT'],
    effect: 'the difference of the rates, for the weight that is paid',
    least: 500,
    unit: '₹/MT',
    about: 'challan',
  },
  tp: {
    name: 'TP twice',
    says: 'Another challan was entered before with the same TP No.',
    fields: ['tpNo'],
    effect: freight,
    about: 'TP No',
  },
  days: {
    name: 'Days on the way',
    says: 'It took more days from loading to unloading than is usual on this route.',
    fields: ['loadingDate', 'unloadingDate'],
    effect: freight,
    least: 200,
    unit: 'days',
    about: 'challan',
  },
  hsd: {
    name: 'HSD without a trip',
    says: 'A bill of a pump has diesel for a vehicle that had no trip on that day.',
    fields: ['vehicleNo', 'loadingDate', 'unloadingDate'],
    effect: 'the amount of the bill',
    about: 'bill line',
  },
  late: {
    name: 'Entered late',
    says: 'It was entered more days after the unloading than is usual here.',
    fields: ['createdAt', 'unloadingDate'],
    effect: freight,
    least: 700,
    unit: 'days',
    about: 'challan',
  },
} as const satisfies Record<string, ExceptionKind>;
export type ExceptionKindName = keyof typeof exceptionKinds;
// Safe: Object.keys widens to string; these are the table's keys.
export const exceptionKindNames = Object.keys(exceptionKinds) as ExceptionKindName[];

/** With fewer trips nothing is usual. */
export const leastTrips = 8;
/** The days before the chosen ones whose trips say what is usual. */
export const usualDays = 180;

const kindLabels = Object.fromEntries(exceptionKindNames.map((key) => [key, exceptionKinds[key].name])) as Record<
  ExceptionKindName,
  string
>;

/** Which challans are looked at: by the day of loading, or those that were entered in the last 7 days. */
const exceptionDays = {
  entered: 'Entered in the last 7 days',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  '180': 'Last 180 days',
} as const;

export const exceptionFilters = {
  kind: oneOf('Kind', kindLabels),
  days: oneOf('Loaded', exceptionDays, exceptionDays['30']),
  fine: oneOf('Fine', { also: 'Also fine ones', only: 'Only fine ones' }, 'Not fine'),
  route: exact('Route'),
};
