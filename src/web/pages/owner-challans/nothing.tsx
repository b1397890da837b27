import { Link } from 'react-router-dom';
import { FileText, Filter, UserX } from 'lucide-react';
import { Page } from '../../shell/page.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** Why the list is empty, and what to do next (docs/specification.md §19.3). */
export function Nothing({ hasFilters, onReset }: { hasFilters: boolean; onReset: () => void }) {
  if (hasFilters) {
    return (
      <EmptyState
        icon={<Filter size={18} aria-hidden />}
        title="No challans match these filters"
        actions={<Button onClick={onReset}>Reset Filters</Button>}
      >
        Widen a filter, or reset them all.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<FileText size={18} aria-hidden />}
      title="This owner has no challans yet"
      actions={<Link to="/accounting">Back to Accounting</Link>}
    >
      Challans that are recorded for this owner appear here.
    </EmptyState>
  );
}

export function UnknownOwner() {
  return (
    <Page title="Owner Challans">
      <EmptyState
        icon={<UserX size={18} aria-hidden />}
        title="Owner not found"
        actions={<Link to="/accounting">Back to Accounting</Link>}
      >
        The owner may have been deleted, or the link may be of another account.
      </EmptyState>
    </Page>
  );
}
