import { scaleBand, scaleLinear } from '@visx/scale';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDate, formatShortDate } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { plotLength } from '../../../shared/calc/dashboard.ts';
import type { Period, PeriodUnit } from '../../../shared/contract/dashboard.ts';
import { errorText, requestIdOf } from '../../kit/api/api-error.ts';
import type { dashboard } from '../../resources/dashboard.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { RequestId } from '../../kit/ui/request-id.tsx';
import { challansLink, type Filters } from './dashboard-state.ts';
import {
  countClass,
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

const minHeight = 224;
/**
 * The two panels above the labels of the time axis: two thirds of the height for the amounts, the rest for the number
 * of challans and its title.
 */
const panelBounds = (height: number) => {
  const bottom = height - 22;
  const split = Math.round(bottom * 0.64);
  return { amount: { top: 8, bottom: split }, count: { top: split + 24, bottom } };
};
const gutter = { left: 92, right: 6 };
/** The width that one label of the time axis needs, in pixels. */
const labelWidth = 64;

const unitTexts: Record<PeriodUnit, { one: string; note?: string }> = {
  week: { one: 'week' },
  month: { one: 'month', note: 'By month: the range is longer than 60 weeks.' },
  year: { one: 'year', note: 'By year: the range is longer than 60 months.' },
};

interface WeekPlotProps {
  query: ReturnType<typeof dashboard.useListWeeks>;
  filters: Filters;
}

/** Two panels over one time axis: the amounts, and the number of challans that make them up. */
export function WeekPlot({ query, filters }: WeekPlotProps) {
  const hatching = useHatching();
  const data = query.data?.data;
  const { one, note } = unitTexts[data?.unit ?? 'week'];
  const title = `Amount and challans by ${one}`;
  const periods = data?.periods ?? [];
  const marks = periods.filter(({ challanCount }) => challanCount > 0).map((item) => toMark(item, filters));

  const draw: DrawPlot = ({ width, height }, mark) => {
    const panels = panelBounds(height);
    const x = scaleBand<string>({
      domain: periods.map(({ startDate }) => startDate),
      range: [gutter.left, width - gutter.right],
      padding: periods.length > 30 ? 0.15 : 0.3,
    });
    const amountOf = (item: Period) => plotLength(item.paidAmount) + plotLength(item.unpaidAmount);
    const amount = scaleLinear<number>({
      domain: [0, Math.max(0.01, ...periods.map(amountOf))],
      range: [panels.amount.bottom, panels.amount.top],
      nice: 3,
    });
    const count = scaleLinear<number>({
      domain: [0, Math.max(1, ...periods.map(({ challanCount }) => challanCount))],
      range: [panels.count.bottom, panels.count.top],
      nice: 2,
    });
    const every = Math.max(1, Math.ceil(labelWidth / x.step()));
    return (
      <>
        <Hatching id={hatching.id} />
        <g aria-hidden className="nums fill-muted text-[11px]">
          <Axis scale={amount} ticks={3} width={width} format={formatRupeeTick} />
          <Axis scale={count} ticks={2} width={width} format={(value) => formatCount(value)} />
          <text x={gutter.left} y={panels.count.top - 8}>
            Challans
          </text>
          {periods.map(({ startDate }, index) => {
            if (index % every !== 0) return null;
            const middle = (x(startDate) ?? 0) + x.bandwidth() / 2;
            return (
              <text
                key={startDate}
                // The last label must not run over the edge of the plot.
                x={Math.min(middle, width - 24)}
                y={height - 4}
                textAnchor="middle"
              >
                {formatTick(startDate, data?.unit ?? 'week')}
              </text>
            );
          })}
        </g>
        {periods.map((item) => {
          if (item.challanCount === 0) return null;
          const left = x(item.startDate) ?? 0;
          const paidTop = amount(plotLength(item.paidAmount));
          const unpaidLength = panels.amount.bottom - amount(plotLength(item.unpaidAmount));
          const bar = { x: left, width: Math.max(1, x.bandwidth()) };
          const countTop = Math.min(count(item.challanCount), panels.count.bottom - 1);
          return mark(
            item.startDate,
            <>
              <rect
                x={left - (x.step() - x.bandwidth()) / 2}
                y={panels.amount.top}
                width={x.step()}
                height={panels.count.bottom - panels.amount.top}
                className="fill-transparent group-hover:fill-hover group-focus-visible:fill-hover"
              />
              <rect {...bar} y={paidTop} height={panels.amount.bottom - paidTop} className={paidClass} />
              {unpaidLength > 0 && (
                <rect
                  {...bar}
                  y={paidTop - unpaidLength}
                  height={unpaidLength}
                  fill={hatching.fill}
                  className={x.bandwidth() > 6 ? unpaidClass : ''}
                />
              )}
              <rect {...bar} y={countTop} height={panels.count.bottom - countTop} className={countClass} />
            </>,
          );
        })}
      </>
    );
  };

  return (
    <PlotCard title={title} note={note}>
      {query.error && data === undefined ? (
        <div
          role="alert"
          className="grid place-items-center content-center gap-2 text-muted"
          style={{ height: minHeight }}
        >
          {errorText(query.error, 'Failed to load the challans by week')}
          <RequestId id={requestIdOf(query.error)} />
          <Button size="sm" onClick={() => void query.refetch()} busy={query.isFetching}>
            Retry
          </Button>
        </div>
      ) : data === undefined ? (
        <Skeleton className="h-56 w-full" />
      ) : periods.length === 0 ? (
        <p className="grid place-items-center text-muted" style={{ height: minHeight }}>
          No deposited challans match these filters.
        </p>
      ) : (
        <PlotFrame label={title} height={minHeight} marks={marks} draw={draw} />
      )}
    </PlotCard>
  );
}

function toMark(item: Period, { tagId }: Filters): Mark {
  const { startDate, endDate } = item;
  return {
    key: startDate,
    row: 0,
    title: startDate === endDate ? formatDate(startDate) : `${formatDate(startDate)} to ${formatDate(endDate)}`,
    values: [
      ['Challans', formatCount(item.challanCount)],
      ['Amount', formatINR(item.totalAmount)],
      ['Paid', formatINR(item.paidAmount)],
      ['Unpaid', formatINR(item.unpaidAmount)],
    ],
    to: challansLink({ tagId, depositedStartDate: startDate, depositedEndDate: endDate }),
  };
}

function formatTick(day: string, unit: PeriodUnit): string {
  if (unit === 'year') return day.slice(0, 4);
  return unit === 'month' ? `${day.slice(5, 7)}/${day.slice(0, 4)}` : formatShortDate(day);
}

interface AxisProps {
  scale: ReturnType<typeof scaleLinear<number>>;
  ticks: number;
  width: number;
  format: (value: number) => string;
}

function Axis({ scale, ticks, width, format }: AxisProps) {
  // An axis of counts shows whole numbers only.
  const visibleTicks = scale.ticks(ticks).filter((tick) => ticks > 2 || Number.isInteger(tick));
  return visibleTicks.map((tick) => (
    <g key={tick} transform={`translate(0 ${scale(tick)})`}>
      <line x1={gutter.left} x2={width - gutter.right} className="stroke-line" />
      <text x={gutter.left - 8} textAnchor="end" dominantBaseline="central">
        {format(tick)}
      </text>
    </g>
  ));
}
