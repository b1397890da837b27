import { Link } from 'react-router-dom';
import { ShieldX } from 'lucide-react';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { useSession } from '../../kit/api/use-session.ts';

/** /unauthorized (docs/specification.md §2.1). */
export function UnauthorizedPage() {
  const session = useSession();
  return (
    <main className="grid min-h-full place-items-center bg-canvas">
      <EmptyState
        icon={<ShieldX size={20} aria-hidden />}
        title={<h1>Unauthorized Access</h1>}
        actions={
          <Link to={session ? '/dashboard' : '/login'}>{session ? 'Go to the dashboard' : 'Go to sign-in'}</Link>
        }
      >
        You don&apos;t have permission to access this page.
      </EmptyState>
    </main>
  );
}
