import { Link } from 'react-router-dom';
import { FilePlus2, FileText, Landmark, ReceiptIndianRupee, type LucideIcon } from 'lucide-react';
import { KeyHint } from '../ui/key-hint.tsx';
import { AdminDashboard } from './admin-dashboard.tsx';
import { Page } from './page.tsx';
import { useSession } from './session.ts';

interface Way {
  to: string;
  label: string;
  text: string;
  keys: string;
  icon: LucideIcon;
}

const ways: readonly Way[] = [
  { to: '/challans/create', label: 'New challan', text: 'Record a delivery slip', keys: 'Alt+N', icon: FilePlus2 },
  { to: '/challans', label: 'Challans', text: 'Find, edit and export them', keys: 'Alt+6', icon: FileText },
  {
    to: '/accounting/bank-statement',
    label: 'Bank Statement',
    text: 'Mark challans paid, many at once',
    keys: 'Alt+8',
    icon: Landmark,
  },
  {
    to: '/accounting/payments',
    label: 'Payments',
    text: 'What was paid together, and its file',
    keys: 'g y',
    icon: ReceiptIndianRupee,
  },
];

/** /dashboard: the greeting of part 1 §2. Its figures come later, and it says so. */
export function DashboardPage() {
  const session = useSession();
  if (session?.role !== 'subadmin') return <AdminDashboard />;
  return (
    <Page title={`Welcome back, ${session.user.bannerName ?? session.user.email}!`}>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {ways.map(({ to, label, text, keys, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex h-full items-start gap-3 rounded-lg border border-line bg-surface p-4 text-ink no-underline shadow-card hover:border-primary"
            >
              <Icon size={18} aria-hidden className="mt-0.5 shrink-0 text-primary" />
              <span className="min-w-0 flex-1">
                <span className="block font-semibold">{label}</span>
                <span className="text-muted">{text}</span>
              </span>
              <KeyHint keys={keys} />
            </Link>
          </li>
        ))}
      </ul>
      <p className="text-muted">Tag Analytics come in a later release.</p>
    </Page>
  );
}
