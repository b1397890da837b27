import { dayOf, financialYearStart, formatDate } from './dates.ts';
import { yearLabel } from './financial-year.ts';

/** Declarations of owners from whom no tax is deducted (docs/specification.md §27.7). */

/** A declaration as far as a challan needs it: the first and the last day on which it is valid. */
export interface DeclaredDays {
  id: string;
  receivedOn: string;
  validFrom: string;
  validTo: string;
}

/** The day of a challan that decides whether a declaration is valid: the deposited day, else the loading day; '' without both. */
export function tdsDay(dates: {
  depositedAt?: string | null | undefined;
  loadingDate?: string | null | undefined;
}): string {
  const given = dates.depositedAt || dates.loadingDate;
  return given ? dayOf(given) : '';
}

/** The declaration that is valid on the day. Of several it is the one that was received last. */
export function declarationOn<D extends DeclaredDays>(declarations: readonly D[], day: string): D | undefined {
  return declarations
    .filter(({ validFrom, validTo }) => day !== '' && validFrom <= day && day <= validTo)
    .toSorted((a, b) => (a.receivedOn < b.receivedOn ? 1 : -1))[0];
}

/** '0 – declaration of 04/04/2026', wherever the percentage of a challan is shown. */
export const declaredText = (receivedOn: string): string => `0 – ${declarationText(receivedOn)}`;
export const declarationText = (receivedOn: string): string => `declaration of ${formatDate(receivedOn)}`;

/** The financial year of a declaration, which is that of its last day: '2026-27'. */
export const declaredYear = (validUntil: string): string => yearLabel(financialYearStart(validUntil));

/** The last day of the financial year of a day, until which a declaration is valid where nothing else is said. */
export const usualLastDay = (day: string): string => `${financialYearStart(day) + 1}-03-31`;
