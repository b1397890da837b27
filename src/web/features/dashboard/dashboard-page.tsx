import { Link } from 'react-router-dom';
import { UserCog } from 'lucide-react';
import { subadmins } from '../../resources/subadmins.ts';
import { KeyHint } from '../../kit/ui/key-hint.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { useSession } from '../../kit/api/use-session.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { BusinessDashboard } from './business-dashboard.tsx';
import { DataHealth } from './data-health.tsx';
import { CopyLimit } from './copy-limit.tsx';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';

/** /dashboard (docs/specification.md §4): the page depends on the role. */
export function DashboardPage() {
  const session = useSession();
  if (session?.role !== 'subadmin') return <AdminDashboard />;
  return <BusinessDashboard name={session.user.bannerName ?? session.user.email} />;
}

/** The dashboard of the admin (docs/specification.md §4.1): the number of sub-admins, and links to continue with. */
function AdminDashboard() {
  const query = subadmins.useList({ query: { page: 1, limit: 1 } });
  const count = query.data?.pagination.totalCount;
  const isFailed = query.error !== null && !query.isFetching;
  return (
    <Page title="Welcome back, Admin!">
      {isFailed && <QueryFailure query={query} fallback="Failed to fetch subadmins" />}
      <div className="flex max-w-3xl flex-wrap items-stretch gap-3">
        <div className="flex w-56">
          <StatCard
            label="Total Subadmins"
            value={count === undefined ? (isFailed ? '—' : undefined) : formatCount(count)}
            icon={<UserCog size={14} aria-hidden />}
          />
        </div>
        <section
          aria-label="Quick Actions"
          className="min-w-80 flex-1 rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
        >
          <h2 className="text-xs text-muted">Quick Actions</h2>
          <p className="mt-1">
            Add, edit, activate and deactivate accounts under{' '}
            <Link to="/admin/subadmins" className="underline">
              Subadmins
            </Link>{' '}
            <KeyHint keys="Alt+2" />. Press <KeyHint keys="Ctrl+K" /> to go anywhere and <KeyHint keys="?" /> to see all
            keys.
          </p>
        </section>
      </div>
      <DataHealth />
      <CopyLimit />
    </Page>
  );
}
