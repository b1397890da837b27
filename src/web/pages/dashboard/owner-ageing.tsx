import { useCallback, useEffect, useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { HandCoins } from 'lucide-react';
import { clsx } from 'clsx';
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
import { dashboard } from '../../api/dashboard.ts';
import { usePageSize } from '../../filters/page-size.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { CellSpec } from '../../grid/grid-types.ts';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { unpaidOf } from './dashboard-state.ts';
import { FigureLink } from './figure-link.tsx';

interface Place {
  page: number;
  limit: number;
  sortBy: (typeof ageingSortKeys)[number];
  sortOrder: 'asc' | 'desc';
}

const keyOf = (row: OwnerAgeingRow): string => row.ownerId;

/** A page of it, in the size that is chosen. */
export function useOwnerAgeing({ page, limit: chosen, sortBy, sortOrder }: Place) {
  const { limit, choose } = usePageSize('dashboard', chosen);
  return { limit, choose, query: dashboard.useListOwnerAgeing({ query: { page, limit, sortBy, sortOrder } }) };
}

/** What each owner has been waiting for, and for how long: all unpaid challans, whatever the filters above. */
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
  const { limit, choose: chooseSize, query } = ageing;
  const { page, sortBy, sortOrder } = place;
  const { data, isPlaceholderData } = query;
  const lastPage = Math.max(1, data?.pagination.totalPages ?? 1);
  // docs/specification.md §3.4: after the last owner of the last page is paid, step back a page.
  const isPastEnd = data !== undefined && !isPlaceholderData && page > lastPage;
  useEffect(() => {
    if (isPastEnd) onPlace({ page: lastPage }, { replace: true });
  }, [isPastEnd, lastPage, onPlace]);

  const today = data?.meta.today;
  const totals = data?.meta.totals;
  const cells = useMemo(() => (today && totals ? cellsOf(today, totals) : undefined), [today, totals]);
  const open = useCallback(
    (row: OwnerAgeingRow) => {
      if (today) void navigate(unpaidOf('total', today, row.ownerId));
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
          empty={<Nothing />}
          sort={{ key: sortBy, order: sortOrder }}
          onSort={({ key, order }) => {
            const known = ageingSortKeys.find((item) => item === key);
            if (known) onPlace({ sortBy: known, sortOrder: order, page: 1 });
          }}
          pager={{
            page,
            limit,
            totalCount: data?.pagination.totalCount ?? 0,
            noun: 'owners',
            onPage: (next) => onPlace({ page: next, limit }),
            onLimit: (size) => onPlace({ limit: chooseSize(size), page: 1 }),
          }}
          totals={totals && amountsOf(totals)}
          totalsLabel={`Total of ${(data?.pagination.totalCount ?? 0).toLocaleString('en-IN')}`}
          cells={cells}
          onOpen={open}
        />
      </div>
    </section>
  );
}

const buckets: readonly (AgeBucket | 'total')[] = ['total', ...ageBuckets];

/** For the grid: the sums by column, and what tells it that they changed. */
const amountsOf = (totals: UnpaidByAge): Record<string, string> =>
  Object.fromEntries(buckets.map((bucket) => [bucket, totals[bucket].amount]));

function cellsOf(today: string, totals: UnpaidByAge): Record<string, CellSpec<OwnerAgeingRow>> {
  const figures = buckets.map((bucket): [string, CellSpec<OwnerAgeingRow>] => [
    bucket,
    {
      render: (row) => <Unpaid unpaid={row[bucket]} to={unpaidOf(bucket, today, row.ownerId)} />,
      text: (row) => row[bucket].amount,
      total: () => <Unpaid unpaid={totals[bucket]} to={unpaidOf(bucket, today)} isTotal />,
    },
  ]);
  return {
    ownerName: {
      render: (row) => (
        <FigureLink to={unpaidOf('total', today, row.ownerId)} className="cd-clip">
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

/** Wide enough for most counts, and kept in every row: so that the amounts are aligned. */
const slotLook =
  'ml-1 inline-block min-w-[21px] text-right text-[11px] font-normal text-muted @max-[1200px]:hidden @min-[1500px]:min-w-8';

/** Amount and number of challans; nothing unpaid opens nothing. A sum is long: its count shows where there is room. */
function Unpaid({ unpaid: { count, amount }, to, isTotal }: UnpaidProps) {
  if (count === 0) {
    return (
      <>
        <span className="text-muted">—</span>
        <span aria-hidden className={slotLook} />
      </>
    );
  }
  const number = count.toLocaleString('en-IN');
  const what = `${number} ${count === 1 ? 'challan' : 'challans'}`;
  return (
    <FigureLink to={to} title={`${formatINR(amount)}, ${what}`} className={clsx(isTotal && 'text-xs')}>
      {formatINR(amount)}
      <span className="sr-only">, {what}</span>
      <span aria-hidden className={slotLook}>
        {isTotal ? <span className="hidden @min-[1500px]:inline">{number}</span> : number}
      </span>
    </FigureLink>
  );
}

function Nothing() {
  return (
    <EmptyState
      icon={<HandCoins size={18} aria-hidden />}
      title="Nobody is owed anything"
      actions={<Link to="/accounting/payments">See the payments</Link>}
    >
      Every challan is marked as paid.
    </EmptyState>
  );
}
