import { useMemo } from 'react';
import { scaleBand, scaleLinear } from '@visx/scale';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { compare, formatINR } from '../../../shared/calc/money.ts';
import { plotLength } from '../../../shared/calc/dashboard.ts';
import type { TagFigures } from '../../../shared/contract/accounting.ts';
import { none } from '../../../shared/filters/define.ts';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { challansLink, type Filters } from './dashboard-state.ts';
import {
  Hatching,
  paidClass,
  PlotCard,
  PlotFrame,
  formatRupeeTick,
  unpaidClass,
  useHatching,
  type DrawPlot,
  type Mark,
} from './plot-frame.tsx';

/** With more bars than this the table beside the plot is easier to read. */
const maxTags = 12;
const barHeight = 26;
const gutter = { left: 128, right: 14, bottom: 20 };
/** The width of one amount on the axis in pixels, so that two labels never touch. */
const tickWidth = 108;

interface TagPlotProps {
  rows: readonly TagFigures[] | undefined;
  filters: Filters;
}

interface Part {
  key: string;
  isPaid: boolean;
  amount: string;
  count: number;
}

/** Paid comes first: the bar runs from what is paid to what is still owed. */
const partsOf = (row: TagFigures): Part[] => {
  const tag = row.tagId ?? none;
  return [
    { key: `${tag} paid`, isPaid: true, amount: row.paidAmount, count: row.paidCount },
    { key: `${tag} unpaid`, isPaid: false, amount: row.unpaidAmount, count: row.unpaidCount },
  ].filter(({ count }) => count > 0);
};

/** Counts tags as the summary card does: the row of challans without a tag is not a tag. */
function countText(rows: readonly TagFigures[]): string {
  const tags = rows.filter(({ tagId }) => tagId !== null).length;
  return tags < rows.length ? `${tags} tags and the challans without a tag` : `${tags} tags`;
}

/** Draws the paid and unpaid amount of each tag, the largest first. */
export function TagPlot({ rows, filters }: TagPlotProps) {
  const hatching = useHatching();
  const { startDate, endDate } = filters;
  const withChallans = useMemo(
    () => rows?.filter((row) => row.challanCount > 0).toSorted((a, b) => compare(b.totalAmount, a.totalAmount)),
    [rows],
  );
  const drawn = withChallans?.slice(0, maxTags) ?? [];
  const marks = drawn.flatMap((row, index) =>
    partsOf(row).map(({ key, isPaid, amount, count }): Mark => ({
      key,
      row: index,
      title: `${row.tagName}, ${isPaid ? 'paid' : 'unpaid'}`,
      values: [
        ['Amount', formatINR(amount)],
        ['Challans', formatCount(count)],
        ['Of', formatINR(row.totalAmount)],
      ],
      to: challansLink({
        tagId: row.tagId ?? none,
        paymentStatus: isPaid ? 'paid' : 'unpaid',
        depositedStartDate: startDate,
        depositedEndDate: endDate,
      }),
    })),
  );
  const hiddenCount = (withChallans?.length ?? 0) - drawn.length;
  const height = Math.max(4, drawn.length) * barHeight + gutter.bottom;

  const draw: DrawPlot = ({ width }, mark) => {
    const most = Math.max(0.01, ...drawn.map((row) => plotLength(row.paidAmount) + plotLength(row.unpaidAmount)));
    const x = scaleLinear<number>({ domain: [0, most], range: [gutter.left, width - gutter.right], nice: 3 });
    const ticks = fittingTicks(x);
    const y = scaleBand<number>({
      domain: drawn.map((_, index) => index),
      range: [0, drawn.length * barHeight],
      padding: 0.3,
    });
    const bottom = drawn.length * barHeight;
    return (
      <>
        <Hatching id={hatching.id} />
        <g aria-hidden>
          {ticks.map((tick) => (
            <line key={tick} x1={x(tick)} x2={x(tick)} y2={bottom} className="stroke-line" />
          ))}
          {ticks.map((tick) => {
            // The last label ends at the edge of the plot instead of running over it.
            const isLast = x(tick) > width - tickWidth / 2;
            return (
              <text
                key={tick}
                x={isLast ? width : x(tick)}
                y={bottom + 14}
                textAnchor={isLast ? 'end' : 'middle'}
                className="nums fill-muted text-[11px]"
              >
                {formatRupeeTick(tick)}
              </text>
            );
          })}
        </g>
        {drawn.map((row, index) => {
          const top = y(index) ?? 0;
          let from = x(0);
          return (
            <g key={row.tagId ?? none}>
              <TagLabel row={row} y={top + y.bandwidth() / 2} />
              {partsOf(row).map(({ key, isPaid, amount }) => {
                const start = from;
                // A part is always visible, however small its amount is.
                const length = Math.max(3, x(plotLength(amount)) - x(0));
                from += length;
                return mark(
                  key,
                  <rect
                    x={start + 0.5}
                    y={top}
                    width={Math.max(2, length - 1)}
                    height={y.bandwidth()}
                    rx={1.5}
                    {...(isPaid ? { className: paidClass } : { className: unpaidClass, fill: hatching.fill })}
                  />,
                );
              })}
            </g>
          );
        })}
      </>
    );
  };

  return (
    <PlotCard
      title="Amount paid and unpaid by tag"
      note={
        hiddenCount > 0 ? `The ${maxTags} largest of ${countText(withChallans ?? [])}; the table has all.` : undefined
      }
    >
      {withChallans === undefined ? (
        <Skeleton className="h-32 w-full" />
      ) : drawn.length === 0 ? (
        <p className="grid h-32 place-items-center text-muted">No challans match these filters.</p>
      ) : (
        <PlotFrame label="Amount paid and unpaid by tag" height={height} marks={marks} draw={draw} />
      )}
    </PlotCard>
  );
}

/** The largest number of ticks whose labels fit: a tick without its value says nothing. */
function fittingTicks(x: ReturnType<typeof scaleLinear<number>>): number[] {
  const fitting = [4, 3, 2]
    .map((count) => x.ticks(count))
    .find(([first, second]) => first !== undefined && second !== undefined && x(second) - x(first) >= tickWidth);
  return fitting ?? x.ticks(1);
}

function TagLabel({ row, y }: { row: TagFigures; y: number }) {
  return (
    <g aria-hidden>
      <circle cx={5} cy={y} r={4.5} fill={row.color} className="stroke-ink/25" />
      {/* HTML cuts a long name where it no longer fits; SVG text would run into the bars. */}
      <foreignObject x={14} y={y - 8} width={gutter.left - 20} height={16}>
        <div className="truncate text-[11px] leading-4 text-ink" title={row.tagName}>
          {row.tagName}
        </div>
      </foreignObject>
    </g>
  );
}
