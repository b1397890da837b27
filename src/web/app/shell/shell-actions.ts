import { useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router-dom';
import { useActions, type Action } from '../../kit/actions/registry.ts';
import { isOffered, refusalOfRight } from '../../kit/api/seat.ts';
import type { Session } from '../../kit/api/session-store.ts';
import { allScreens, isFor, isInPalette } from '../../screens.ts';
import { areRowsAwaited } from '../../kit/ui/awaited-rows.ts';
import { signOut } from '../session/sign-out.ts';
import { toggleTheme } from '../../kit/ui/theme.ts';
import { currentUndo, subscribeUndo } from '../../kit/feedback/toast.ts';

/** The Tab stop of a list's table; null on screens that scroll as a whole, because there ↓ scrolls. */
const tableStop = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main [data-fill] .cd-grid [tabindex="0"]');

/** The table of such a screen is still being loaded. */
const isTableLoading = (): boolean => areRowsAwaited() && document.querySelector('main [data-fill]') !== null;

/** Whether the focus is not on a control: a screen starts with the focus on its heading. */
const isFocusOnHeading = (): boolean => document.activeElement?.matches('body, main, h1') ?? true;

interface ShellCommands {
  openPalette: () => void;
  openHelp: () => void;
  openMessages: () => void;
  toggleSidebar: () => void;
  lettersOn: boolean;
  toggleLetters: () => void;
}

/** The keys that work on every screen (docs/keyboard.md §2). */
export function useShellActions(session: Session, commands: ShellCommands): void {
  const navigate = useNavigate();
  const undo = useSyncExternalStore(subscribeUndo, currentUndo);
  const screens = allScreens
    .filter((screen) => isFor(session.role, screen) && isOffered(screen) && isInPalette(screen))
    .map(({ path, name, right, goTo, icon }): Action => ({
      id: goTo?.id ?? `go.${path}`,
      label: goTo?.label ?? name,
      keys: goTo?.keys ?? [],
      scope: 'Go to',
      icon,
      words: 'go open screen',
      disabledReason: refusalOfRight(right),
      run: () => void navigate(path),
    }));

  const general: Action[] = [
    {
      id: 'shell.undo',
      label: undo ? `Undo: ${undo.label}` : 'Undo what the last message offers to undo',
      keys: 'Ctrl+Z',
      scope: 'Everywhere',
      inPalette: undo !== undefined,
      notWhileTyping: true,
      disabledReason: undo ? undefined : 'There is nothing to undo',
      run: () => undo?.undo(),
    },
    {
      id: 'shell.palette',
      label: 'Go to, or do…',
      keys: 'Ctrl+K',
      scope: 'Everywhere',
      inPalette: false,
      run: commands.openPalette,
    },
    {
      id: 'shell.help',
      label: 'Help',
      keys: '?',
      scope: 'Everywhere',
      words: 'keyboard shortcuts keys how',
      inDialogs: true,
      run: commands.openHelp,
    },
    {
      id: 'shell.messages',
      label: 'Messages',
      keys: 'g m',
      scope: 'Everywhere',
      words: 'notifications toasts log read again',
      run: commands.openMessages,
    },
    {
      id: 'shell.theme',
      label: 'Switch between light and dark theme',
      scope: 'Everywhere',
      words: 'appearance colour',
      run: toggleTheme,
    },
    {
      id: 'shell.sidebar',
      label: 'Collapse or expand the sidebar',
      scope: 'Everywhere',
      words: 'menu',
      run: commands.toggleSidebar,
    },
    {
      id: 'shell.letters',
      label: commands.lettersOn ? 'Turn single-letter keys off' : 'Turn single-letter keys on',
      scope: 'Everywhere',
      words: 'keyboard shortcuts',
      run: commands.toggleLetters,
    },
    {
      id: 'shell.table',
      label: 'Go from the heading into the table',
      keys: '↓',
      scope: 'Everywhere',
      inPalette: false,
      needsRows: true,
      when: () => isFocusOnHeading() && (tableStop() !== null || isTableLoading()),
      run: () => tableStop()?.focus(),
    },
    { id: 'shell.logout', label: 'Logout', scope: 'Everywhere', words: 'sign out leave', run: signOut },
  ];
  useActions([...general, ...screens]);
}
