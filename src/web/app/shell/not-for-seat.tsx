import { Link } from 'react-router-dom';
import { Lock } from 'lucide-react';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { Page } from '../../kit/ui/page.tsx';

/** Takes the place of a screen that the seat of who is signed in may not open (docs/specification.md §28.1). */
export default function NotForSeat({ title, reason }: { title: string; reason: string }) {
  return (
    <Page title={title}>
      <EmptyState
        icon={<Lock size={18} aria-hidden />}
        title={reason}
        actions={<Link to="/dashboard">Go to the dashboard</Link>}
      />
    </Page>
  );
}
