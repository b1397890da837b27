import {
  amountFrom,
  amountTo,
  choice,
  contains,
  dayFrom,
  dayOrNone,
  dayTo,
  idOf,
  idOrNone,
  omitFilters,
  pickFilters,
  rare,
  type FilterOfList,
} from './define.ts';

/**
 * Everything challans can be filtered by. A filter that is added here is one of the challan list, its file and its screen;
 * server/queries/challans-filter.ts then asks for its column. All days are of Asia/Kolkata, both ends included.
 */
export const challanFilters = {
  tpNo: contains('TP No', 3),
  paymentStatus: choice('Payment Status', ['paid', 'unpaid'], ['Paid', 'Unpaid']),
  tagId: idOrNone('Tag', 'tags', 'Without a tag'),
  ownerId: idOf('Owner', 'owners'),
  /** The owner's present name, not the copy on the challan. */
  ownerName: contains('Owner name'),
  startDate: dayFrom('Loaded'),
  endDate: dayTo('Loaded'),
  depositedDate: dayOrNone('Deposited', 'Not deposited'),
  depositedStartDate: dayFrom('Deposited'),
  depositedEndDate: dayTo('Deposited'),
  challanNumber: rare(contains('Challan No')),
  vehicleNo: rare(contains('Vehicle No')),
  material: rare(contains('Material')),
  /** Where it was loaded, or where it was unloaded. */
  place: rare(contains('Place')),
  petrolPumpId: rare(idOrNone('Petrol Pump', 'petrolPumps', 'Without a petrol pump')),
  /** Without a petrol pump there is nothing to verify: such a challan is neither. */
  hsdVerified: rare(choice('HSD', ['verified', 'unverified'], ['HSD verified', 'HSD not verified'])),
  netFrom: rare(amountFrom('Net amount')),
  netTo: rare(amountTo('Net amount')),
  paidStartDate: rare(dayFrom('Paid')),
  paidEndDate: rare(dayTo('Paid')),
  hold: rare(choice('Hold', ['held', 'free'], ['On hold', 'Not on hold'])),
  tpUse: rare(choice('TP Use', ['twice', 'once'], ['Same TP twice', 'TP used once'])),
};

/** A filter of challans: what is not set is absent. */
export type ChallanFilter = FilterOfList<typeof challanFilters>;

/** Of GET /challans. */
export const challanListFilters = omitFilters(challanFilters, 'ownerName');

/** Of the challan file, and so of the screen that offers it: what the screen shows is what the file holds. */
export const challanFileFilters = omitFilters(challanListFilters, 'startDate', 'endDate');

/** Of one owner's challans in accounting, and of the report that is sent to the owner. */
export const ownerChallanFilters = pickFilters(
  challanFilters,
  'paymentStatus',
  'tagId',
  'depositedStartDate',
  'depositedEndDate',
  'paidStartDate',
  'paidEndDate',
);

/** Of the bank statement and of a payment that is made by filter. */
export const statementFilters = pickFilters(
  challanFilters,
  'ownerId',
  'ownerName',
  'tagId',
  'depositedStartDate',
  'depositedEndDate',
);

/** Of the dashboard. Its figures come from roll-ups alone, which is why it has no other filters. */
export const dashboardFilters = pickFilters(challanFilters, 'tagId', 'depositedStartDate', 'depositedEndDate');
