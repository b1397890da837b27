import { amountFrom, amountTo, contains, dayFrom, dayTo, idOf, oneOf } from './define.ts';

/** What is still paid by a payment. */
export const paymentStates = { paid: 'Paid', partly: 'Partly undone', undone: 'Undone' } as const;
export type PaymentState = keyof typeof paymentStates;

/** How the challans of a payment were chosen. */
export const paymentKinds = {
  selected: 'Selected challans',
  filter: 'All matching a filter',
  single: 'One challan',
  import: 'Imported as paid',
} as const;

/**
 * Everything payments can be filtered by (docs/specification.md §10.6). `search` is one text over what people have in
 * hand: server/queries/payments-found.ts lists where it is looked for.
 */
export const paymentFilters = {
  search: contains('Search', 2, 'Payment, owner, challan, TP, vehicle or UTR'),
  startDate: dayFrom('Paid'),
  endDate: dayTo('Paid'),
  ownerId: idOf('Owner', 'owners'),
  state: oneOf('Status', paymentStates),
  kind: oneOf('Chosen by', paymentKinds),
  amountFrom: amountFrom('Amount'),
  amountTo: amountTo('Amount'),
};
