import type { AccountRole } from '../../../shared/contract/define.ts';
import type { ScreenId } from '../../../shared/screen-names.ts';
import { screenAt, screens, type Screen } from '../../screens.ts';
import { bankHelp } from './bank-help.ts';
import { challanHelp } from './challan-help.ts';
import type { ScreenHelp } from './help-text.ts';
import { adminDashboardHelp, officeHelp } from './office-help.ts';

/** The help of each screen; a missing one does not compile. */
export const screenHelp: Readonly<Record<ScreenId, ScreenHelp>> = { ...challanHelp, ...bankHelp, ...officeHelp };

/** The screen at a path and its help; undefined if there is none. */
export function helpAt(path: string, role: AccountRole): { screen: Screen; help: ScreenHelp } | undefined {
  const screen = screenAt(path);
  // Safe: these are the table's keys, which Object.keys types as string.
  const id = (Object.keys(screens) as ScreenId[]).find((one) => screens[one] === screen);
  if (!screen || id === undefined) return undefined;
  return { screen, help: id === 'dashboard' && role === 'admin' ? adminDashboardHelp : screenHelp[id] };
}
