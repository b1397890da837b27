import { useImperativeHandle, useMemo, useRef, type ReactNode, type Ref } from 'react';
import { CircleCheck } from 'lucide-react';
import { clsx } from 'clsx';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatINR, isNegative, isPositive } from '../../../shared/calc/money.ts';
import type { Column } from '../../../shared/columns/define.ts';
import {
  hsdMatchColumns,
  hsdMismatchColumns,
  hsdNotFoundColumns,
  hsdVerifiedColumns,
  type HsdMatchRow,
  type HsdMismatchRow,
  type HsdNotFoundRow,
} from '../../../shared/columns/hsd-verification-columns.ts';
import { mostLookedUp, type HsdAlreadyVerified } from '../../../shared/contract/hsd-verification.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import {
  pagesOfAll,
  type CellSpec,
  type GridHandle,
  type GridPager,
  type GridSelection,
  type GridStatus,
} from '../../kit/grid/grid-types.ts';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { keyOfMatch } from './use-match-selection.ts';

/** The four kinds of results (docs/specification.md §11.1). */
const resultKinds = ['matches', 'mismatches', 'verified', 'notFound'] as const;
export type ResultKind = (typeof resultKinds)[number];

export interface PagePlace {
  page: number;
  limit: number;
}

/** The place of the user in the results. It is kept while another tab is open. */
export interface ResultsPlace {
  kind: ResultKind;
  pages: Readonly<Record<ResultKind, PagePlace>>;
}

/** Result tables show 10 rows per page (docs/specification.md §11.1). */
const firstPage: PagePlace = { page: 1, limit: 10 };
export const firstPlace: ResultsPlace = {
  kind: 'matches',
  pages: { matches: firstPage, mismatches: firstPage, verified: firstPage, notFound: firstPage },
};

/** All rows are loaded, so a page is a slice of them. */
export function pageOf<Row>(rows: readonly Row[], { page, limit }: PagePlace): readonly Row[] {
  return rows.slice((page - 1) * limit, page * limit);
}

function localPager(
  totalCount: number,
  place: PagePlace,
  onPlace: (place: PagePlace) => void,
  noun: string,
): GridPager {
  return {
    ...place,
    totalCount,
    noun,
    // Alt+Page Up and Alt+Page Down switch the tabs of the screen, so pages need Shift (docs/keyboard.md §9).
    withShift: true,
    onPage: (page) => onPlace({ ...place, page }),
    onLimit: (limit) => onPlace({ page: 1, limit }),
  };
}

/** The rows came with the upload, so there is nothing to load and nothing that can fail. */
const loadedStatus: GridStatus = { isLoading: false, isFetching: false, onRetry: () => undefined };

/** The methods that all four tables have. */
export interface TableHandle {
  focusFirstRow: () => void;
}

interface TableProps {
  place: PagePlace;
  onPlace: (place: PagePlace) => void;
  ref: Ref<TableHandle>;
}

/** What a kind of results looks like in its table. */
interface ResultsSpec<Row> {
  label: string;
  noun: string;
  memoryKey: string;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  onOpen?: (row: Row) => void;
  openLabel: string;
  cells?: Readonly<Record<string, CellSpec<Row>>>;
  empty: ReactNode;
}

interface ResultsTableProps<Row> extends TableProps {
  of: ResultsSpec<Row>;
  /** All rows. The table shows one page of them. */
  rows: readonly Row[];
  onOpen?: (row: Row) => void;
  selection?: GridSelection<Row>;
  footer?: ReactNode;
}

export function ResultsTable<Row>({ of, rows, place, onPlace, ref, ...own }: ResultsTableProps<Row>) {
  const { noun, ...look } = of;
  const shown = useMemo(() => pageOf(rows, place), [rows, place]);
  const table = useRef<GridHandle<Row>>(null);
  useImperativeHandle(ref, () => ({ focusFirstRow: () => table.current?.focusFirstRow() }), []);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DataGrid<Row>
        {...look}
        {...own}
        ref={table}
        rows={shown}
        status={loadedStatus}
        loadPage={pagesOfAll(rows)}
        pager={localPager(rows.length, place, onPlace, noun)}
      />
    </div>
  );
}

/** In a new tab, so that the results stay on the screen. */
export const openChallan = (challanId: string): void => {
  window.open(`/challans?open=${challanId}`, '_blank', 'noopener');
};
const ofChallan = {
  keyOf: (row: { challanId: string }): string => row.challanId,
  onOpen: ({ challanId }: { challanId: string }): void => openChallan(challanId),
  openLabel: 'Open the challan in a new tab',
};
const good = <CircleCheck size={18} aria-hidden />;

export const matchResults: ResultsSpec<HsdMatchRow> = {
  ...ofChallan,
  label: 'Valid Matches',
  noun: 'matches',
  memoryKey: 'hsd-matches',
  columns: hsdMatchColumns,
  keyOf: keyOfMatch,
  empty: (
    <EmptyState title="No row of the file matches a challan by TP number and amount.">
      The other tabs show what was found.
    </EmptyState>
  ),
};

/**
 * Uploaded amount − challan amount: red with a plus where the pump claims more than the challan says, as for weights
 * (docs/specification.md §3.5).
 */
function Difference({ value }: { value: string }) {
  const tone = isNegative(value) ? 'text-good' : isPositive(value) && 'text-danger';
  return (
    <span className={clsx('nums', tone)}>
      {isPositive(value) && '+'}
      {formatINR(value)}
    </span>
  );
}
export const differenceCells: Readonly<Record<string, CellSpec<{ difference: string | null }>>> = {
  difference: {
    render: ({ difference }) => difference !== null && <Difference value={difference} />,
    text: ({ difference }) => difference ?? '',
  },
};

export const mismatchResults: ResultsSpec<HsdMismatchRow> = {
  ...ofChallan,
  label: 'Amount Mismatches',
  noun: 'mismatches',
  memoryKey: 'hsd-mismatches',
  columns: hsdMismatchColumns,
  cells: differenceCells,
  empty: <EmptyState icon={good} title="No amounts differ from their challans." />,
};

export const verifiedResults: ResultsSpec<HsdAlreadyVerified> = {
  ...ofChallan,
  label: 'Already Verified',
  noun: 'challans',
  memoryKey: 'hsd-verified',
  columns: hsdVerifiedColumns,
  empty: <EmptyState icon={good} title="No challans of the file were already verified." />,
};

export const notFoundResults: ResultsSpec<HsdNotFoundRow> = {
  label: 'TP Not Found',
  noun: 'TP numbers',
  memoryKey: 'hsd-not-found',
  columns: hsdNotFoundColumns,
  keyOf: ({ id }) => id,
  openLabel: 'Choose the challan',
  empty: <EmptyState icon={good} title="No TP numbers were missing from the database." />,
};

/** Said below the TP numbers that were not found, where only some of them were looked for. */
export function LookedUp({ count }: { count: number }) {
  if (count <= mostLookedUp) return null;
  return (
    <p className="text-sm text-muted">
      TP numbers that differ by one character were looked for in the first {formatCount(mostLookedUp)} of these rows,
      and TP numbers that differ by leading zeros in all of them.
    </p>
  );
}
