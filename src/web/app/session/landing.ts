import type { AccountRole } from '../../../shared/contract/define.ts';
import { allScreens, isAt, screenAt, screens } from '../../screens.ts';

/** The first screen of a role after signing in (docs/specification.md §2.1). */
export const homeOf = (role: AccountRole): string => screens[role === 'admin' ? 'subadmins' : 'dashboard'].path;

/** The role that a path needs; 'any' if both roles may open it. */
export function roleOfPath(path: string): AccountRole | 'any' {
  const redirected = allScreens.find(({ redirects = [] }) => redirects.some(isAt(path)));
  return (redirected ?? screenAt(path))?.role ?? 'subadmin';
}

/**
 * Where to go after signing in. The remembered location is used only if it is a path of this app that the role may open
 * (docs/specification.md §2.2).
 */
export function landingAfter(from: unknown, role: AccountRole): string {
  if (typeof from !== 'string' || !from.startsWith('/') || from.startsWith('//') || from.includes('\\'))
    return homeOf(role);
  const path = from.split(/[?#]/)[0] ?? '';
  if (['/', '/login', '/adminlogin', '/unauthorized'].includes(path)) return homeOf(role);
  const needed = roleOfPath(path);
  return needed === 'any' || needed === role ? from : homeOf(role);
}
