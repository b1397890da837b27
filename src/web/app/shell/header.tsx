import { lazy, memo, Suspense, useState } from 'react';
import { ChevronDown, CircleUser, Moon, PanelLeft, Search, Sun } from 'lucide-react';
import { seatNames } from '../../../shared/contract/seats.ts';
import type { Session } from '../../kit/api/session-store.ts';
import { IconButton } from '../../kit/ui/button.tsx';
import { KeyHint } from '../../kit/ui/key-hint.tsx';
import { toggleTheme, useTheme } from '../../kit/ui/theme.ts';

interface HeaderProps {
  session: Session;
  isCollapsed: boolean;
  onToggleSidebar: () => void;
  onPalette: () => void;
}

/** Memoised like the sidebar, so that opening something over the window does not render it again. */
export const Header = memo(function Header({ session, isCollapsed, onToggleSidebar, onPalette }: HeaderProps) {
  const { name, seat } = session.user;
  const theme = useTheme();
  const nextTheme = theme === 'dark' ? 'Light theme' : 'Dark theme';
  return (
    <header data-print="hide" className="flex h-12 shrink-0 items-center gap-2 border-b border-line bg-surface px-3">
      <IconButton
        label={isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'}
        icon={<PanelLeft size={16} aria-hidden />}
        aria-expanded={!isCollapsed}
        onClick={onToggleSidebar}
      />
      <div className="min-w-0 leading-tight">
        <p className="truncate font-semibold" title={session.user.bannerName}>
          {session.user.bannerName ?? 'Administration'}
        </p>
        {seat && (
          <p className="truncate text-xs text-muted">
            {name} · {seatNames[seat]}
          </p>
        )}
      </div>
      <button
        type="button"
        className="ml-auto flex h-8 items-center gap-2 rounded-md border border-control/60 bg-sunken px-2.5 text-muted hover:text-ink"
        onClick={onPalette}
      >
        <Search size={14} aria-hidden />
        <span className="hidden md:inline">Go to, or do…</span>
        <KeyHint keys="Ctrl+K" />
      </button>
      <IconButton
        label={nextTheme}
        icon={theme === 'dark' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
        onClick={toggleTheme}
      />
      <UserMenu session={session} />
    </header>
  );
});

const loadMenu = () => import('./user-menu.tsx');
const LazyMenu = lazy(loadMenu);

/** The button of the user menu. The menu and its Radix components load when the button is used. */
function UserMenu({ session }: { session: Session }) {
  const [isWanted, setWanted] = useState(false);
  const trigger = (
    <button
      type="button"
      aria-haspopup="menu"
      className="flex h-8 items-center gap-1.5 rounded-md px-2 hover:bg-hover"
      aria-label={`Account, ${session.user.email}`}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => setWanted(true)}
      onKeyDown={({ key }) => key === 'ArrowDown' && setWanted(true)}
    >
      <CircleUser size={18} aria-hidden />
      <ChevronDown size={13} aria-hidden className="text-muted" />
    </button>
  );
  if (!isWanted) return trigger;
  return (
    <Suspense fallback={trigger}>
      <LazyMenu session={session} trigger={trigger} />
    </Suspense>
  );
}
