import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { Outlet, useLocation, useNavigation } from 'react-router-dom';
import { LazyDialog } from '../../kit/actions/lazy-dialog.tsx';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { listenForKeys } from '../../kit/actions/registry-keys.ts';
import {
  endSession,
  getPause,
  isSessionKept,
  registerLayout,
  type Session,
  viewerOf,
} from '../../kit/api/session-store.ts';
import { setAsker } from '../../kit/api/client.ts';
import { OnGridContext } from '../../kit/grid/grid-settings.ts';
import { refusalOfRight } from '../../kit/api/seat.ts';
import { screenAt } from '../../screens.ts';
import { pages } from '../pages.ts';
import { ScreenIcon } from '../../kit/ui/empty-state.tsx';
import { topDialog } from '../../kit/ui/dialog-stack.ts';
import { useStartedJob } from '../../kit/grid/whole-list.ts';
import { usePrinting } from '../../kit/ui/printing.ts';
import { useDelayed } from '../../kit/ui/skeleton.tsx';
import { usePreference } from '../../kit/api/account-storage.ts';
import { ConfirmHost } from '../../kit/feedback/confirm.tsx';
import { Header } from './header.tsx';
import { LeaveGuardHost } from '../../kit/feedback/leave-guard.ts';
import { Palette } from '../palette/palette.tsx';
import { usePause, useSession } from '../../kit/api/use-session.ts';
import { useShellActions } from './shell-actions.ts';
import { Sidebar, useSidebar } from './sidebar.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { Toaster } from '../../kit/feedback/toaster.tsx';

const ViewBanner = lazy(() => import('./view-banner.tsx'));
const NotForSeat = lazy(() => import('./not-for-seat.tsx'));
const MessagesDialog = lazy(() => import('../../kit/feedback/messages-dialog.tsx'));
const GridViewSync = lazy(() => import('./grid-view-sync.ts'));
const WholeListJob = lazy(() => import('./whole-list-job.tsx'));
const ShortcutHelp = lazy(() => import('../palette/shortcut-help.tsx'));

setAsker((refusal) =>
  refusal.code === 'CONFIRMATION_WANTED' || refusal.code === 'SECOND_STEP_MISSING'
    ? import('../session/asked.tsx').then(({ ask }) => ask(refusal))
    : undefined,
);

/** Sidebar, header and the current screen, for a signed-in user. */
export function Layout() {
  const session = useSession();
  // The route guard requires a session, but between its end and the redirect there is one render without it.
  return session ? <SignedIn key={viewerOf(session)} session={session} /> : null;
}

const notKept =
  'This browser has no room for your session or does not keep it: a reload and other tabs ask you to sign in again.';

type Overlay = { kind: 'palette' } | { kind: 'messages' } | { kind: 'help'; dialog: symbol | undefined };

