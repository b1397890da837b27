import type { ComponentType } from 'react';
import type { ScreenId } from '../../shared/screen-names.ts';

/** Loads the code of each screen, on the first visit. */
export const pageModules: Readonly<Record<ScreenId, () => Promise<ComponentType>>> = {
  dashboard: async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
  subadmins: async () => (await import('../features/subadmins/subadmins-page.tsx')).SubadminsPage,
  owners: async () => (await import('../features/owners/owners-page.tsx')).OwnersPage,
  tags: async () => (await import('../features/master-data/tags-page.tsx')).TagsPage,
  copyOwners: async () => (await import('../features/owners/copy-owners-page.tsx')).CopyOwnersPage,
  copiedOwners: async () => (await import('../features/owners/copied-owners-page.tsx')).CopiedOwnersPage,
  trucks: async () => (await import('../features/master-data/trucks-page.tsx')).TrucksPage,
  challans: async () => (await import('../features/challans/list/challan-list-page.tsx')).ChallanListPage,
  createChallan: async () => (await import('../features/challans/form/challan-form-page.tsx')).ChallanFormPage,
  challanSheet: async () => (await import('../features/challans/sheet/challan-sheet-page.tsx')).ChallanSheetPage,
  editChallan: async () => (await import('../features/challans/form/challan-form-page.tsx')).ChallanFormPage,
  accounting: async () => (await import('../features/accounting/accounting-page.tsx')).AccountingPage,
  ownerStatement: async () => (await import('../features/accounting/owner-statement-page.tsx')).OwnerStatementPage,
  openingBalances: async () => (await import('../features/accounting/opening-balances-page.tsx')).OpeningBalancesPage,
  ownerChallans: async () => (await import('../features/accounting/owner-challans-page.tsx')).OwnerChallansPage,
  bankStatement: async () =>
    (await import('../features/payments/bank-statement/bank-statement-page.tsx')).BankStatementPage,
  payments: async () => (await import('../features/payments/batches/payment-batches-page.tsx')).PaymentBatchesPage,
  toRelease: async () =>
    (await import('../features/payments/batches/prepared-payments-page.tsx')).PreparedPaymentsPage,
  bankFiles: async () => (await import('../features/bank/bank-files-page.tsx')).BankFilesPage,
  bankLines: async () => (await import('../features/bank/bank-lines-page.tsx')).BankLinesPage,
  bankAnswer: async () => (await import('../features/bank/answer/bank-answer-page.tsx')).BankAnswerPage,
  bankAnswers: async () => (await import('../features/bank/bank-answers-page.tsx')).BankAnswersPage,
  tds: async () => (await import('../features/tds/tds-page.tsx')).TdsPage,
  tdsDeductions: async () => (await import('../features/tds/tds-deductions-page.tsx')).TdsDeductionsPage,
  declarations: async () => (await import('../features/tds/declarations-page.tsx')).DeclarationsPage,
  sharedReports: async () => (await import('../features/shared-reports/shared-reports-page.tsx')).SharedReportsPage,
  petrolPumps: async () => (await import('../features/master-data/petrol-pumps-page.tsx')).PetrolPumpsPage,
  hsdVerification: async () => (await import('../features/hsd/hsd-verification-page.tsx')).HsdVerificationPage,
  pumpLedger: async () => (await import('../features/hsd/pump-ledger-page.tsx')).PumpLedgerPage,
  import: async () => (await import('../features/import/import-page.tsx')).ImportPage,
  pastImports: async () => (await import('../features/import/past-imports-page.tsx')).PastImportsPage,
  profile: async () => (await import('../features/profile/profile-page.tsx')).ProfilePage,
  people: async () => (await import('../features/people/people-page.tsx')).PeoplePage,
  activity: async () => (await import('../features/people/activity-page.tsx')).ActivityPage,
  bankAccounts: async () => (await import('../features/bank/bank-accounts-page.tsx')).BankAccountsPage,
  bankLayouts: async () => (await import('../features/bank/bank-layouts-page.tsx')).BankLayoutsPage,
};
