import { AdminDashboard } from './admin-dashboard.tsx';
import { useSession } from '../../session/session.ts';
import { BusinessDashboard } from './business-dashboard.tsx';

/** /dashboard (docs/specification.md §4) differs by role. */
export function DashboardPage() {
  const session = useSession();
  if (session?.role !== 'subadmin') return <AdminDashboard />;
  return <BusinessDashboard name={session.user.bannerName ?? session.user.email} />;
}