function SignedIn({ session }: { session: Session }) {
  const [isCollapsed, toggleSidebar] = useSidebar();
  const [lettersOn, setLettersOn] = usePreference('letter-keys', true);
  const [overlay, setOverlay] = useState<Overlay>();
  const isNavigating = useDelayed(useNavigation().state !== 'idle');
  const openPalette = useCallback((): void => setOverlay({ kind: 'palette' }), []);
  const close = (): void => setOverlay(undefined);

  useShellActions(session, {
    palette: openPalette,
    help: () => setOverlay((open) => open ?? { kind: 'help', dialog: topDialog() }),
    messages: () => setOverlay({ kind: 'messages' }),
    sidebar: toggleSidebar,
    letters: {
      label: lettersOn ? 'Turn single-letter keys off' : 'Turn single-letter keys on',
      run: () => setLettersOn(!lettersOn),
    },
  });
  const isKept = isSessionKept();
  useEffect(() => {
    if (!isKept) notify.warning(notKept);
  }, [isKept]);
  // A layout effect, so that keys work as soon as the shell shows.
  useLayoutEffect(
    () =>
      listenForKeys(
        (reason) => notify.info(reason),
        () => lettersOn,
      ),
    [lettersOn],
  );
  const [hasGrid, setHasGrid] = useState(false);
  const onGrid = useCallback(() => setHasGrid(true), []);

  return (
    <OnGridContext value={onGrid}>
      <SkipLinks />
      <div className="flex h-full">
        <Sidebar role={session.role} isCollapsed={isCollapsed} />
        <div className="flex h-full min-w-0 flex-1 flex-col">
          <Suspense>{session.user.view && <ViewBanner view={session.user.view} />}</Suspense>
          <Header session={session} isCollapsed={isCollapsed} onToggleSidebar={toggleSidebar} onPalette={openPalette} />
          <main id="main" tabIndex={-1} className="relative min-h-0 flex-1 overflow-auto bg-canvas outline-none">
            <PrintHead session={session} />
            {isNavigating && <div aria-hidden className="cd-progress fixed inset-x-0 top-0 h-0.5" />}
            <Shown />
          </main>
        </div>
      </div>
      <Toaster />
      <ConfirmHost />
      <LeaveGuardHost />
      <WholeListJobHost />
      {/* Not lazy: text typed while it loads would be taken for keys of the screen. */}
      {overlay?.kind === 'palette' && <Palette role={session.role} onClose={close} />}
      {/* The server stores the grid views of sub-admins only. */}
      <Suspense>{hasGrid && session.role === 'subadmin' && <GridViewSync />}</Suspense>
      <PausedSession session={session} />
      <LazyDialog>
        {overlay?.kind === 'messages' && <MessagesDialog onClose={close} />}
        {overlay?.kind === 'help' && (
          <ShortcutHelp
            dialog={overlay.dialog}
            role={session.role}
            lettersOn={lettersOn}
            onLetters={setLettersOn}
            onClose={close}
          />
        )}
      </LazyDialog>
    </OnGridContext>
  );
}

/** The screen, or why the seat may not open it. */
function Shown() {
  const screen = screenAt(useLocation().pathname);
  const reason = refusalOfRight(screen?.right);
  if (!screen) return <Outlet />;
  const { icon: Icon } = pages[screen.id];
  return reason ? (
    <Suspense>
      <NotForSeat title={screen.name} reason={reason} />
    </Suspense>
  ) : (
    <ScreenIcon value={<Icon size={18} aria-hidden />}>
      <Outlet />
    </ScreenIcon>
  );
}

/** Ctrl+P prints, and Ctrl+Shift+E saves, more than is shown. */
function WholeListJobHost() {
  const job = useStartedJob();
  return <LazyDialog>{job && <WholeListJob job={job} />}</LazyDialog>;
}

type SignInAgain = typeof import('../session/sign-in-again.tsx').SignInAgain;

/** Shows the sign-in over the screens of an expired session, which stay as they are. */
function PausedSession({ session }: { session: Session }) {
  const pause = usePause();
  const isPaused = pause !== null;
  const [loaded, setLoaded] = useState<{ SignInAgain: SignInAgain }>();
  useEffect(registerLayout, []);
  useEffect(() => {
    if (!isPaused || loaded) return;
    // Not `lazy`, which would remember a failed load. If the script cannot be loaded, the sign-in page opens instead.
    import('../session/sign-in-again.tsx').then(setLoaded, () => {
      if (getPause()) endSession('expired');
    });
  }, [isPaused, loaded]);
  if (!pause || !loaded) return null;
  return <loaded.SignInAgain session={session} hasRefusedWrite={pause.hasRefusedWrite} />;
}

/** The head of a printed page, which replaces sidebar and header: the business and the time of printing. */
function PrintHead({ session }: { session: Session }) {
  const printedAt = usePrinting();
  if (printedAt === undefined) return null;
  return (
    <p className="cd-print-head">
      <strong>{session.user.bannerName ?? 'Administration'}</strong>
      <span>Printed {formatDateTime(printedAt)}</span>
    </p>
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
        // Checked on focus, because the screen may have changed.
        onFocus={() => setHasTable(document.querySelector('main .cd-grid') !== null)}
        onClick={(event) => {
          // Focus it here: following the hash would add a history entry.
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
          Skip to table
        </button>
      )}
    </>
  );
}
