import { matchPath } from 'react-router-dom';
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
import type { AccountRole } from '../shared/contract/define.ts';
import type { Right } from '../shared/contract/seats.ts';
import { screenNames, type ScreenId } from '../shared/screen-names.ts';

/** A screen for signed-in users (docs/specification.md §2.1). */
export interface Screen {
  path: string;
  /** Further paths of the same screen. */
  alsoAt?: readonly string[];
  /** Paths that redirect to this screen. */
  redirects?: readonly string[];
  /** The name in the heading and the menu. */
  name: string;
  role: AccountRole | 'any';
  /**
   * What the seat of a person must allow, where it is more than to read. A screen that may not be read is not offered, and one
   * that only records says why it cannot be opened.
   */
  right?: Right;
  icon: LucideIcon;
  /** The screen is in the menu, in the order of this table. `short`: its name under the icon of the collapsed sidebar. */
  menu?: { group?: string; short?: string };
  /** What leads here from every screen, besides the palette. */
  goTo?: { id?: string; label?: string; keys?: readonly string[] };
  /** The screen whose menu entry is highlighted while this one is open. */
  partOf?: ScreenId;
}

const ownerManagement = { group: 'Owner Management' };
const financialManagement = { group: 'Financial Management' };
const operations = { group: 'Operations' };

/**
 * The screens, in the order of the menu (docs/specification.md §3.1), with the keys of docs/keyboard.md §2. Routes, menu, keys,
 * palette and the role that a path needs are all derived from this table. A screen without a role is for a business.
 */
