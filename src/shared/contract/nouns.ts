import type { Right } from './seats.ts';

/** The records that have a history, each with its resource, which gives the path of the history its beginning. */
export const recorded = {
  owner: 'owners',
  truck: 'trucks',
  tag: 'tags',
  'petrol-pump': 'petrol-pumps',
  challan: 'challans',
  'bank-account': 'bank-accounts',
  declaration: 'declarations',
  'tds-deposit': 'tds-deposits',
  subadmin: 'subadmins',
} as const;
export type HistoryRecord = keyof typeof recorded;

/** The nouns of the product. The client caches data by resource, and a write names those that it changes (`touches`). */
const resources = [
  ...Object.values(recorded),
  'session',
  'profile',
  'people',
  'second-step',
  'bank-statement',
  'payment-batches',
  'prepared-payments',
  'bank-layouts',
  'bank-files',
  'bank-answers',
  'batches',
  'hsd-verification',
  'accounting',
  'owner-statements',
  'period-lock',
  'shared-reports',
  'dashboard',
  'history',
  'settings',
  'health',
  'preferences',
  'tables',
  'imports',
  'palette',
] as const;
export type Resource = (typeof resources)[number];

/** A screen for signed-in users (docs/specification.md §2.1). */
export interface NamedScreen {
  /**
   * In the heading and the menu. The client sends it with each call, and the history keeps it (docs/specification.md §3.9).
   * The server ignores any other name.
   */
  name: string;
  path: string;
  /** Further paths of the same screen. */
  alsoAt?: readonly string[];
  /** Paths that redirect to this screen. */
  redirects?: readonly string[];
  /** Absent: it is for a business. */
  role?: 'admin' | 'any';
  /**
   * What the seat of a person must allow, where it is more than to read. A screen that may not be read is not offered, and one
   * that only records says why it cannot be opened.
   */
  right?: Right;
  /** The screen whose menu entry is highlighted while this one is open. */
  partOf?: string;
}

/** The screens, in the order of the menu (docs/specification.md §3.1). Routes and the role that a path needs come from it. */
export const namedScreens = {
  dashboard: { name: 'Dashboard', path: '/dashboard', redirects: ['/'], role: 'any' },
  subadmins: { name: 'Subadmins', path: '/admin/subadmins', redirects: ['/admin'], role: 'admin' },
  owners: { name: 'Owners', path: '/owners' },
  tags: { name: 'Tags', path: '/tags' },
  copyOwners: { name: 'Copy Owners', path: '/owners/copy' },
  copiedOwners: { name: 'Copied Owners', path: '/owners/copied', role: 'any', partOf: 'copyOwners' },
  trucks: { name: 'Trucks', path: '/trucks' },
  challans: { name: 'Challans', path: '/challans' },
  createChallan: { name: 'Create Challans', path: '/challans/create', right: 'record', partOf: 'challans' },
  challanSheet: { name: 'Entry Sheet', path: '/challans/sheet', right: 'record' },
  editChallan: { name: 'Edit Challan', path: '/challans/edit/:id', right: 'record', partOf: 'challans' },
  exceptions: { name: 'Exceptions', path: '/exceptions' },
  accounting: { name: 'Accounting', path: '/accounting' },
  // This must come before the owner's challans, whose further path also matches it.
  ownerStatement: { name: 'Owner Statement', path: '/accounting/owner/:ownerId/statement', partOf: 'accounting' },
  openingBalances: {
    name: 'Opening Balances',
    path: '/accounting/opening-balances',
    right: 'pay',
    partOf: 'accounting',
  },
  ownerChallans: {
    name: 'Owner Challans',
    path: '/accounting/owner/:ownerId/challans',
    // Without an id the screen says what is missing (docs/specification.md §9.2). This further path is needed because a
    // parameter does not match an empty segment.
    alsoAt: ['/accounting/owner/*'],
    partOf: 'accounting',
  },
  bankStatement: { name: 'Bank Statement', path: '/accounting/bank-statement' },
  payments: { name: 'Payments', path: '/accounting/payments' },
  toRelease: { name: 'To Release', path: '/accounting/to-release', partOf: 'payments' },
  bankFiles: { name: 'Bank Files', path: '/accounting/bank-files', right: 'readBank', partOf: 'payments' },
  bankLines: { name: 'At the Bank', path: '/accounting/bank', right: 'readBank' },
  bankAnswer: { name: 'Bank Answer', path: '/accounting/bank/answer', right: 'readBank', partOf: 'bankLines' },
  bankAnswers: { name: 'Accepted Answers', path: '/accounting/bank/answers', right: 'readBank', partOf: 'bankLines' },
  tds: { name: 'TDS Register', path: '/accounting/tds', right: 'readBank' },
  tdsDeductions: { name: 'TDS Deductions', path: '/accounting/tds/deductions', right: 'readBank', partOf: 'tds' },
  declarations: { name: 'Declarations', path: '/accounting/tds/declarations', partOf: 'tds' },
  tdsDeposits: { name: 'TDS Deposits', path: '/accounting/tds/deposits', right: 'readBank', partOf: 'tds' },
  closeMonth: { name: 'Close the Month', path: '/accounting/close', right: 'readBank', partOf: 'accounting' },
  tally: { name: 'Tally', path: '/accounting/tally', right: 'readBank', partOf: 'accounting' },
  tallyChanged: {
    name: 'Changed Since Export',
    path: '/accounting/tally/changed',
    right: 'readBank',
    partOf: 'accounting',
  },
  sharedReports: { name: 'Shared Reports', path: '/accounting/shared-reports' },
  petrolPumps: { name: 'Petrol Pumps', path: '/petrol-pumps' },
  hsdVerification: { name: 'HSD Verification', path: '/hsd-verification' },
  pumpLedger: { name: 'Pump Ledger', path: '/hsd-verification/ledger', partOf: 'hsdVerification' },
  import: { name: 'Import', path: '/import', right: 'record' },
  pastImports: { name: 'Imports and Sheets', path: '/import/past', partOf: 'import' },
  profile: { name: 'Profile', path: '/profile' },
  people: { name: 'People', path: '/profile/people', right: 'manage', partOf: 'profile' },
  activity: { name: 'Activity', path: '/profile/activity', right: 'manage', partOf: 'profile' },
  bankAccounts: { name: 'Bank Accounts', path: '/profile/bank-accounts', right: 'readBank', partOf: 'profile' },
  bankLayouts: { name: 'Bank Layouts', path: '/profile/bank-layouts', right: 'readBank', partOf: 'profile' },
} as const satisfies Readonly<Record<string, NamedScreen>>;
export type ScreenId = keyof typeof namedScreens;
