import { useNavigate } from 'react-router-dom';
import { ChevronDown, CircleUser, LogOut, Moon, PanelLeft, Search, Sun } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { Session } from '../api/session-store.ts';
import { IconButton } from '../ui/button.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { screens } from '../screens.ts';
import { signOut } from '../session/sign-in.ts';
import { toggleTheme, useTheme } from './theme.ts';

interface HeaderProps {
  session: Session;
  isCollapsed: boolean;
  onToggleSidebar: () => void;
  onPalette: () => void;
}

export function Header({ session, isCollapsed, onToggleSidebar, onPalette }: HeaderProps) {
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
      <p className="min-w-0 truncate font-semibold" title={session.user.bannerName}>
        {session.user.bannerName ?? 'Administration'}
      </p>
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
}

const itemLook =
  'flex h-8 cursor-pointer items-center gap-2 rounded px-2 outline-none data-[highlighted]:bg-primary-soft data-[highlighted]:outline data-[highlighted]:outline-primary/60';

/** docs/specification.md §3.1: Logout, and Profile for sub-admins only. */
function UserMenu({ session }: { session: Session }) {
  const navigate = useNavigate();
  const { profile } = screens;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="flex h-8 items-center gap-1.5 rounded-md px-2 hover:bg-hover"
        aria-label={`Account, ${session.user.email}`}
      >
        <CircleUser size={18} aria-hidden />
        <ChevronDown size={13} aria-hidden className="text-muted" />
      </DropdownMenu.Trigger>
      {/* Not in a portal: inside the header it belongs to a landmark. */}
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        className="z-50 min-w-52 rounded-lg border border-line bg-raised p-1 shadow-float"
      >
        <p className="border-b border-line px-2 pt-1 pb-2 text-xs text-muted">
          {session.user.email}
          <br />
          {session.role === 'admin' ? 'Admin' : 'Subadmin'}
        </p>
        <div className="pt-1">
          {session.role === 'subadmin' && (
            <DropdownMenu.Item className={itemLook} onSelect={() => void navigate(profile.path)}>
              <profile.icon size={15} aria-hidden />
              {profile.name}
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item className={itemLook} onSelect={signOut}>
            <LogOut size={15} aria-hidden />
            Logout
          </DropdownMenu.Item>
        </div>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
