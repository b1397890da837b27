/** What the other features use of this one (docs/architecture.md 2). */
export { paymentsCommand, useOwnerPayments } from './use-owner-payments.tsx';
