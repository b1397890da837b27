import type { AccountRole } from '../../../shared/contract/define.ts';
import type { ScreenId } from '../../../shared/contract/nouns.ts';
import { screenAt, type Screen } from '../../screens.ts';
import { accountingHelp } from '../../features/accounting/help.ts';
import { bankHelp } from '../../features/bank/help.ts';
import { challansHelp } from '../../features/challans/help.ts';
import { adminDashboardHelp, dashboardHelp } from '../../features/dashboard/help.ts';
import { hsdHelp } from '../../features/hsd/help.ts';
import { importHelp } from '../../features/import/help.ts';
import { masterDataHelp } from '../../features/master-data/help.ts';
import { ownersHelp } from '../../features/owners/help.ts';
import { paymentsHelp } from '../../features/payments/help.ts';
import { peopleHelp } from '../../features/people/help.ts';
import { profileHelp } from '../../features/profile/help.ts';
import { sharedReportsHelp } from '../../features/shared-reports/help.ts';
import { subadminsHelp } from '../../features/subadmins/help.ts';
import { exceptionsHelp } from '../../features/exceptions/help.ts';
import { tdsHelp } from '../../features/tds/help.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';

/** The help of each screen; a missing one does not compile. */
export const screenHelp: Readonly<Record<ScreenId, ScreenHelp>> = {
  ...accountingHelp,
  ...paymentsHelp,
  ...bankHelp,
  ...exceptionsHelp,
  ...tdsHelp,
  ...challansHelp,
  ...dashboardHelp,
  ...subadminsHelp,
  ...ownersHelp,
  ...masterDataHelp,
  ...sharedReportsHelp,
  ...hsdHelp,
  ...importHelp,
  ...profileHelp,
  ...peopleHelp,
};

/** The screen at a path and its help; undefined if there is none. */
export function helpAt(path: string, role: AccountRole): { screen: Screen; help: ScreenHelp } | undefined {
  const screen = screenAt(path);
  if (!screen) return undefined;
  const { id } = screen;
  return { screen, help: id === 'dashboard' && role === 'admin' ? adminDashboardHelp : screenHelp[id] };
}
