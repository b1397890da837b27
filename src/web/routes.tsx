import { useEffect } from 'react';
import { createBrowserRouter, Navigate, Outlet, type RouteObject } from 'react-router-dom';
import { ErrorPage } from './shell/error-page.tsx';
import { RouteGuard } from './shell/route-guard.tsx';
import { pageTitle, useSession } from './shell/session.ts';

function Root() {
  const bannerName = useSession()?.user.bannerName;
  useEffect(() => {
    document.title = pageTitle(bannerName);
  }, [bannerName]);
  return <Outlet />;
}

const comingLater = (path: string, title: string): RouteObject => ({
  path,
  lazy: async () => {
    const { ComingLater } = await import('./shell/coming-later.tsx');
    return { element: <ComingLater title={title} /> };
  },
});

const adminRoutes: RouteObject[] = [
  { path: '/admin', element: <Navigate to="/admin/subadmins" replace /> },
  {
    path: '/admin/subadmins',
    lazy: async () => ({ Component: (await import('./pages/subadmins/subadmins-page.tsx')).SubadminsPage }),
  },
];

const subadminRoutes: RouteObject[] = [
  { path: '/owners', lazy: async () => ({ Component: (await import('./pages/owners/owners-page.tsx')).OwnersPage }) },
  {
    path: '/owners/copy',
    lazy: async () => ({ Component: (await import('./pages/copy-owners/copy-owners-page.tsx')).CopyOwnersPage }),
  },
  { path: '/trucks', lazy: async () => ({ Component: (await import('./pages/trucks/trucks-page.tsx')).TrucksPage }) },
  { path: '/tags', lazy: async () => ({ Component: (await import('./pages/tags/tags-page.tsx')).TagsPage }) },
  {
    path: '/petrol-pumps',
    lazy: async () => ({ Component: (await import('./pages/petrol-pumps/petrol-pumps-page.tsx')).PetrolPumpsPage }),
  },
  {
    path: '/challans',
    lazy: async () => ({ Component: (await import('./pages/challan-list/challan-list-page.tsx')).ChallanListPage }),
  },
  ...['/challans/create', '/challans/edit/:id'].map((path) => ({
    path,
    lazy: async () => ({ Component: (await import('./pages/challan-form/challan-form-page.tsx')).ChallanFormPage }),
  })),
  comingLater('/accounting', 'Accounting Management'),
  comingLater('/accounting/owner/:ownerId/challans', 'Owner Challans'),
  {
    path: '/accounting/bank-statement',
    lazy: async () => ({
      Component: (await import('./pages/bank-statement/bank-statement-page.tsx')).BankStatementPage,
    }),
  },
  {
    path: '/accounting/payments',
    lazy: async () => ({
      Component: (await import('./pages/payment-batches/payment-batches-page.tsx')).PaymentBatchesPage,
    }),
  },
  comingLater('/hsd-verification', 'HSD Verification'),
  comingLater('/profile', 'My Profile'),
];

/** Every route of both parts (§2). Screens are loaded when they are first visited. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <ErrorPage />,
    hydrateFallbackElement: <></>,
    children: [
      { path: '/login', lazy: async () => ({ Component: (await import('./shell/login-page.tsx')).LoginPage }) },
      {
        path: '/adminlogin',
        lazy: async () => ({ Component: (await import('./shell/admin-login-page.tsx')).AdminLoginPage }),
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
                  { path: '/', element: <Navigate to="/dashboard" replace /> },
                  {
                    path: '/dashboard',
                    lazy: async () => ({ Component: (await import('./shell/dashboard-page.tsx')).DashboardPage }),
                  },
                  { element: <RouteGuard only="admin" />, children: adminRoutes },
                  { element: <RouteGuard only="subadmin" />, children: subadminRoutes },
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

export const makeRouter = () => createBrowserRouter(routes);
