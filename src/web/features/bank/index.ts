/** What the other features use of this one (docs/architecture.md §1). */
export { downloadBankFile } from './download-bank-file.ts';
export { changedAccountText, useAccountConfirmation, useToConfirm } from './confirm-account.tsx';
