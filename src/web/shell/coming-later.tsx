import { Link } from 'react-router-dom';
import { Hourglass } from 'lucide-react';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from './page.tsx';

/** For entries of the menu whose screens are not built yet: it says so, and shows nothing that does not work. */
export function ComingLater({ title }: { title: string }) {
  return (
    <Page title={title}>
      <EmptyState
        icon={<Hourglass size={18} aria-hidden />}
        title="This screen comes in a later release"
        actions={<Link to="/dashboard">Go to the dashboard</Link>}
      />
    </Page>
  );
}
