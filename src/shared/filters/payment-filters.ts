import { amountFrom, amountTo, contains, dayFrom, dayTo, idOf, oneOf, rare } from './define.ts';

/** How much of a payment is still paid. */
export const paymentStates = { paid: 'Paid', partly: 'Partly undone', undone: 'Undone' } as const;

/** How the challans of a payment were chosen. */
export const paymentKinds = {
  selected: 'Selected challans',
  filter: 'All matching a filter',
  single: 'One challan',
  import: 'Imported as paid',
} as const;

/**
 * The filters of payments (docs/specification.md §10.6). `search` is one text for whatever a person knows of a payment;
 * server/features/payments/payments-found.queries.ts lists the columns that it searches.
 */
export const paymentFilters = {
  search: contains('Search', 2, 'Payment, owner, challan, TP, vehicle or UTR'),
  startDate: dayFrom('Paid'),
  endDate: dayTo('Paid'),
  ownerId: idOf('Owner', 'owners'),
  state: oneOf('Status', paymentStates),
  kind: rare(oneOf('Chosen by', paymentKinds)),
  personId: rare(idOf('Paid by', 'people')),
  amountFrom: rare(amountFrom('Amount')),
  amountTo: rare(amountTo('Amount')),
};
