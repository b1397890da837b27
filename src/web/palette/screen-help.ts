import type { AccountRole } from '../../shared/contract/define.ts';
import { screenAt, screens, type Screen, type ScreenId } from '../screens.ts';
import { challanHelp } from './challan-help.ts';
import type { ScreenHelp } from './help-text.ts';
import { adminDashboardHelp, officeHelp } from './office-help.ts';

/** Every screen has its help. */
export const screenHelp: Readonly<Record<ScreenId, ScreenHelp>> = { ...challanHelp, ...officeHelp };

/** The help of the screen at an address, with the screen; undefined where there is none. */
export function helpAt(path: string, role: AccountRole): { screen: Screen; help: ScreenHelp } | undefined {
  const screen = screenAt(path);
  // Object.keys widens to string; these are the table's keys.
  const id = (Object.keys(screens) as ScreenId[]).find((one) => screens[one] === screen);
  if (!screen || id === undefined) return undefined;
  return { screen, help: id === 'dashboard' && role === 'admin' ? adminDashboardHelp : screenHelp[id] };
}
