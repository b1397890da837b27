import { scaleBand, scaleLinear } from '@visx/scale';
import { formatDate, formatShortDate } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { plotLength } from '../../../shared/calc/plot-length.ts';
import type { Period, PeriodUnit } from '../../../shared/contract/dashboard.ts';
import { errorText, requestIdOf } from '../../api/api-error.ts';
import type { dashboard } from '../../api/dashboard.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RequestId } from '../../ui/request-id.tsx';
import { challansOf, type Filters } from './dashboard-state.ts';
import {
  countLook,
  Hatching,
  paidLook,
  PlotCard,
  PlotFrame,
  rupeeTick,
  unpaidLook,
  useHatching,
  type DrawPlot,
  type Mark,
} from './plot-frame.tsx';

const leastHeight = 224;
/** Above the labels along the bottom: two thirds for the amounts, the rest for the challans and their name. */
const panelsOf = (height: number) => {
  const bottom = height - 22;
  const split = Math.round(bottom * 0.64);
  return { amount: { top: 8, bottom: split }, count: { top: split + 24, bottom } };
};
const gutter = { left: 92, right: 6 };
/** Room of a label along the bottom. */
const labelWidth = 64;

const words: Record<PeriodUnit, { one: string; note?: string }> = {
  week: { one: 'week' },
  month: { one: 'month', note: 'By month: the range is longer than 60 weeks.' },
  year: { one: 'year', note: 'By year: the range is longer than 60 months.' },
};

interface WeekPlotProps {
  query: ReturnType<typeof dashboard.useListWeeks>;
  filters: Filters;
}

/** Two panels over one axis of time: amounts, and how many challans they are of. */
export function WeekPlot({ query, filters }: WeekPlotProps) {
  const hatching = useHatching();
  const data = query.data?.data;
  const { one, note } = words[data?.unit ?? 'week'];
  const title = `Amount and challans by ${one}`;
  const periods = data?.periods ?? [];
  const marks = periods.filter(({ challanCount }) => challanCount > 0).map((item) => markOf(item, filters));

  const draw: DrawPlot = ({ width, height }, mark) => {
    const panels = panelsOf(height);
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
          <Axis scale={amount} ticks={3} width={width} text={rupeeTick} />
          <Axis scale={count} ticks={2} width={width} text={(value) => value.toLocaleString('en-IN')} />
          <text x={gutter.left} y={panels.count.top - 8}>
            Challans
          </text>
          {periods.map(({ startDate }, index) => {
            if (index % every !== 0) return null;
            const middle = (x(startDate) ?? 0) + x.bandwidth() / 2;
            return (
              <text
                key={startDate}
                // The last one stays inside of the plot.
                x={Math.min(middle, width - 24)}
                y={height - 4}
                textAnchor="middle"
              >
                {tickText(startDate, data?.unit ?? 'week')}
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
              <rect {...bar} y={paidTop} height={panels.amount.bottom - paidTop} className={paidLook} />
              {unpaidLength > 0 && (
                <rect
                  {...bar}
                  y={paidTop - unpaidLength}
                  height={unpaidLength}
                  fill={hatching.fill}
                  className={x.bandwidth() > 6 ? unpaidLook : ''}
                />
              )}
              <rect {...bar} y={countTop} height={panels.count.bottom - countTop} className={countLook} />
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
          style={{ height: leastHeight }}
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
        <p className="grid place-items-center text-muted" style={{ height: leastHeight }}>
          No deposited challans match these filters.
        </p>
      ) : (
        <PlotFrame label={title} height={leastHeight} marks={marks} draw={draw} />
      )}
    </PlotCard>
  );
}

function markOf(item: Period, { tagId }: Filters): Mark {
  const { startDate, endDate } = item;
  return {
    key: startDate,
    row: 0,
    title: startDate === endDate ? formatDate(startDate) : `${formatDate(startDate)} to ${formatDate(endDate)}`,
    values: [
      ['Challans', item.challanCount.toLocaleString('en-IN')],
      ['Amount', formatINR(item.totalAmount)],
      ['Paid', formatINR(item.paidAmount)],
      ['Unpaid', formatINR(item.unpaidAmount)],
    ],
    to: challansOf({ tagId, depositedStartDate: startDate, depositedEndDate: endDate }),
  };
}

function tickText(day: string, unit: PeriodUnit): string {
  if (unit === 'year') return day.slice(0, 4);
  return unit === 'month' ? `${day.slice(5, 7)}/${day.slice(0, 4)}` : formatShortDate(day);
}

interface AxisProps {
  scale: ReturnType<typeof scaleLinear<number>>;
  ticks: number;
  width: number;
  text: (value: number) => string;
}

function Axis({ scale, ticks, width, text }: AxisProps) {
  // Half a challan is no tick.
  const whole = scale.ticks(ticks).filter((tick) => ticks > 2 || Number.isInteger(tick));
  return whole.map((tick) => (
    <g key={tick} transform={`translate(0 ${scale(tick)})`}>
      <line x1={gutter.left} x2={width - gutter.right} className="stroke-line" />
      <text x={gutter.left - 8} textAnchor="end" dominantBaseline="central">
        {text(tick)}
      </text>
    </g>
  ));
}
