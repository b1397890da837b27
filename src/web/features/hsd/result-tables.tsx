import { useImperativeHandle, useMemo, useRef, type ReactNode, type Ref } from 'react';
import { CircleCheck } from 'lucide-react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatINR, isNegative } from '../../../shared/calc/money.ts';
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
import {
  mostLookedUp,
  type HsdAlreadyVerified,
  type HsdUploadResult,
} from '../../../shared/contract/hsd-verification.ts';
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

interface LocalTableProps<Row> extends TableProps {
  label: string;
  noun: string;
  memoryKey: string;
  columns: readonly Column<Row>[];
  /** All rows. The table shows one page of them. */
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  empty: ReactNode;
  cells?: Readonly<Record<string, CellSpec<Row>>>;
  onOpen?: (row: Row) => void;
  openLabel?: string;
  selection?: GridSelection<Row>;
  footer?: ReactNode;
}

function LocalTable<Row>({ rows, place, onPlace, noun, ref, ...grid }: LocalTableProps<Row>) {
  const shown = useMemo(() => pageOf(rows, place), [rows, place]);
  const table = useRef<GridHandle<Row>>(null);
  useImperativeHandle(ref, () => ({ focusFirstRow: () => table.current?.focusFirstRow() }), []);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DataGrid<Row>
        {...grid}
        ref={table}
        rows={shown}
        status={loadedStatus}
        loadPage={pagesOfAll(rows)}
        pager={localPager(rows.length, place, onPlace, noun)}
      />
    </div>
  );
}

/** Opens the challan in a new tab, so that the results stay on the screen. */
const openChallan = ({ challanId }: { challanId: string }): void => {
  window.open(`/challans?open=${challanId}`, '_blank', 'noopener');
};
const keyOfChallan = (row: { challanId: string }): string => row.challanId;

interface MatchesProps extends TableProps {
  matches: readonly HsdMatchRow[];
  selection: GridSelection<HsdMatchRow>;
  footer: ReactNode;
}

export function MatchesTable({ matches, selection, footer, ...table }: MatchesProps) {
  return (
    <LocalTable<HsdMatchRow>
      {...table}
      label="Valid Matches"
      noun="matches"
      memoryKey="hsd-matches"
      columns={hsdMatchColumns}
      rows={matches}
      keyOf={keyOfMatch}
      onOpen={openChallan}
      openLabel="Open the challan in a new tab"
      selection={selection}
      footer={footer}
      empty={
        <EmptyState title="No row of the file matches a challan by TP number and amount.">
          The other tabs show what was found.
        </EmptyState>
      }
    />
  );
}

const mismatchCells: Readonly<Record<string, CellSpec<HsdMismatchRow>>> = {
  difference: {
    render: ({ difference }) => <Difference value={difference} />,
    text: ({ difference }) => difference,
  },
};

/**
 * Uploaded amount − challan amount: red with a plus where the pump claims more than the challan says, as for weights
 * (docs/specification.md §3.5).
 */
function Difference({ value }: { value: string }) {
  const isLess = isNegative(value);
  return (
    <span className={isLess ? 'nums text-good' : 'nums text-danger'}>
      {isLess ? '' : '+'}
      {formatINR(value)}
    </span>
  );
}

const good = <CircleCheck size={18} aria-hidden />;

interface VerifiedProps extends TableProps {
  results: HsdUploadResult['results'];
}

interface MismatchProps extends TableProps {
  mismatches: readonly HsdMismatchRow[];
  selection: GridSelection<HsdMismatchRow>;
  footer: ReactNode;
}

export function MismatchTable({ mismatches, ...table }: MismatchProps) {
  return (
    <LocalTable<HsdMismatchRow>
      {...table}
      label="Amount Mismatches"
      noun="mismatches"
      memoryKey="hsd-mismatches"
      columns={hsdMismatchColumns}
      rows={mismatches}
      keyOf={keyOfChallan}
      cells={mismatchCells}
      onOpen={openChallan}
      openLabel="Open the challan in a new tab"
      empty={<EmptyState icon={good} title="No amounts differ from their challans." />}
    />
  );
}

export function VerifiedTable({ results, ...table }: VerifiedProps) {
  return (
    <LocalTable<HsdAlreadyVerified>
      {...table}
      label="Already Verified"
      noun="challans"
      memoryKey="hsd-verified"
      columns={hsdVerifiedColumns}
      rows={results.discrepancies.alreadyVerified}
      keyOf={keyOfChallan}
      onOpen={openChallan}
      openLabel="Open the challan in a new tab"
      empty={<EmptyState icon={good} title="No challans of the file were already verified." />}
    />
  );
}

const keyOfNotFound = (row: { id: string }): string => row.id;

interface NotFoundProps extends TableProps {
  rows: readonly HsdNotFoundRow[];
  selection: GridSelection<HsdNotFoundRow>;
  onOpen: (row: HsdNotFoundRow) => void;
  footer: ReactNode;
}

export function NotFoundTable({ rows, ...table }: NotFoundProps) {
  return (
    <LocalTable<HsdNotFoundRow>
      {...table}
      footer={
        rows.length > mostLookedUp ? (
          <>
            <p className="text-sm text-muted">
              TP numbers that differ by one character were looked for in the first {formatCount(mostLookedUp)} of these
              rows, and TP numbers that differ by leading zeros in all of them.
            </p>
            {table.footer}
          </>
        ) : (
          table.footer
        )
      }
      label="TP Not Found"
      noun="TP numbers"
      memoryKey="hsd-not-found"
      columns={hsdNotFoundColumns}
      rows={rows}
      keyOf={keyOfNotFound}
      openLabel="Choose the challan"
      empty={<EmptyState icon={good} title="No TP numbers were missing from the database." />}
    />
  );
}
