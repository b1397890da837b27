import type { GridPager, GridStatus } from '../../grid/grid-types.ts';

/** The four kinds of results (docs/specification.md §11.1). */
export const resultKinds = ['matches', 'mismatches', 'verified', 'notFound'] as const;
export type ResultKind = (typeof resultKinds)[number];

export interface PagePlace {
  page: number;
  limit: number;
}

/** Where the user is in the results: kept while other tabs are looked at. */
export interface ResultsPlace {
  kind: ResultKind;
  pages: Readonly<Record<ResultKind, PagePlace>>;
}

/** docs/specification.md §11.1: 10 rows per page. */
const firstPage: PagePlace = { page: 1, limit: 10 };
export const firstPlace: ResultsPlace = {
  kind: 'matches',
  pages: { matches: firstPage, mismatches: firstPage, verified: firstPage, notFound: firstPage },
};

/** The rows are all here: a page of them is a cut. */
export const pageOf = <Row>(rows: readonly Row[], { page, limit }: PagePlace): readonly Row[] =>
  rows.slice((page - 1) * limit, page * limit);

export function localPager(
  totalCount: number,
  place: PagePlace,
  onPlace: (place: PagePlace) => void,
  noun: string,
): GridPager {
  return {
    ...place,
    totalCount,
    noun,
    // Alt+Page Up and Down walk the screen's tabs (docs/keyboard.md §9).
    withShift: true,
    onPage: (page) => onPlace({ ...place, page }),
    onLimit: (limit) => onPlace({ page: 1, limit }),
  };
}

/** Rows that came with the upload: nothing loads, nothing fails. */
export const alwaysThere: GridStatus = { isLoading: false, isFetching: false, onRetry: () => undefined };
