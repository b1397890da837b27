/** Addresses of the server's own, as against pages of the web app: none of them is ever a page. */
export function isApi(pathname: string): boolean {
  return /^\/(api|health|share)(\/|$)/.test(pathname);
}

/** Among them the one that is a page, with files and a policy of its own. */
const isDocs = (pathname: string): boolean => /^\/api\/docs(\/|$)/.test(pathname);

/**
 * What an answer that is no page says to a browser that shows it as one all the same: run nothing, load nothing, stand in
 * no frame, keep nothing (safety.md, rule 18 and H3). A frame is not among what default-src speaks for.
 */
export const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

/** The headers that the answer at an address carries beside those of every answer. */
export function headersOf(url: string): Readonly<Record<string, string>> {
  const [pathname = '/'] = url.split('?');
  return isApi(pathname) && !isDocs(pathname) ? apiHeaders : {};
}
