import {
  amountFrom,
  amountTo,
  choice,
  contains,
  dayFrom,
  dayOrNone,
  dayTo,
  exact,
  idOf,
  idOrNone,
  omitFilters,
  pickFilters,
  rare,
  type FilterOfList,
} from './define.ts';

/**
 * All filters of challans. A filter that is added here is added to the challan list, its file and its screen. It also needs
 * a column in server/features/challans/challans-filter.queries.ts, else the code does not compile. All days are days in Asia/Kolkata, and
 * both ends of a range are included.
 */
export const challanFilters = {
  tpNo: contains('TP No', 3),
  paymentStatus: choice('Payment Status', ['paid', 'unpaid'], ['Paid', 'Unpaid']),
  tagId: idOrNone('Tag', 'tags', 'Without a tag'),
  ownerId: idOf('Owner', 'owners'),
  /** Searches the owner's present name and not the copy on the challan. */
  ownerName: contains('Owner name'),
  startDate: rare(dayFrom('Loaded')),
  endDate: rare(dayTo('Loaded')),
  depositedDate: dayOrNone('Deposited', 'Not deposited'),
  depositedStartDate: dayFrom('Deposited'),
  depositedEndDate: dayTo('Deposited'),
  challanNumber: rare(contains('Challan No')),
  vehicleNo: rare(contains('Vehicle No')),
  material: rare(contains('Material')),
  /** Searches the loading place and the unloading place. */
  place: rare(contains('Place')),
  petrolPumpId: rare(idOrNone('Petrol Pump', 'petrolPumps', 'Without a petrol pump')),
  /** A challan without a petrol pump matches neither value, because there is nothing to verify. */
  hsdVerified: rare(choice('HSD', ['verified', 'unverified'], ['HSD verified', 'HSD not verified'])),
  netFrom: rare(amountFrom('Net amount')),
  netTo: rare(amountTo('Net amount')),
  paidStartDate: rare(dayFrom('Paid')),
  paidEndDate: rare(dayTo('Paid')),
  hold: rare(choice('Hold', ['held', 'free'], ['On hold', 'Not on hold'])),
  /** Challans whose TDS is not what the declarations of their owners say for their day (docs/specification.md §27.7). */
  tdsDeclared: rare(choice('TDS', ['over', 'under'], ['Deducted although declared', 'Nothing deducted, not declared'])),
  tpUse: rare(choice('TP Use', ['twice', 'once'], ['Same TP twice', 'TP used once'])),
  /** The groups of the list whose fields the filters above only search (docs/specification.md §33). */
  materialIs: rare(exact('Material')),
  loadingPlaceIs: rare(exact('Loading Place')),
  unloadingPlaceIs: rare(exact('Unloading Place')),
  vehicleIs: rare(exact('Vehicle No')),
  driverIs: rare(exact('Driver', 'Without a driver')),
  paymentIs: rare(exact('Payment No', 'Without a payment')),
};

/** A filter of challans. Filters that are not set are absent. */
export type ChallanFilter = FilterOfList<typeof challanFilters>;

/** The filters of the challan list, of its screen and of its file: the file holds exactly what the screen shows. */
export const challanListFilters = omitFilters(challanFilters, 'ownerName');

/** The filters of an owner's challans in accounting, and of the report that is sent to the owner. */
export const ownerChallanFilters = pickFilters(
  challanFilters,
  'paymentStatus',
  'tagId',
  'depositedStartDate',
  'depositedEndDate',
  'paidStartDate',
  'paidEndDate',
);

/** The filters of the bank statement, and of a payment that is made by filter. */
export const statementFilters = pickFilters(
  challanFilters,
  'ownerId',
  'ownerName',
  'tagId',
  'depositedStartDate',
  'depositedEndDate',
);

/** The filters of the dashboard. Its figures come from roll-ups only, which is why it has no other filters. */
export const dashboardFilters = pickFilters(challanFilters, 'tagId', 'depositedStartDate', 'depositedEndDate');
