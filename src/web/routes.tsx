import { useEffect } from 'react';
import { createBrowserRouter, Navigate, Outlet, type RouteObject } from 'react-router-dom';
import { ErrorPage } from './shell/error-page.tsx';
import { loadOwnerChallans } from './screens.ts';
import { RouteGuard } from './shell/route-guard.tsx';
import { pageTitle, useSession } from './session/session.ts';

function Root() {
  const bannerName = useSession()?.user.bannerName;
  useEffect(() => {
    document.title = pageTitle(bannerName);
  }, [bannerName]);
  return <Outlet />;
}

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
  {
    path: '/accounting',
    lazy: async () => ({ Component: (await import('./pages/accounting/accounting-page.tsx')).AccountingPage }),
  },
  {
    // Without an id too: the screen says what is missing (docs/specification.md §9.2).
    path: '/accounting/owner/:ownerId?/challans',
    lazy: async () => ({ Component: (await loadOwnerChallans()).OwnerChallansPage }),
  },
  {
    // An empty id between its two strokes is no segment that a parameter could match.
    path: '/accounting/owner/*',
    lazy: async () => ({ Component: (await loadOwnerChallans()).OwnerChallansPage }),
  },
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
  {
    path: '/accounting/shared-reports',
    lazy: async () => ({
      Component: (await import('./pages/shared-reports/shared-reports-page.tsx')).SharedReportsPage,
    }),
  },
  {
    path: '/hsd-verification',
    lazy: async () => ({
      Component: (await import('./pages/hsd-verification/hsd-verification-page.tsx')).HsdVerificationPage,
    }),
  },
  {
    path: '/profile',
    lazy: async () => ({ Component: (await import('./pages/profile/profile-page.tsx')).ProfilePage }),
  },
];

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
                  { path: '/', element: <Navigate to="/dashboard" replace /> },
                  {
                    path: '/dashboard',
                    lazy: async () => ({
                      Component: (await import('./pages/dashboard/dashboard-page.tsx')).DashboardPage,
                    }),
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
