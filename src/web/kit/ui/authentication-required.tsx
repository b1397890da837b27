import { Link } from 'react-router-dom';
import { Lock } from 'lucide-react';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';

/**
 * Shown instead of a screen when there is no session: 'Please log in to access owner management.'
 * (docs/specification.md §2.2).
 */
export function AuthenticationRequired({ title, text }: { title: string; text: string }) {
  return (
    <Page title={title}>
      <EmptyState
        icon={<Lock size={18} aria-hidden />}
        title="Authentication Required"
        actions={<Link to="/login">Log in</Link>}
      >
        {text}
      </EmptyState>
    </Page>
  );
}
