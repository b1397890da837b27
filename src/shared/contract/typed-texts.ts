/**
 * The parameters that hold what a person typed. That may be an account number, a PAN or a phone number, and proxies keep the
 * addresses of requests in their logs. So the client sends these parameters in a header, and the web app has them behind the
 * `#` of its own address, which a browser never sends (docs/security.md §8). tests/contract/typed-texts.test.ts asks for a new
 * one.
 */
export const typedTexts: ReadonlySet<string> = new Set(
  (
    'q search tpNo challanNumber vehicleNo vehicleNumber material place ownerName loadingPlace unloadingPlace netFrom ' +
    'netTo amountFrom amountTo sheet materialIs loadingPlaceIs unloadingPlaceIs vehicleIs driverIs paymentIs route'
  ).split(' '),
);

/** The header with parameters of the query or of the path, written as in a query. Every call accepts it. */
export const typedHeader = 'x-typed';

/** The parameters that may be in an address, and those that may not. */
export function splitQuery(query: URLSearchParams): { open: URLSearchParams; typed: URLSearchParams } {
  const [open, typed] = [new URLSearchParams(), new URLSearchParams()];
  for (const [name, value] of query) (typedTexts.has(name) ? typed : open).append(name, value);
  return { open, typed };
}

/** An address with this query, if there is any. */
export const withQuery = (path: string, query: URLSearchParams, mark: '?' | '#' = '?'): string =>
  query.size > 0 ? `${path}${mark}${query.toString()}` : path;
