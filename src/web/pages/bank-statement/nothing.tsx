import { Link, useNavigate } from 'react-router-dom';
import { Plus } from 'lucide-react';
import { nothingMatches } from '../../../shared/access.ts';
import { challans } from '../../api/resources.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** Why the statement is empty, and what to do next (docs/specification.md §19.3). */
export function Nothing({ hasFilter, onClearFilters }: { hasFilter: boolean; onClearFilters: () => void }) {
  if (hasFilter) {
    return <EmptyState title={nothingMatches} actions={<Button onClick={onClearFilters}>Clear Filters</Button>} />;
  }
  return <NobodyOwed />;
}

/** All paid, or nothing recorded yet: those are two things. */
function NobodyOwed() {
  const navigate = useNavigate();
  const query = challans.useList({ query: { page: 1, limit: 1 } }, { retry: false });
  if (query.isPending) return null;
  if (query.data?.pagination.totalCount === 0) {
    return (
      <EmptyState
        title="No challans yet"
        actions={
          <Button
            variant="primary"
            keys="Alt+N"
            icon={<Plus size={14} aria-hidden />}
            onClick={() => void navigate('/challans/create')}
          >
            Add New Challan
          </Button>
        }
      >
        Challans that are recorded and not yet paid appear here, by owner.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nobody is owed anything"
      actions={
        <>
          <Link to="/accounting/payments">See the payments</Link>
          <Link to="/challans">Go to the challans</Link>
        </>
      }
    >
      Every challan is marked as paid.
    </EmptyState>
  );
}
