/** What the other features use of this one (docs/architecture.md §1). */
export { paymentsCommand, useOwnerPayments } from './use-owner-payments.tsx';
