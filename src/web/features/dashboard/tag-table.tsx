import { useCallback, useMemo, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Tags } from 'lucide-react';
import { clsx } from 'clsx';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { compare, formatAmount, formatINR, isNegative, isZero } from '../../../shared/calc/money.ts';
import { paidTone, type PaidTone } from '../../../shared/calc/dashboard.ts';
import { tagFiguresColumns } from '../../../shared/columns/dashboard-columns.ts';
import type { TagFigures, TagTotals } from '../../../shared/contract/accounting.ts';
import type { accounting } from '../../resources/accounting.ts';
import { none } from '../../../shared/filters/define.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import type { CellSpec, GridStatus } from '../../kit/grid/grid-types.ts';
import { gridStatusOf } from '../../kit/feedback/grid-status.ts';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { challansLink, tagSortKeys, type Filters } from './dashboard-state.ts';
import { FigureLink } from './figure-link.tsx';

export interface TagSort {
  key: (typeof tagSortKeys)[number];
  order: 'asc' | 'desc';
}
export interface TagSortChange {
  tagsBy: TagSort['key'];
  tagsOrder: TagSort['order'];
}

interface TagTableProps {
  analytics: ReturnType<typeof accounting.useGetTagAnalytics>;
  filters: Filters;
  sort: TagSort;
  onSort: (change: TagSortChange) => void;
  /** See `useFilterProblem`. */
  mark: (status: GridStatus) => GridStatus;
}

const keyOf = (row: TagFigures): string => row.tagId ?? none;

/**
 * Sorts in the browser, since all tags are loaded. Equal rows keep the order of the server, the largest amount first.
 */
function sortRows(rows: readonly TagFigures[], { key, order }: TagSort): TagFigures[] {
  const by = {
    totalAmount: (a, b) => compare(a.totalAmount, b.totalAmount),
    tagName: (a, b) => a.tagName.localeCompare(b.tagName, 'en-IN'),
    challanCount: (a, b) => a.challanCount - b.challanCount,
    // Compares the exact shares by cross-multiplying the counts: two shares that round to the same percentage can
    // still differ.
    paidPercent: (a, b) => a.paidCount * Math.max(1, b.challanCount) - b.paidCount * Math.max(1, a.challanCount),
    averageValue: (a, b) => compare(a.averageValue, b.averageValue),
    differenceWeight: (a, b) => compare(a.differenceWeight, b.differenceWeight),
  } satisfies Record<TagSort['key'], (a: TagFigures, b: TagFigures) => number>;
  return rows.toSorted((a, b) => (order === 'asc' ? by[key](a, b) : by[key](b, a)));
}

/** The breakdown by tag (docs/specification.md §4.2). Each figure opens the challans it counts. */
export function TagTable({ analytics, filters, sort, onSort, mark }: TagTableProps) {
  const navigate = useNavigate();
  const data = analytics.data?.data;
  const { key, order } = sort;
  const rows = useMemo(
    () => (data ? sortRows(data.tagAnalytics.tagBreakdown, { key, order }) : undefined),
    [data, key, order],
  );
  const { startDate, endDate, tagId } = filters;
  const getListLink = useCallback(
    (tag: string, paymentStatus?: 'paid' | 'unpaid') =>
      challansLink({
        tagId: tag,
        ...(paymentStatus && { paymentStatus }),
        depositedStartDate: startDate,
        depositedEndDate: endDate,
      }),
    [startDate, endDate],
  );
  const cells = useMemo(() => makeCells(getListLink, tagId, data?.totals), [getListLink, tagId, data?.totals]);
  const open = useCallback((row: TagFigures) => void navigate(getListLink(keyOf(row))), [navigate, getListLink]);
  const status = gridStatusOf(analytics, 'Failed to load tag analytics data');

  return (
    <div className="flex min-w-0 flex-col">
      <DataGrid<TagFigures>
        leastRows={4}
        label="Breakdown by tag"
        memoryKey="dashboard-tags"
        columns={tagFiguresColumns}
        rows={rows}
        keyOf={keyOf}
        // The alert above the summary cards already shows the error.
        status={mark({ ...status, error: undefined })}
        empty={<NoTags />}
        sort={sort}
        onSort={(next) => {
          const tagsBy = tagSortKeys.find((known) => known === next.key);
          if (tagsBy) onSort({ tagsBy, tagsOrder: next.order });
        }}
        totals={data && { ...data.totals }}
        totalsLabel="Total"
        cells={cells}
        onOpen={open}
      />
    </div>
  );
}

function NoTags() {
  return (
    <EmptyState
      icon={<Tags size={18} aria-hidden />}
      title="No tags to show"
      actions={<Link to="/tags">Open tags</Link>}
    >
      Tags group challans. Create a tag and choose it in a challan, and it is counted here.
    </EmptyState>
  );
}

type GetListLink = (tag: string, paymentStatus?: 'paid' | 'unpaid') => string;

