import { matchPath } from 'react-router-dom';
import type { AccountRole } from '../shared/contract/define.ts';
import { namedScreens, type NamedScreen, type ScreenId } from '../shared/contract/nouns.ts';

export interface Screen extends Omit<NamedScreen, 'role'> {
  id: ScreenId;
  role: AccountRole | 'any';
  partOf?: ScreenId;
}

const rows: Readonly<Record<ScreenId, Omit<Screen, 'id' | 'role'> & Pick<NamedScreen, 'role'>>> = namedScreens;

/** The screens by id. */
export const screens = Object.fromEntries(
  (Object.keys(rows) as ScreenId[]).map((id) => [id, { role: 'subadmin', ...rows[id], id }]),
) as Readonly<Record<ScreenId, Screen>>;

export const allScreens: readonly Screen[] = Object.values(screens);

/** All paths that show a screen. */
export const pathsOf = ({ path, alsoAt = [] }: Screen): readonly string[] => [path, ...alsoAt];

/** Whether the palette leads here: all that is needed is the path. */
export const isInPalette = ({ path }: Screen): boolean => !path.includes(':');

export const isAt = (path: string) => (pattern: string) => matchPath(pattern, path) !== null;

/** The key of a screen's stored settings and actions: 'petrolPumps' → 'petrol-pumps'. */
export const keyOf = (id: ScreenId): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The screen at a path; undefined for the sign-in and for unknown paths. */
export const screenAt = (path: string): Screen | undefined =>
  allScreens.find((screen) => pathsOf(screen).some(isAt(path)));

export const isFor = (role: AccountRole, screen: Screen): boolean => screen.role === 'any' || screen.role === role;
