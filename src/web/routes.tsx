import { useEffect } from 'react';
import { createBrowserRouter, Navigate, Outlet, type RouteObject } from 'react-router-dom';
import { nameScreensBy } from './api/client.ts';
import { allScreens, pathsOf, screenAt, type Screen } from './screens.ts';
import { useHeldKeys } from './actions/held-keys.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { RouteGuard } from './shell/route-guard.tsx';
import { pageTitle, useSession } from './session/session.ts';

function Root() {
  useHeldKeys();
  const bannerName = useSession()?.user.bannerName;
  useEffect(() => {
    document.title = pageTitle(bannerName);
  }, [bannerName]);
  return <Outlet />;
}

const routesFor = (role: Screen['role']): RouteObject[] =>
  allScreens
    .filter((screen) => screen.role === role)
    .flatMap((screen) => [
      ...pathsOf(screen).map((path) => ({ path, lazy: async () => ({ Component: await screen.load() }) })),
      ...(screen.redirects ?? []).map((path) => ({ path, element: <Navigate to={screen.path} replace /> })),
    ]);

/** Every route of docs/specification.md §2.1. Screens are loaded when they are first visited. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <ErrorPage />,
    hydrateFallbackElement: <></>,
    children: [
      { path: '/login', lazy: async () => ({ Component: (await import('./session/login-page.tsx')).LoginPage }) },
      {
        path: '/adminlogin',
        lazy: async () => ({ Component: (await import('./session/admin-login-page.tsx')).AdminLoginPage }),
      },
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

nameScreensBy((path) => screenAt(path)?.name);

export const makeRouter = () => createBrowserRouter(routes);
