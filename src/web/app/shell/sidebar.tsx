import { Link, useLocation } from 'react-router-dom';
import { clsx } from 'clsx';
import type { AccountRole } from '../../../shared/contract/define.ts';
import { Tooltip } from '../../kit/ui/tooltip.tsx';
import { refusalOfRight } from '../../kit/api/seat.ts';
import { allScreens, isFor, screenAt, type Screen } from '../../screens.ts';
import { pages } from '../pages.ts';
import { defaultBrand } from '../../kit/api/use-session.ts';
import { lazy, memo, Suspense, useCallback, useState, useSyncExternalStore } from 'react';
import { readPreference, writePreference } from '../../kit/api/account-storage.ts';

/** Pixels (docs/specification.md §3.1). */
const sidebarWidth = 250;
const sidebarCollapsedWidth = 80;

interface SidebarProps {
  role: AccountRole;
  isCollapsed: boolean;
}

/** It comes after the screen, which does not wait for a number in the menu. */
const ReleaseBadge = lazy(() => import('../../features/payments/release-badge.tsx'));

/** Memoised, so that opening something over the window does not render it again. */
export const Sidebar = memo(function Sidebar({ role, isCollapsed }: SidebarProps) {
  return (
    <aside
      data-print="hide"
      // A phone has no room for the icons.
      className={clsx(
        'flex h-full shrink-0 flex-col overflow-y-auto border-r border-line bg-surface',
        isCollapsed && 'max-sm:hidden',
      )}
      style={{ width: isCollapsed ? sidebarCollapsedWidth : sidebarWidth }}
    >
      <div className={clsx('flex h-12 shrink-0 items-center gap-2.5', isCollapsed ? 'justify-center' : 'px-5')}>
        <img src="/favicon.svg" alt="" className="size-6" />
        {!isCollapsed && <span className="font-semibold">{defaultBrand}</span>}
      </div>
      <nav aria-label="Main" className={clsx('flex-1 pb-4', isCollapsed ? 'px-1' : 'px-3')}>
        {menuOf(role).map((group, index) => (
          <div
            key={group.label ?? `group-${index}`}
            className={clsx(index > 0 && (isCollapsed ? 'mt-1.5 border-t border-line pt-1.5' : 'mt-3'))}
          >
            {group.label && (
              <h2
                className={clsx(
                  'mb-1 px-2.5 text-[11px] font-semibold tracking-wide text-muted',
                  isCollapsed && 'sr-only',
                )}
              >
                {group.label}
              </h2>
            )}
            <ul className="grid gap-0.5">
              {group.screens.map((screen) => (
                <li key={screen.path}>
                  <Entry screen={screen} isCollapsed={isCollapsed} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </aside>
  );
});

function Entry({ screen, isCollapsed }: { screen: Screen; isCollapsed: boolean }) {
  const { id, name, path } = screen;
  const { icon: Icon, menu, goTo } = pages[id];
  const open = screenAt(useLocation().pathname);
  const isOpen = open === screen;
  const isMarked = isOpen || open?.partOf === id;
  return (
    <Tooltip text={isCollapsed ? name : undefined} keys={goTo?.keys?.[0]} side="right" describes={false}>
      <Link
        to={path}
        aria-label={isCollapsed ? name : undefined}
        aria-current={isOpen ? 'page' : isMarked || undefined}
        className={clsx(
          'relative flex items-center rounded-md font-medium no-underline',
          isCollapsed ? 'h-9 flex-col justify-center gap-0.5 text-[10px] leading-3' : 'h-8 gap-2.5 px-2.5',
          isMarked ? 'bg-primary-soft text-primary' : 'text-ink hover:bg-hover',
        )}
      >
        <Icon size={16} aria-hidden className="shrink-0" />
        {isCollapsed ? (menu?.short ?? name) : name}
        {id === 'payments' && (
          <Suspense fallback={null}>
            <ReleaseBadge isCollapsed={isCollapsed} />
          </Suspense>
        )}
      </Link>
    </Tooltip>
  );
}

/** In a window narrower than this the sidebar starts collapsed, because the tables need its space. */
const tight = '(width < 1440px)';
/** In a window narrower than this (200 % zoom) the sidebar would take half of it, so opening it is not remembered. */
const narrow = '(width < 1100px)';

function useMatch(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
  );
}

const key = 'sidebar-collapsed';
/** The user's choice; undefined if there is none, so that the width of the window decides. */
const stored = (): boolean | undefined => {
  const isCollapsed = readPreference(key, false);
  // If the value does not depend on the fallback, it is stored.
  return isCollapsed === readPreference(key, true) ? isCollapsed : undefined;
};

/** Whether the sidebar is collapsed, and a toggle. A choice in a wide window is remembered for the account. */
export function useSidebar(): [isCollapsed: boolean, toggle: () => void] {
  const isTight = useMatch(tight);
  const isNarrow = useMatch(narrow);
  const [chosen, setChosen] = useState(stored);
  const { pathname } = useLocation();
  /** The screen over which it was opened in a narrow window: the next one has it collapsed again. */
  const [openAt, setOpenAt] = useState<string>();
  const isCollapsed = isNarrow ? openAt !== pathname : (chosen ?? isTight);
  const toggle = useCallback((): void => {
    if (isNarrow) {
      setOpenAt(isCollapsed ? pathname : undefined);
      return;
    }
    setChosen(!isCollapsed);
    writePreference(key, !isCollapsed);
  }, [isNarrow, isCollapsed, pathname]);
  return [isCollapsed, toggle];
}

interface MenuGroup {
  /** The heading; undefined for entries without one. */
  label: string | undefined;
  screens: Screen[];
}

/** The menu of a role (docs/specification.md §3.1). */
export function menuOf(role: AccountRole): readonly MenuGroup[] {
  const groups: MenuGroup[] = [];
  for (const screen of allScreens) {
    const { menu } = pages[screen.id];
    if (!menu || !isFor(role, screen) || refusalOfRight(screen.right) !== undefined) continue;
    const { group } = menu;
    const last = groups.at(-1);
    if (last && last.label === group) last.screens.push(screen);
    else groups.push({ label: group, screens: [screen] });
  }
  return groups;
}
