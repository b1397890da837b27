import { NavLink, useLocation } from 'react-router-dom';
import { clsx } from 'clsx';
import type { AccountRole } from '../../shared/contract/define.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { menus, type Place } from './places.ts';
import { defaultBrand } from '../session/session.ts';

/** Pixels (docs/specification.md §3.1). */
const sidebarWidth = 250;
const sidebarCollapsedWidth = 80;

interface SidebarProps {
  role: AccountRole;
  isCollapsed: boolean;
}

export function Sidebar({ role, isCollapsed }: SidebarProps) {
  return (
    <aside
      data-print="hide"
      className="flex h-full shrink-0 flex-col overflow-y-auto border-r border-line bg-surface"
      style={{ width: isCollapsed ? sidebarCollapsedWidth : sidebarWidth }}
    >
      <div className={clsx('flex h-12 shrink-0 items-center gap-2.5', isCollapsed ? 'justify-center' : 'px-5')}>
        <img src="/favicon.svg" alt="" className="size-6" />
        {!isCollapsed && <span className="font-semibold">{defaultBrand}</span>}
      </div>
      <nav aria-label="Main" className={clsx('flex-1 pb-4', isCollapsed ? 'px-3' : 'px-3')}>
        {menus[role].map((group, index) => (
          <div
            key={group.label ?? `group-${index}`}
            className={clsx(index > 0 && 'mt-3', isCollapsed && index > 0 && 'border-t border-line pt-3')}
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
              {group.places.map((place) => (
                <li key={place.path}>
                  <Entry place={place} isCollapsed={isCollapsed} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </aside>
  );
}

function Entry({ place, isCollapsed }: { place: Place; isCollapsed: boolean }) {
  const { icon: Icon, label, keys, under } = place;
  const { pathname } = useLocation();
  const isUnder = under !== undefined && pathname.startsWith(under);
  return (
    <Tooltip text={isCollapsed ? label : undefined} keys={keys[0]} side="right" describes={false}>
      <NavLink
        to={place.path}
        end={place.exact ?? false}
        aria-label={isCollapsed ? label : undefined}
        className={({ isActive }) =>
          clsx(
            'flex h-8 items-center gap-2.5 rounded-md font-medium no-underline',
            isCollapsed ? 'justify-center' : 'px-2.5',
            isActive || isUnder ? 'bg-primary-soft text-primary' : 'text-ink hover:bg-hover',
          )
        }
      >
        <Icon size={16} aria-hidden className="shrink-0" />
        {!isCollapsed && label}
      </NavLink>
    </Tooltip>
  );
}
