/** What the other features use of this one (docs/architecture.md §1). */
export { changedAccountText, ConfirmAccountDialog, useChangedAccounts } from './confirm-account.tsx';
export { paymentsCommand, useOwnerPayments } from './use-owner-payments.tsx';
