import { dayOf } from '../../../shared/calc/dates.ts';
import { routeKey } from '../../../shared/calc/keys.ts';
import { plausibleWarnings, type PlausibleWarning, type Readings } from '../../../shared/calc/plausible.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import type { ChallanValues } from '../../../shared/contract/challan-fields.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { selectLastRates, type Route } from './challans.queries.ts';
import type { Changes } from '../history/history.queries.ts';

/** What is said about the values of a challan that is saved with them (docs/specification.md §8.3.5). */

export interface SavedChallan {
  data: Challan;
  warnings: PlausibleWarning[];
}

/**
 * Gives the warnings about new challans. Call it before they are stored: each is compared with the last challan of its route that
 * there is by then.
 */
export async function prepareWarnings(
  db: TenantDb,
  challans: readonly Route[],
): Promise<(challan: Readings & Route) => PlausibleWarning[]> {
  const routes = new Map(challans.map((challan) => [routeKey(challan), challan]));
  const lastRates = await selectLastRates(db, [...routes.values()]);
  const rates = new Map(lastRates.map((last) => [routeKey(last), last.ratePerMT]));
  const today = dayOf(new Date());
  return (challan) => plausibleWarnings({ ...challan, today, lastRate: rates.get(routeKey(challan)) });
}

/** Gives the warnings about the values that a change brings into a challan. */
export async function warningsOfChange(
  db: TenantDb,
  id: string,
  after: ChallanValues,
  changes: Changes,
): Promise<PlausibleWarning[]> {
  const isRateJudged = ['ratePerMT', 'loadingPlace', 'unloadingPlace'].some((field) => field in changes);
  const [last] = isRateJudged ? await selectLastRates(db, [after], id) : [];
  return plausibleWarnings(
    { ...after, today: dayOf(new Date()), lastRate: last?.ratePerMT },
    { isChanged: (field) => field in changes },
  );
}
