import { isDay } from '../../shared/calc/dates.ts';
import { url, type UrlValue } from '../shell/url-state.ts';

/** Filter values as they stand in the address of a list. */

/** Part 2 §9. */
export const pageSizes = [10, 20, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];
export const defaultPageSize: PageSize = 10;
export const pageSizeOf = (size: number): PageSize => pageSizes.find((known) => known === size) ?? defaultPageSize;
/** 0: as this account last chose it. */
export const limitValue = (): UrlValue<0 | PageSize> => url.oneOf([0, ...pageSizes], 0);

/** A challan without a tag, as a filter (wire.md). */
export const withoutTag = 'none';

const idPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** An id of the address; what is none is as good as absent, rather than an error of the server's. */
export function idValue(...also: string[]): UrlValue<string> {
  return {
    fallback: '',
    parse: (text) => (idPattern.test(text) || also.includes(text) ? text : undefined),
    write: (value) => value,
  };
}

/** A day that exists: 31/02 in an address is no filter. */
export const dayValue: UrlValue<string> = {
  fallback: '',
  parse: (text) => (isDay(text) ? text : undefined),
  write: (value) => value,
};

/** A change of the deposited range as the address and the wire name it. */
export function depositedChange(change: { from?: string; to?: string }): {
  depositedStartDate?: string;
  depositedEndDate?: string;
} {
  return {
    ...(change.from === undefined ? {} : { depositedStartDate: change.from }),
    ...(change.to === undefined ? {} : { depositedEndDate: change.to }),
  };
}
