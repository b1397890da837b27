import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Outlet, useNavigation } from 'react-router-dom';
import { listenForKeys } from '../actions/registry-keys.ts';
import { preferencePrefix, type Session } from '../api/session-store.ts';
import { GridSettingsContext } from '../grid/grid-settings.ts';
import { useDelayed } from '../ui/skeleton.tsx';
import { usePreference } from './account-storage.ts';
import { ConfirmHost } from './confirm.tsx';
import { Header } from './header.tsx';
import { Palette } from './palette.tsx';
import { useSession } from './session.ts';
import { useShellActions } from './shell-actions.ts';
import { Sidebar } from './sidebar.tsx';
import { notify } from './toast.ts';
import { Toaster } from './toaster.tsx';

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'));

/** Sidebar, header and the screen, for everybody who is signed in. */
export function Layout() {
  const session = useSession();
  // The route guard around this stands for a session; between its end and the redirect there is one render without.
  return session ? <SignedIn key={session.user.id} session={session} /> : null;
}

function SignedIn({ session }: { session: Session }) {
  const [isCollapsed, setCollapsed] = usePreference('sidebar-collapsed', false);
  const [lettersOn, setLettersOn] = usePreference('letter-keys', true);
  const [overlay, setOverlay] = useState<'palette' | 'help'>();
  const isNavigating = useDelayed(useNavigation().state !== 'idle');
  const close = (): void => setOverlay(undefined);

  useShellActions(session, {
    openPalette: () => setOverlay('palette'),
    openHelp: () => setOverlay('help'),
    toggleSidebar: () => setCollapsed(!isCollapsed),
    lettersOn,
    toggleLetters: () => setLettersOn(!lettersOn),
  });
  useEffect(
    () =>
      listenForKeys(
        (_action, reason) => notify.info(reason),
        () => lettersOn,
      ),
    [lettersOn],
  );
  const gridSettings = useMemo(() => ({ storagePrefix: preferencePrefix(session.user.id) }), [session.user.id]);

  return (
    <GridSettingsContext value={gridSettings}>
      <SkipLinks />
      <div className="flex h-full">
        <Sidebar role={session.role} isCollapsed={isCollapsed} />
        <div className="flex h-full min-w-0 flex-1 flex-col">
          <Header
            session={session}
            isCollapsed={isCollapsed}
            onToggleSidebar={() => setCollapsed(!isCollapsed)}
            onPalette={() => setOverlay('palette')}
          />
          <main id="main" tabIndex={-1} className="relative min-h-0 flex-1 overflow-auto bg-canvas outline-none">
            {isNavigating && <div aria-hidden className="cd-progress fixed inset-x-0 top-0 h-0.5" />}
            <Outlet />
          </main>
        </div>
      </div>
      <Toaster />
      <ConfirmHost />
      {/* Not loaded when it is first asked for: what is typed meanwhile would be taken for keys of the screen. */}
      {overlay === 'palette' && <Palette role={session.role} onClose={close} />}
      <Suspense>
        {overlay === 'help' && <ShortcutHelp lettersOn={lettersOn} onLetters={setLettersOn} onClose={close} />}
      </Suspense>
    </GridSettingsContext>
  );
}

const skipLook =
  'sr-only focus:not-sr-only focus:absolute focus:left-2 focus:top-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2 focus:shadow-float';

function SkipLinks() {
  const [hasTable, setHasTable] = useState(false);
  return (
    <>
      <a
        href="#main"
        className={skipLook}
        // Asked when it matters: screens with a table and screens without come and go.
        onFocus={() => setHasTable(document.querySelector('main .cd-grid') !== null)}
        onClick={(event) => {
          // The address keeps its query: a hash of our own would be one more history entry.
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to main content
      </a>
      {hasTable && (
        <button
          type="button"
          className={skipLook}
          onClick={() => document.querySelector<HTMLElement>('main .cd-grid [tabindex="0"]')?.focus()}
        >
          Skip to the table
        </button>
      )}
    </>
  );
}
