import { useCallback, useEffect, useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { HandCoins } from 'lucide-react';
import { clsx } from 'clsx';
import { challansText, formatCount } from '../../../shared/calc/count-text.ts';
import { formatDate } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { ownerAgeingColumns } from '../../../shared/columns/dashboard-columns.ts';
import {
  ageBuckets,
  ageingSortKeys,
  type AgeBucket,
  type OwnerAgeing as OwnerAgeingRow,
  type UnpaidByAge,
} from '../../../shared/contract/dashboard.ts';
import { pagesOf } from '../../kit/api/create-resource.ts';
import { dashboard } from '../../resources/dashboard.ts';
import { usePageSize } from '../../kit/filters/page-size.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import type { CellSpec } from '../../kit/grid/grid-types.ts';
import { gridStatusOf } from '../../kit/feedback/grid-status.ts';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { unpaidLink } from './dashboard-state.ts';
import { FigureLink } from './figure-link.tsx';

interface Place {
  page: number;
  limit: number;
  sortBy: (typeof ageingSortKeys)[number];
  sortOrder: 'asc' | 'desc';
}

const keyOf = (row: OwnerAgeingRow): string => row.ownerId;

/** Loads one page of the ageing table, in the page size that the user chose. */
export function useOwnerAgeing({ page, limit: chosenLimit, sortBy, sortOrder }: Place) {
  const { limit, choose: chooseLimit } = usePageSize('dashboard', chosenLimit);
  return { limit, chooseLimit, query: dashboard.useListOwnerAgeing({ query: { page, limit, sortBy, sortOrder } }) };
}

/** The unpaid amount of each owner by age. It covers all unpaid challans and ignores the filters above. */
export function OwnerAgeing({
  place,
  ageing,
  onPlace,
}: {
  place: Place;
  ageing: ReturnType<typeof useOwnerAgeing>;
  onPlace: (change: Partial<Place>, how?: { replace: boolean }) => void;
}) {
  const navigate = useNavigate();
  const { limit, chooseLimit, query } = ageing;
  const { page, sortBy, sortOrder } = place;
  const { data, isPlaceholderData } = query;
  const lastPage = Math.max(1, data?.pagination.totalPages ?? 1);
  // When the last owner of the last page is paid, the list steps back a page (docs/specification.md §3.4).
  const isPastEnd = data !== undefined && !isPlaceholderData && page > lastPage;
  useEffect(() => {
    if (isPastEnd) onPlace({ page: lastPage }, { replace: true });
  }, [isPastEnd, lastPage, onPlace]);

  const today = data?.meta.today;
  const totals = data?.meta.totals;
  const cells = useMemo(() => (today && totals ? makeCells(today, totals) : undefined), [today, totals]);
  const open = useCallback(
    (row: OwnerAgeingRow) => {
      if (today) void navigate(unpaidLink('total', today, row.ownerId));
    },
    [navigate, today],
  );
  const hasUndeposited = (totals?.notDeposited.count ?? 0) > 0;
  const rows = isPastEnd ? undefined : data?.data;
  return (
    <section aria-labelledby="owner-ageing" className="@container flex flex-col gap-2">
      <div>
        <h2 id="owner-ageing" tabIndex={-1} className="text-sm font-semibold outline-none">
          Owner Ageing
        </h2>
        <p className="min-h-5 text-xs text-muted">
          Unpaid challans of all dates by days since deposit{today && `, as of ${formatDate(today)}`}
          {sortBy === 'oldest' && sortOrder === 'desc' && '; the oldest debt first'}.
        </p>
      </div>
      <div className="flex flex-col">
        <DataGrid<OwnerAgeingRow>
          leastRows={5}
          label="Unpaid by owner and age"
          memoryKey="dashboard-ageing"
          columns={hasUndeposited ? ownerAgeingColumns.all : ownerAgeingColumns.deposited}
          rows={rows}
          keyOf={keyOf}
          status={gridStatusOf(query, 'Failed to fetch owner ageing')}
          empty={<NoUnpaid />}
          sort={{ key: sortBy, order: sortOrder }}
          onSort={({ key, order }) => {
            const known = ageingSortKeys.find((item) => item === key);
            if (known) onPlace({ sortBy: known, sortOrder: order, page: 1 });
          }}
          loadPage={pagesOf(query, ({ data }) => data)}
          pager={{
            page,
            limit,
            totalCount: data?.pagination.totalCount ?? 0,
            noun: 'owners',
            onPage: (next) => onPlace({ page: next, limit }),
            onLimit: (size) => onPlace({ limit: chooseLimit(size), page: 1 }),
          }}
          totals={totals && totalsByColumn(totals)}
          totalsLabel={`Total of ${formatCount(data?.pagination.totalCount ?? 0)}`}
          cells={cells}
          onOpen={open}
        />
      </div>
    </section>
  );
}

const buckets: readonly (AgeBucket | 'total')[] = ['total', ...ageBuckets];

/** The totals by column. The grid draws its totals row again when one of these values changes. */
const totalsByColumn = (totals: UnpaidByAge): Record<string, string> =>
  Object.fromEntries(buckets.map((bucket) => [bucket, totals[bucket].amount]));

function makeCells(today: string, totals: UnpaidByAge): Record<string, CellSpec<OwnerAgeingRow>> {
  const figures = buckets.map((bucket): [string, CellSpec<OwnerAgeingRow>] => [
    bucket,
    {
      render: (row) => <Unpaid unpaid={row[bucket]} to={unpaidLink(bucket, today, row.ownerId)} />,
      text: (row) => row[bucket].amount,
      total: () => <Unpaid unpaid={totals[bucket]} to={unpaidLink(bucket, today)} isTotal />,
    },
  ]);
  return {
    ownerName: {
      render: (row) => (
        <FigureLink to={unpaidLink('total', today, row.ownerId)} className="cd-clip">
          {row.ownerName}
        </FigureLink>
      ),
      text: (row) => row.ownerName,
    },
    ...Object.fromEntries(figures),
  };
}

interface UnpaidProps {
  unpaid: { count: number; amount: string };
  to: string;
  isTotal?: boolean;
}

/**
 * A slot for the count, wide enough for most counts. Rows without a count keep it too, so that the amounts are
 * aligned.
 */
const countSlotClass =
  'ml-1 inline-block min-w-[21px] text-right text-[11px] font-normal text-muted @max-[1200px]:hidden @min-[1500px]:min-w-8';

/**
 * Amount and number of challans, or a dash without a link if nothing is unpaid. A total is long, so its count is
 * shown only in a wide table.
 */
function Unpaid({ unpaid: { count, amount }, to, isTotal }: UnpaidProps) {
  if (count === 0) {
    return (
      <>
        <span className="text-muted">—</span>
        <span aria-hidden className={countSlotClass} />
      </>
    );
  }
  const number = formatCount(count);
  const what = challansText(count);
  return (
    <FigureLink to={to} title={`${formatINR(amount)}, ${what}`} className={clsx(isTotal && 'text-xs')}>
      {formatINR(amount)}
      <span className="sr-only">, {what}</span>
      <span aria-hidden className={countSlotClass}>
        {isTotal ? <span className="hidden @min-[1500px]:inline">{number}</span> : number}
      </span>
    </FigureLink>
  );
}

function NoUnpaid() {
  return (
    <EmptyState
      icon={<HandCoins size={18} aria-hidden />}
      title="Nobody is owed anything"
      actions={<Link to="/accounting/payments">Open payments</Link>}
    >
      Every challan is marked as paid.
    </EmptyState>
  );
}
