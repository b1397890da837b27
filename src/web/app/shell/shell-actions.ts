import { useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router-dom';
import { commandTable, useActions, useCommands, type Action, type Bindings } from '../../kit/actions/registry.ts';
import { isOffered, refusalOfRight } from '../../kit/api/seat.ts';
import type { Session } from '../../kit/api/session-store.ts';
import { allScreens, isFor, isInPalette } from '../../screens.ts';
import { pages } from '../pages.ts';
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

const everywhere = commandTable('Everywhere', {
  undo: {
    id: 'shell.undo',
    label: 'Undo what the last message offers to undo',
    keys: 'Ctrl+Z',
    notWhileTyping: true,
  },
  palette: { id: 'shell.palette', label: 'Go to, or do…', keys: 'Ctrl+K', inPalette: false },
  help: { id: 'shell.help', label: 'Help', keys: '?', words: 'keyboard shortcuts keys how', inDialogs: true },
  messages: { id: 'shell.messages', label: 'Messages', keys: 'g m', words: 'notifications toasts log read again' },
  theme: { id: 'shell.theme', label: 'Switch between light and dark theme', words: 'appearance colour' },
  sidebar: { id: 'shell.sidebar', label: 'Collapse or expand the sidebar', words: 'menu' },
  letters: { id: 'shell.letters', label: 'Turn single-letter keys on', words: 'keyboard shortcuts' },
  table: {
    id: 'shell.table',
    label: 'Go from the heading into the table',
    keys: '↓',
    inPalette: false,
    needsRows: true,
    when: () => isFocusOnHeading() && (tableStop() !== null || isTableLoading()),
  },
  logout: { id: 'shell.logout', label: 'Logout', words: 'sign out leave' },
});

type ShellCommands = Pick<Bindings<typeof everywhere>, 'palette' | 'help' | 'messages' | 'sidebar' | 'letters'>;

/** The keys that work on every screen (docs/keyboard.md §2). */
export function useShellActions(session: Session, commands: ShellCommands): void {
  const navigate = useNavigate();
  const undo = useSyncExternalStore(subscribeUndo, currentUndo);
  const screens = allScreens
    .filter((screen) => isFor(session.role, screen) && isOffered(screen) && isInPalette(screen))
    .map((screen) => ({ ...screen, ...pages[screen.id] }))
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
  useActions(screens);
  useCommands(everywhere, {
    undo: undo
      ? { label: `Undo: ${undo.label}`, run: () => undo.undo() }
      : { inPalette: false, disabledReason: 'There is nothing to undo', run: () => undefined },
    theme: toggleTheme,
    table: () => tableStop()?.focus(),
    logout: signOut,
    ...commands,
  });
}
