import { useEffect } from 'react';
import { createBrowserRouter, Navigate, Outlet, type RouteObject, useLocation, useRouteError } from 'react-router-dom';
import { setScreenNames } from '../kit/api/client.ts';
import { pages } from './pages.ts';
import { pathsOf, screenAt, screens, type Screen } from '../screens.ts';
import type { ScreenId } from '../../shared/contract/nouns.ts';
import { addressOf, queryOf } from '../kit/filters/url-state.ts';
import { useHeldKeys } from '../kit/actions/held-keys.ts';
import { pageTitle, useSession } from '../kit/api/use-session.ts';
import type { AccountRole } from '../../shared/contract/define.ts';
import { getLastEnd } from '../kit/api/session-store.ts';
import { CircleAlert } from 'lucide-react';
import { Button } from '../kit/ui/button.tsx';
import { EmptyState } from '../kit/ui/empty-state.tsx';

function Root() {
  useHeldKeys();
  const bannerName = useSession()?.user.bannerName;
  useEffect(() => {
    document.title = pageTitle(bannerName);
  }, [bannerName]);
  return <Outlet />;
}

/**
 * The route guard (docs/specification.md §2.2). Without a session it goes to /login and remembers the location; with the wrong
 * role it goes to /unauthorized.
 */
function RouteGuard({ only }: { only?: AccountRole }) {
  const session = useSession();
  const location = useLocation();
  if (!session) {
    // After Logout the location is not remembered: the next user may be somebody else.
    const from = getLastEnd() === 'logout' ? undefined : location.pathname + location.search + location.hash;
    return <Navigate to="/login" replace state={from ? { from } : null} />;
  }
  if (only && session.role !== only) return <Navigate to="/unauthorized" replace />;
  return <Outlet />;
}

/** Shown if a screen fails to render or its code fails to load. Typed text is kept in its draft. */
function ErrorPage() {
  const error = useRouteError();
  const isMissingCode = error instanceof Error && /import|fetch|chunk|module/i.test(error.message);
  return (
    <main role="alert" className="grid min-h-full place-items-center bg-canvas">
      <EmptyState
        icon={<CircleAlert size={20} aria-hidden />}
        title={<h1>This screen could not be shown</h1>}
        actions={
          <Button variant="primary" onClick={() => location.reload()}>
            Retry
          </Button>
        }
      >
        {isMissingCode
          ? 'A part of the application could not be loaded. Check the connection and try again.'
          : 'An unexpected error occurred. Saved data is not lost.'}
      </EmptyState>
    </main>
  );
}

const routesFor = (role: Screen['role']): RouteObject[] =>
  (Object.keys(screens) as ScreenId[])
    .filter((id) => screens[id].role === role)
    .map((id) => ({ screen: screens[id], load: pages[id].load }))
    .flatMap(({ screen, load }) => [
      ...pathsOf(screen).map((path) => ({ path, lazy: async () => ({ Component: await load() }) })),
      ...(screen.redirects ?? []).map((path) => ({ path, element: <Navigate to={screen.path} replace /> })),
    ]);

const joinPath = '/join';

/** All routes (docs/specification.md §2.1). A screen's code loads on the first visit. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <ErrorPage />,
    hydrateFallbackElement: <></>,
    children: [
      { path: '/login', lazy: async () => ({ Component: (await import('./session/login-pages.tsx')).LoginPage }) },
      {
        path: '/adminlogin',
        lazy: async () => ({ Component: (await import('./session/login-pages.tsx')).AdminLoginPage }),
      },
      { path: joinPath, lazy: async () => ({ Component: (await import('./session/join-page.tsx')).JoinPage }) },
      {
        path: '/unauthorized',
        lazy: async () => ({ Component: (await import('./shell/unauthorized-page.tsx')).UnauthorizedPage }),
      },
      {
        element: <RouteGuard />,
        children: [
          {
            lazy: async () => ({ Component: (await import('./shell/layout.tsx')).Layout }),
            children: [
              {
                errorElement: <ErrorPage />,
                children: [
                  ...routesFor('any'),
                  { element: <RouteGuard only="admin" />, children: routesFor('admin') },
                  { element: <RouteGuard only="subadmin" />, children: routesFor('subadmin') },
                ],
              },
            ],
          },
        ],
      },
      { path: '*', element: <Navigate to="/login" replace /> },
    ],
  },
];

setScreenNames((path) => screenAt(path)?.name);

export function makeRouter() {
  // What is behind the # of an invitation is for its page.
  if (location.pathname === joinPath) return createBrowserRouter(routes);
  // A link or bookmark of before may have typed texts in its query: a reload must not send them again.
  history.replaceState(history.state, '', addressOf(location.pathname, queryOf(location)));
  return createBrowserRouter(routes);
}
