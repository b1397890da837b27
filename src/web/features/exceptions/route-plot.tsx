import { clsx } from 'clsx';
import { challansText } from '../../../shared/calc/count-text.ts';
import { plotLength } from '../../../shared/calc/dashboard.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import type { RouteShortage } from '../../../shared/contract/exceptions.ts';

interface RoutePlotProps {
  routes: readonly RouteShortage[];
  /** The route that the list has, in any case; '' for all. */
  chosen: string;
  onChoose: (route: string) => void;
}

/** The shortage of the days in rupees by route, the largest first. A bar filters the list, and once more shows all again. */
export function RoutePlot({ routes, chosen, onChoose }: RoutePlotProps) {
  if (routes.length === 0) return null;
  const longest = Math.max(...routes.map(({ amount }) => plotLength(amount)), 0.01);
  return (
    <section aria-labelledby="route-plot" className="rounded-md border border-line bg-surface px-3 py-2">
      <h2 id="route-plot" className="text-xs font-semibold text-muted">
        Shortage by route
      </h2>
      <ul className="grid grid-flow-col grid-rows-5 gap-x-6">
        {routes.map(({ route, amount, challanCount }) => {
          const isChosen = route.toLowerCase() === chosen.toLowerCase();
          const text = `${formatINR(amount)} in ${challansText(challanCount)}`;
          return (
            <li key={route} className="min-w-0">
              <button
                type="button"
                aria-pressed={isChosen}
                title={`${route}: ${text}`}
                className="flex h-6 w-full items-center gap-2 rounded-sm px-1 text-left text-sm hover:bg-hover"
                onClick={() => onChoose(isChosen ? '' : route)}
              >
                <span className={clsx('w-2/5 shrink-0 truncate', isChosen && 'font-semibold')}>{route}</span>
                <span aria-hidden className="min-w-0 flex-1">
                  <span
                    className={clsx('block h-3 rounded-sm', chosen === '' || isChosen ? 'bg-primary' : 'bg-primary/50')}
                    style={{ width: `${(plotLength(amount) / longest) * 100}%` }}
                  />
                </span>
                <span className="nums w-28 shrink-0 text-right">{formatINR(amount)}</span>
                <span className="sr-only">, {challansText(challanCount)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
