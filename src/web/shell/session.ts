import { useSyncExternalStore } from 'react';
import { getSession, subscribeSession, type Session } from '../api/session-store.ts';

/** Who is signed in, or null. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeSession, getSession);
}

/** For screens behind the route guard, where somebody always is. */
export function useUserId(): string {
  return useSession()?.user.id ?? 'nobody';
}

export const defaultBrand = 'Challan Desk';

/** Part 1 §1. */
export const pageTitle = (bannerName: string | undefined): string =>
  `${bannerName?.trim() || defaultBrand} - Transport Management System`;
