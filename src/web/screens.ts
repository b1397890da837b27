/**
 * Screens that another one loads before it goes there, so that a way that cannot be gone is told where it began. The
 * routes load them by the same functions.
 */
export const loadOwnerChallans = () => import('./pages/owner-challans/owner-challans-page.tsx');