function makeCells(
  getListLink: GetListLink,
  tagId: string,
  totals: TagTotals | undefined,
): Record<string, CellSpec<TagFigures>> {
  /** A figure of each tag and of all. A linked one leads to its challans. */
  const figure = (
    key: 'challanCount' | 'totalAmount' | 'averageValue' | 'loadingWeight' | 'unloadingWeight' | 'differenceWeight',
    show: (of: TagFigures | TagTotals) => ReactNode,
    isLinked = false,
  ): CellSpec<TagFigures> => ({
    render: (row) => (isLinked ? <FigureLink to={getListLink(keyOf(row))}>{show(row)}</FigureLink> : show(row)),
    text: (row) => String(row[key]),
    total: () => {
      if (!totals) return undefined;
      if (!isLinked) return <span className={totalClass}>{show(totals)}</span>;
      return (
        <FigureLink to={getListLink(tagId)} className={totalClass}>
          {show(totals)}
        </FigureLink>
      );
    },
  });
  return {
    tagName: {
      render: (row) => (
        <span className="cd-value">
          <span className="cd-dot" style={{ backgroundColor: row.color }} aria-hidden />
          <FigureLink to={getListLink(keyOf(row))} className="cd-clip" title={row.tagName}>
            {row.tagName}
          </FigureLink>
        </span>
      ),
      text: (row) => row.tagName,
    },
    challanCount: figure('challanCount', ({ challanCount }) => formatCount(challanCount), true),
    challanShare: { render: (row) => <Percent value={row.challanShare} />, text: (row) => row.challanShare },
    totalAmount: figure('totalAmount', ({ totalAmount }) => formatINR(totalAmount), true),
    amountShare: { render: (row) => <Percent value={row.amountShare} />, text: (row) => row.amountShare },
    paidPercent: {
      render: (row) => <PaidBar figures={row} getListLink={(status) => getListLink(keyOf(row), status)} />,
      text: (row) => row.paidPercent,
      total: () => totals && <PaidBar figures={totals} getListLink={(status) => getListLink(tagId, status)} />,
    },
    averageValue: figure('averageValue', ({ averageValue }) => formatINR(averageValue)),
    loadingWeight: figure('loadingWeight', ({ loadingWeight }) => formatAmount(loadingWeight)),
    unloadingWeight: figure('unloadingWeight', ({ unloadingWeight }) => formatAmount(unloadingWeight)),
    differenceWeight: figure('differenceWeight', (of) => <Difference value={of.differenceWeight} />),
  };
}

/** A sum has more digits than its rows and is bold, so it is set smaller. */
const totalClass = 'text-xs';

function Percent({ value }: { value: string }) {
  return <span className="text-[11px] text-muted">{value} %</span>;
}

const barTones: Record<PaidTone, { bar: string; word: string }> = {
  good: { bar: 'bg-good', word: 'good' },
  warn: { bar: 'bg-warn', word: 'fair' },
  bad: { bar: 'bg-danger', word: 'low' },
};

interface PaidBarProps {
  figures: Pick<TagFigures, 'paidCount' | 'unpaidCount' | 'challanCount' | 'paidPercent'>;
  getListLink: (status: 'paid' | 'unpaid') => string;
}

/**
 * Paid and unpaid challans by count, and the paid share as a bar. The text beside the bar says the same as its colour
 * (docs/specification.md §19.5).
 */
function PaidBar({ figures, getListLink }: PaidBarProps) {
  const { paidCount, unpaidCount, challanCount, paidPercent } = figures;
  const tone = paidTone(paidCount, challanCount);
  const { bar, word } = barTones[tone];
  return (
    // Two lines. The compact density has lower rows: there it is one line with the bar under it.
    <span
      className="relative ml-auto flex w-full max-w-36 min-w-0 flex-col justify-center text-xs leading-[14px] in-data-[density=compact]:flex-row in-data-[density=compact]:justify-end in-data-[density=compact]:gap-1.5 in-data-[density=compact]:text-[11px] in-data-[density=compact]:leading-5"
      data-tone={tone}
    >
      <span className="truncate text-right">
        <FigureLink to={getListLink('paid')}>
          {formatCount(paidCount)}
          <span className="sr-only"> paid</span>
        </FigureLink>
        <span className="text-muted"> / </span>
        <FigureLink to={getListLink('unpaid')}>
          {formatCount(unpaidCount)}
          <span className="sr-only"> unpaid</span>
        </FigureLink>
      </span>
      <span
        className="flex items-center gap-2 text-[11px] leading-3 in-data-[density=compact]:leading-5"
        title={`${word}: ${paidPercent} % paid`}
      >
        <span
          aria-hidden
          className="block h-1 flex-1 in-data-[density=compact]:absolute in-data-[density=compact]:inset-x-0 in-data-[density=compact]:bottom-0 in-data-[density=compact]:h-0.5 overflow-hidden rounded-full bg-line forced-colors:border forced-colors:border-[CanvasText]"
        >
          <span
            className={clsx('block h-full rounded-full forced-colors:bg-[Highlight]', bar)}
            style={{ width: `${paidPercent}%` }}
          />
        </span>
        {/* The same width for every share, so that the bars can be compared. */}
        <span className="min-w-13 text-right in-data-[density=compact]:min-w-12">{paidPercent} %</span>
      </span>
    </span>
  );
}

/** Loading − unloading, always with a sign: red when positive, green when negative (docs/specification.md §3.5). */
function Difference({ value }: { value: string }) {
  if (isZero(value)) return <span className="text-muted">{formatAmount(value)}</span>;
  const isGain = isNegative(value);
  return (
    <span className={isGain ? 'text-good' : 'text-danger'}>
      {isGain ? formatAmount(value) : `+${formatAmount(value)}`}
    </span>
  );
}
