/** Whether the server answers this address itself. Such an address is never a page of the web app. */
export function isApi(pathname: string): boolean {
  return /^\/(api|health|share)(\/|$)/.test(pathname);
}

/** The API documentation is the exception: a page with its own files and its own content security policy. */
const isDocs = (pathname: string): boolean => /^\/api\/docs(\/|$)/.test(pathname);

/**
 * Headers of answers that are not pages, in case a browser shows one as a page: it runs nothing, loads nothing, allows
 * no frames and caches nothing (docs/security.md §7). `frame-ancestors` is needed because `default-src` does not cover
 * it.
 */
export const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

/** The headers of an answer at this address, in addition to those that every answer has. */
export function headersOf(url: string): Readonly<Record<string, string>> {
  const [pathname = '/'] = url.split('?');
  return isApi(pathname) && !isDocs(pathname) ? apiHeaders : {};
}
