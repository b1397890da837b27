import { FileText, Filter, Plus } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

interface NothingProps {
  hasFilters: boolean;
  onReset: () => void;
  onCreate: () => void;
}

/** Why the list is empty, and what to do next (docs/specification.md §19.3). */
export function Nothing({ hasFilters, onReset, onCreate }: NothingProps) {
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
      title="No challans yet"
      actions={
        <Button variant="primary" keys="Alt+N" icon={<Plus size={14} aria-hidden />} onClick={onCreate}>
          Add New Challan
        </Button>
      }
    >
      A challan is entered for each trip. It appears here as soon as it is saved.
    </EmptyState>
  );
}
