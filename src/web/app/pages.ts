import type { ComponentType } from 'react';
import {
  Activity,
  BookOpenCheck,
  BookText,
  Building2,
  Copy,
  FileText,
  FileUp,
  Fuel,
  Gauge,
  Hourglass,
  Landmark,
  Percent,
  ReceiptIndianRupee,
  Share2,
  Table2,
  Tags,
  TriangleAlert,
  Truck,
  UserCog,
  UserRound,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { ScreenId } from '../../shared/contract/nouns.ts';

/** What leads to a screen, and its code. */
interface Page {
  icon: LucideIcon;
  /** The screen is in the menu, in the order of the table of names. `short`: its name under the icon of the collapsed sidebar. */
  menu?: { group?: string; short?: string };
  /** What leads here from every screen, besides the palette, with the keys of docs/keyboard.md §2. */
  goTo?: { id?: string; label?: string; keys?: readonly string[] };
  /** Called on the first visit. */
  load: () => Promise<ComponentType>;
}

const ownerManagement = { group: 'Owner Management' };
const financialManagement = { group: 'Financial Management' };
const operations = { group: 'Operations' };

/** The page of each screen; a missing one does not compile. */
export const pages: Readonly<Record<ScreenId, Page>> = {
  dashboard: {
    icon: Gauge,
    menu: {},
    goTo: { keys: ['Alt+1', 'g d'] },
    load: async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
  },
  subadmins: {
    icon: UserCog,
    menu: {},
    goTo: { keys: ['Alt+2', 'g s'] },
    load: async () => (await import('../features/subadmins/subadmins-page.tsx')).SubadminsPage,
  },
  owners: {
    icon: Users,
    menu: ownerManagement,
    goTo: { keys: ['Alt+2', 'g o'] },
    load: async () => (await import('../features/owners/owners-page.tsx')).OwnersPage,
  },
  tags: {
    icon: Tags,
    menu: ownerManagement,
    goTo: { keys: ['Alt+3', 'g t'] },
    load: async () => (await import('../features/master-data/tags-page.tsx')).TagsPage,
  },
  copyOwners: {
    icon: Copy,
    menu: { ...ownerManagement, short: 'Copy' },
    goTo: { keys: ['Alt+4', 'g k'] },
    load: async () => (await import('../features/owners/copy-owners-page.tsx')).CopyOwnersPage,
  },
  copiedOwners: {
    icon: Copy,
    load: async () => (await import('../features/owners/copied-owners-page.tsx')).CopiedOwnersPage,
  },
  trucks: {
    icon: Truck,
    menu: {},
    goTo: { keys: ['Alt+5', 'g r'] },
    load: async () => (await import('../features/master-data/trucks-page.tsx')).TrucksPage,
  },
  challans: {
    icon: FileText,
    menu: financialManagement,
    goTo: { keys: ['Alt+6', 'g c'] },
    load: async () => (await import('../features/challans/list/challan-list-page.tsx')).ChallanListPage,
  },
  createChallan: {
    icon: FileText,
    goTo: { id: 'challans.new', label: 'Add New Challan', keys: ['Alt+N'] },
    load: async () => (await import('../features/challans/form/challan-form-page.tsx')).ChallanFormPage,
  },
  challanSheet: {
    icon: Table2,
    menu: { ...financialManagement, short: 'Sheet' },
    goTo: { keys: ['g s'] },
    load: async () => (await import('../features/challans/sheet/challan-sheet-page.tsx')).ChallanSheetPage,
  },
  editChallan: {
    icon: FileText,
    load: async () => (await import('../features/challans/form/challan-form-page.tsx')).ChallanFormPage,
  },
  exceptions: {
    icon: TriangleAlert,
    menu: financialManagement,
    goTo: { keys: ['g u'] },
    load: async () => (await import('../features/exceptions/exceptions-page.tsx')).ExceptionsPage,
  },
  accounting: {
    icon: Building2,
    menu: financialManagement,
    goTo: { keys: ['Alt+7', 'g a'] },
    load: async () => (await import('../features/accounting/accounting-page.tsx')).AccountingPage,
  },
  ownerStatement: {
    icon: Building2,
    load: async () => (await import('../features/accounting/owner-statement-page.tsx')).OwnerStatementPage,
  },
  openingBalances: {
    icon: Building2,
    load: async () => (await import('../features/accounting/opening-balances-page.tsx')).OpeningBalancesPage,
  },
  ownerChallans: {
    icon: Building2,
    load: async () => (await import('../features/accounting/owner-challans-page.tsx')).OwnerChallansPage,
  },
  bankStatement: {
    icon: Landmark,
    menu: { ...financialManagement, short: 'Statement' },
    goTo: { keys: ['Alt+8', 'g b'] },
    load: async () => (await import('../features/payments/bank-statement/bank-statement-page.tsx')).BankStatementPage,
  },
  payments: {
    icon: ReceiptIndianRupee,
    menu: financialManagement,
    goTo: { keys: ['g y'] },
    load: async () => (await import('../features/payments/batches/payment-batches-page.tsx')).PaymentBatchesPage,
  },
  toRelease: {
    icon: ReceiptIndianRupee,
    load: async () => (await import('../features/payments/batches/prepared-payments-page.tsx')).PreparedPaymentsPage,
  },
  bankFiles: {
    icon: Landmark,
    load: async () => (await import('../features/bank/bank-files-page.tsx')).BankFilesPage,
  },
  bankLines: {
    icon: Hourglass,
    menu: financialManagement,
    goTo: { keys: ['g n'] },
    load: async () => (await import('../features/bank/bank-lines-page.tsx')).BankLinesPage,
  },
  bankAnswer: {
    icon: Hourglass,
    goTo: { keys: ['g v'] },
    load: async () => (await import('../features/bank/answer/bank-answer-page.tsx')).BankAnswerPage,
  },
  bankAnswers: {
    icon: Hourglass,
    load: async () => (await import('../features/bank/bank-answers-page.tsx')).BankAnswersPage,
  },
  tds: {
    icon: Percent,
    menu: { ...financialManagement, short: 'TDS' },
    goTo: { keys: ['g x'] },
    load: async () => (await import('../features/tds/tds-page.tsx')).TdsPage,
  },
  tdsDeductions: {
    icon: Percent,
    load: async () => (await import('../features/tds/tds-deductions-page.tsx')).TdsDeductionsPage,
  },
  declarations: {
    icon: Percent,
    goTo: { keys: ['g q'] },
    load: async () => (await import('../features/tds/declarations-page.tsx')).DeclarationsPage,
  },
  tdsDeposits: {
    icon: Percent,
    goTo: { keys: ['g e'] },
    load: async () => (await import('../features/tds/deposits-page.tsx')).TdsDepositsPage,
  },
  closeMonth: {
    icon: BookOpenCheck,
    goTo: { keys: ['g z'] },
    load: async () => (await import('../features/accounting/close-month-page.tsx')).CloseMonthPage,
  },
  tally: {
    icon: BookText,
    goTo: { keys: ['g l'] },
    load: async () => (await import('../features/accounting/tally-page.tsx')).TallyPage,
  },
  tallyChanged: {
    icon: BookText,
    load: async () => (await import('../features/accounting/tally-changed-page.tsx')).TallyChangedPage,
  },
  sharedReports: {
    icon: Share2,
    menu: { ...financialManagement, short: 'Shared' },
    goTo: { keys: ['g w'] },
    load: async () => (await import('../features/shared-reports/shared-reports-page.tsx')).SharedReportsPage,
  },
  petrolPumps: {
    icon: Fuel,
    menu: { ...operations, short: 'Pumps' },
    goTo: { keys: ['Alt+0', 'g p'] },
    load: async () => (await import('../features/master-data/petrol-pumps-page.tsx')).PetrolPumpsPage,
  },
  hsdVerification: {
    icon: BookOpenCheck,
    menu: { ...operations, short: 'HSD' },
    goTo: { keys: ['Alt+9', 'g h'] },
    load: async () => (await import('../features/hsd/hsd-verification-page.tsx')).HsdVerificationPage,
  },
  pumpLedger: {
    icon: BookOpenCheck,
    load: async () => (await import('../features/hsd/pump-ledger-page.tsx')).PumpLedgerPage,
  },
  import: {
    icon: FileUp,
    menu: operations,
    goTo: { keys: ['g i'] },
    load: async () => (await import('../features/import/import-page.tsx')).ImportPage,
  },
  pastImports: {
    icon: FileUp,
    load: async () => (await import('../features/import/past-imports-page.tsx')).PastImportsPage,
  },
  profile: {
    icon: UserRound,
    load: async () => (await import('../features/profile/profile-page.tsx')).ProfilePage,
  },
  people: {
    icon: Users,
    load: async () => (await import('../features/people/people-page.tsx')).PeoplePage,
  },
  activity: {
    icon: Activity,
    load: async () => (await import('../features/people/activity-page.tsx')).ActivityPage,
  },
  bankAccounts: {
    icon: Landmark,
    load: async () => (await import('../features/bank/bank-accounts-page.tsx')).BankAccountsPage,
  },
  bankLayouts: {
    icon: Landmark,
    load: async () => (await import('../features/bank/bank-layouts-page.tsx')).BankLayoutsPage,
  },
};
