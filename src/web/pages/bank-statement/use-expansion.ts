import { useCallback, useMemo, useState } from 'react';
import type { StatementOwner } from '../../../shared/contract/bank-statement.ts';
import type { GridTree } from '../../grid/grid-types.ts';
import { ownerCells, type StatementRow } from './statement-rows.tsx';

/** Which owners are expanded; paging and sorting keep it, refreshing collapses all (docs/specification.md §10.1). */
export function useExpansion(owners: readonly StatementOwner[]) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const collapseAll = useCallback(() => setExpanded(new Set()), []);
  const expandAll = useCallback(
    () => setExpanded((before) => new Set([...before, ...owners.map(({ id }) => id)])),
    [owners],
  );
  const tree = useMemo<GridTree<StatementRow>>(
    () => ({
      isGroup: (row) => row.kind === 'owner',
      isExpanded: (row) => expanded.has(row.owner.id),
      onToggle: (row, isOpen) =>
        setExpanded((before) => {
          const next = new Set(before);
          if (isOpen) next.add(row.owner.id);
          else next.delete(row.owner.id);
          return next;
        }),
      onExpandAll: expandAll,
      groupIdOf: (row) => (row.kind === 'challan' ? row.owner.id : undefined),
      cells: ownerCells(expanded),
    }),
    [expanded, expandAll],
  );
  return { expanded, collapseAll, expandAll, tree };
}