const rows: Readonly<Record<ScreenId, Omit<Screen, 'name' | 'role'> & Partial<Pick<Screen, 'role'>>>> = {
  dashboard: {
    path: '/dashboard',
    redirects: ['/'],
    role: 'any',
    icon: Gauge,
    menu: {},
    goTo: { keys: ['Alt+1', 'g d'] },
  },
  subadmins: {
    path: '/admin/subadmins',
    redirects: ['/admin'],
    role: 'admin',
    icon: UserCog,
    menu: {},
    goTo: { keys: ['Alt+2', 'g s'] },
  },
  owners: {
    path: '/owners',
    icon: Users,
    menu: ownerManagement,
    goTo: { keys: ['Alt+2', 'g o'] },
  },
  tags: {
    path: '/tags',
    icon: Tags,
    menu: ownerManagement,
    goTo: { keys: ['Alt+3', 'g t'] },
  },
  copyOwners: {
    path: '/owners/copy',
    icon: Copy,
    menu: { ...ownerManagement, short: 'Copy' },
    goTo: { keys: ['Alt+4', 'g k'] },
  },
  copiedOwners: {
    path: '/owners/copied',
    role: 'any',
    icon: Copy,
    partOf: 'copyOwners',
  },
  trucks: {
    path: '/trucks',
    icon: Truck,
    menu: {},
    goTo: { keys: ['Alt+5', 'g r'] },
  },
  challans: {
    path: '/challans',
    icon: FileText,
    menu: financialManagement,
    goTo: { keys: ['Alt+6', 'g c'] },
  },
  createChallan: {
    path: '/challans/create',
    right: 'record',
    icon: FileText,
    goTo: { id: 'challans.new', label: 'Add New Challan', keys: ['Alt+N'] },
    partOf: 'challans',
  },
  challanSheet: {
    path: '/challans/sheet',
    right: 'record',
    icon: Table2,
    menu: { ...financialManagement, short: 'Sheet' },
    goTo: { keys: ['g s'] },
  },
  editChallan: {
    path: '/challans/edit/:id',
    right: 'record',
    icon: FileText,
    partOf: 'challans',
  },
  exceptions: {
    path: '/exceptions',
    icon: TriangleAlert,
    menu: financialManagement,
    goTo: { keys: ['g u'] },
  },
  accounting: {
    path: '/accounting',
    icon: Building2,
    menu: financialManagement,
    goTo: { keys: ['Alt+7', 'g a'] },
  },
  // This must come before the owner's challans, whose further path also matches it.
  ownerStatement: {
    path: '/accounting/owner/:ownerId/statement',
    icon: Building2,
    partOf: 'accounting',
  },
  openingBalances: {
    path: '/accounting/opening-balances',
    right: 'pay',
    icon: Building2,
    partOf: 'accounting',
  },
  ownerChallans: {
    path: '/accounting/owner/:ownerId/challans',
    // Without an id the screen says what is missing (docs/specification.md §9.2). This further path is needed because a
    // parameter does not match an empty segment.
    alsoAt: ['/accounting/owner/*'],
    icon: Building2,
    partOf: 'accounting',
  },
  bankStatement: {
    path: '/accounting/bank-statement',
    icon: Landmark,
    menu: { ...financialManagement, short: 'Statement' },
    goTo: { keys: ['Alt+8', 'g b'] },
  },
  payments: {
    path: '/accounting/payments',
    icon: ReceiptIndianRupee,
    menu: financialManagement,
    goTo: { keys: ['g y'] },
  },
  toRelease: {
    path: '/accounting/to-release',
    icon: ReceiptIndianRupee,
    partOf: 'payments',
  },
  bankFiles: {
    path: '/accounting/bank-files',
    right: 'readBank',
    icon: Landmark,
    partOf: 'payments',
  },
  bankLines: {
    path: '/accounting/bank',
    right: 'readBank',
    icon: Hourglass,
    menu: financialManagement,
    goTo: { keys: ['g n'] },
  },
  bankAnswer: {
    path: '/accounting/bank/answer',
    right: 'readBank',
    icon: Hourglass,
    goTo: { keys: ['g v'] },
    partOf: 'bankLines',
  },
  bankAnswers: {
    path: '/accounting/bank/answers',
    right: 'readBank',
    icon: Hourglass,
    partOf: 'bankLines',
  },
  tds: {
    path: '/accounting/tds',
    right: 'readBank',
    icon: Percent,
    menu: { ...financialManagement, short: 'TDS' },
    goTo: { keys: ['g x'] },
  },
  tdsDeductions: {
    path: '/accounting/tds/deductions',
    right: 'readBank',
    icon: Percent,
    partOf: 'tds',
  },
  declarations: {
    path: '/accounting/tds/declarations',
    icon: Percent,
    goTo: { keys: ['g q'] },
    partOf: 'tds',
  },
  tdsDeposits: {
    path: '/accounting/tds/deposits',
    right: 'readBank',
    icon: Percent,
    goTo: { keys: ['g e'] },
    partOf: 'tds',
  },
  closeMonth: {
    path: '/accounting/close',
    right: 'readBank',
    icon: BookOpenCheck,
    goTo: { keys: ['g z'] },
    partOf: 'accounting',
  },
  tally: {
    path: '/accounting/tally',
    right: 'readBank',
    icon: BookText,
    goTo: { keys: ['g l'] },
    partOf: 'accounting',
  },
  tallyChanged: {
    path: '/accounting/tally/changed',
    right: 'readBank',
    icon: BookText,
    partOf: 'accounting',
  },
  sharedReports: {
    path: '/accounting/shared-reports',
    icon: Share2,
    menu: { ...financialManagement, short: 'Shared' },
    goTo: { keys: ['g w'] },
  },
  petrolPumps: {
    path: '/petrol-pumps',
    icon: Fuel,
    menu: { ...operations, short: 'Pumps' },
    goTo: { keys: ['Alt+0', 'g p'] },
  },
  hsdVerification: {
    path: '/hsd-verification',
    icon: BookOpenCheck,
    menu: { ...operations, short: 'HSD' },
    goTo: { keys: ['Alt+9', 'g h'] },
  },
  pumpLedger: {
    path: '/hsd-verification/ledger',
    icon: BookOpenCheck,
    partOf: 'hsdVerification',
  },
  import: {
    path: '/import',
    right: 'record',
    icon: FileUp,
    menu: operations,
    goTo: { keys: ['g i'] },
  },
  pastImports: {
    path: '/import/past',
    icon: FileUp,
    partOf: 'import',
  },
  profile: {
    path: '/profile',
    icon: UserRound,
  },
  people: {
    path: '/profile/people',
    right: 'manage',
    icon: Users,
    partOf: 'profile',
  },
  activity: {
    path: '/profile/activity',
    right: 'manage',
    icon: Activity,
    partOf: 'profile',
  },
  bankAccounts: {
    path: '/profile/bank-accounts',
    right: 'readBank',
    icon: Landmark,
    partOf: 'profile',
  },
  bankLayouts: {
    path: '/profile/bank-layouts',
    right: 'readBank',
    icon: Landmark,
    partOf: 'profile',
  },
};

/** The screens of the table with their names. */
export const screens = Object.fromEntries(
  (Object.keys(rows) as ScreenId[]).map((id) => [id, { role: 'subadmin', ...rows[id], name: screenNames[id] }]),
) as Readonly<Record<ScreenId, Screen>>;

export const allScreens: readonly Screen[] = Object.values(screens);

/** All paths that show a screen. */
export const pathsOf = ({ path, alsoAt = [] }: Screen): readonly string[] => [path, ...alsoAt];

/** Whether the palette leads here: all that is needed is the path. */
export const isInPalette = ({ path }: Screen): boolean => !path.includes(':');

export const isAt = (path: string) => (pattern: string) => matchPath(pattern, path) !== null;

/** The key of a screen's stored settings and actions: 'petrolPumps' → 'petrol-pumps'. */
export const keyOf = (id: ScreenId): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The screen at a path; undefined for the sign-in and for unknown paths. */
export const screenAt = (path: string): Screen | undefined =>
  allScreens.find((screen) => pathsOf(screen).some(isAt(path)));

export const isFor = (role: AccountRole, screen: Screen): boolean => screen.role === 'any' || screen.role === role;
