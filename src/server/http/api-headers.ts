/** Addresses that the server answers itself and that are never a page of the web app. */
export function isApi(pathname: string): boolean {
  return /^\/(api|health|share)(\/|$)/.test(pathname);
}

/** The exception: a page with files and a policy of its own. */
const isDocs = (pathname: string): boolean => /^\/api\/docs(\/|$)/.test(pathname);

/**
 * For answers that are not pages, in case a browser shows one as a page: run nothing, load nothing, no frames, no
 * caching (docs/security.md §7). frame-ancestors is needed because default-src does not cover it.
 */
export const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

/** Headers that an answer at this address has in addition to the common ones. */
export function headersOf(url: string): Readonly<Record<string, string>> {
  const [pathname = '/'] = url.split('?');
  return isApi(pathname) && !isDocs(pathname) ? apiHeaders : {};
}
