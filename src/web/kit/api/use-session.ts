import { useSyncExternalStore } from 'react';
import { getPause, getSession, subscribeSession, type Session } from './session-store.ts';

/** The session of the account that is signed in, or null. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeSession, getSession);
}

/** The pause of an expired session whose screens wait for a new sign-in; null otherwise. */
export const usePause = () => useSyncExternalStore(subscribeSession, getPause);

export const defaultBrand = 'Challan Desk';

/** The browser page's title (docs/specification.md §1.3). */
export const pageTitle = (bannerName: string | undefined): string =>
  `${bannerName?.trim() || defaultBrand} - Transport Management System`;
