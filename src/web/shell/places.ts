import type { LucideIcon } from 'lucide-react';
import {
  BookOpenCheck,
  Building2,
  Copy,
  FileText,
  Fuel,
  Gauge,
  Landmark,
  ReceiptIndianRupee,
  Share2,
  Tags,
  Truck,
  UserCog,
  Users,
} from 'lucide-react';
import type { AccountRole } from '../../shared/contract/define.ts';

/** One entry of the menu, and the keys that lead there (docs/keyboard.md §2). */
export interface Place {
  path: string;
  label: string;
  icon: LucideIcon;
  keys: readonly string[];
  /** Only this very path marks it as the current one. */
  exact?: boolean;
  /** And what begins so: screens that are reached from it alone. */
  under?: string;
}

export interface PlaceGroup {
  /** Absent: entries that stand alone. */
  label?: string;
  places: readonly Place[];
}

/** The menus of docs/specification.md §3.1; Payments and Shared Reports are this product's own entries beside them. */
export const menus: Readonly<Record<AccountRole, readonly PlaceGroup[]>> = {
  admin: [
    {
      places: [
        { path: '/dashboard', label: 'Dashboard', icon: Gauge, keys: ['Alt+1', 'g d'] },
        { path: '/admin/subadmins', label: 'Subadmins', icon: UserCog, keys: ['Alt+2', 'g s'] },
      ],
    },
  ],
  subadmin: [
    { places: [{ path: '/dashboard', label: 'Dashboard', icon: Gauge, keys: ['Alt+1', 'g d'] }] },
    {
      label: 'Owner Management',
      places: [
        { path: '/owners', label: 'Owners', icon: Users, keys: ['Alt+2', 'g o'], exact: true },
        { path: '/tags', label: 'Tags', icon: Tags, keys: ['Alt+3', 'g t'] },
        { path: '/owners/copy', label: 'Copy Owners', icon: Copy, keys: ['Alt+4', 'g k'] },
      ],
    },
    { places: [{ path: '/trucks', label: 'Trucks', icon: Truck, keys: ['Alt+5', 'g r'] }] },
    {
      label: 'Financial Management',
      places: [
        { path: '/challans', label: 'Challans', icon: FileText, keys: ['Alt+6', 'g c'] },
        {
          path: '/accounting',
          label: 'Accounting',
          icon: Building2,
          keys: ['Alt+7', 'g a'],
          exact: true,
          under: '/accounting/owner/',
        },
        { path: '/accounting/bank-statement', label: 'Bank Statement', icon: Landmark, keys: ['Alt+8', 'g b'] },
        { path: '/accounting/payments', label: 'Payments', icon: ReceiptIndianRupee, keys: ['g y'] },
        { path: '/accounting/shared-reports', label: 'Shared Reports', icon: Share2, keys: ['g w'] },
      ],
    },
    {
      label: 'Operations',
      places: [
        { path: '/petrol-pumps', label: 'Petrol Pumps', icon: Fuel, keys: ['Alt+0', 'g p'] },
        { path: '/hsd-verification', label: 'HSD Verification', icon: BookOpenCheck, keys: ['Alt+9', 'g h'] },
      ],
    },
  ],
};

/** Where a role begins after signing in (docs/specification.md §2.1). */
export const homeOf = (role: AccountRole): string => (role === 'admin' ? '/admin/subadmins' : '/dashboard');

/** Which role a path of this app needs; 'any' for those both have. */
export function roleOfPath(path: string): AccountRole | 'any' {
  if (path === '/' || path === '/dashboard') return 'any';
  return path === '/admin' || path.startsWith('/admin/') ? 'admin' : 'subadmin';
}

/**
 * docs/specification.md §2.2: the remembered location is a path and query of this app only, dropped when the role does
 * not fit it.
 */
export function landingAfter(from: unknown, role: AccountRole): string {
  if (typeof from !== 'string' || !from.startsWith('/') || from.startsWith('//') || from.includes('\\'))
    return homeOf(role);
  const path = from.split(/[?#]/)[0] ?? '';
  if (['/', '/login', '/adminlogin', '/unauthorized'].includes(path)) return homeOf(role);
  const needed = roleOfPath(path);
  return needed === 'any' || needed === role ? from : homeOf(role);
}
