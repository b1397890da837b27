import { AdminDashboard } from '../../shell/admin-dashboard.tsx';
import { useSession } from '../../shell/session.ts';
import { BusinessDashboard } from './business-dashboard.tsx';

/** /dashboard (part 1 §2) differs by role. */
export function DashboardPage() {
  const session = useSession();
  if (session?.role !== 'subadmin') return <AdminDashboard />;
  return <BusinessDashboard name={session.user.bannerName ?? session.user.email} />;
}
