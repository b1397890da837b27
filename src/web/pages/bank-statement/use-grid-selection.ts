import { useMemo } from 'react';
import { isSelected, ownerState, selectPage, setSelected, type Selection } from '../../../shared/calc/selection.ts';
import type { StatementChallan, StatementFilters, StatementOwner } from '../../../shared/contract/bank-statement.ts';
import type { GridSelection } from '../../grid/grid-types.ts';
import type { NextSelection } from './use-statement.ts';
import { labelOfRow, stateOfRow, type StatementRow } from './statement-rows.tsx';

interface Parts {
  owners: readonly StatementOwner[];
  expanded: ReadonlySet<string>;
  selection: Selection<StatementFilters>;
  setSelection: (next: NextSelection) => void;
  onClear: () => boolean;
  onSelectAll: () => void;
}

/**
 * The statement's selection as the grid knows one: an owner's row means all of its challans
 * (docs/specification.md §10.2).
 */
export function useGridSelection({ owners, expanded, selection, setSelection, onClear, onSelectAll }: Parts) {
  return useMemo<GridSelection<StatementRow>>(() => {
    const challans = owners.flatMap((owner) => owner.challans);
    const chosen = challans.filter(({ challanId }) => isSelected(selection, challanId)).length;
    const isWholePage = challans.length > 0 && chosen === challans.length;
    return {
      stateOf: (row) => stateOfRow(selection, row),
      labelOf: labelOfRow,
      textOf: (row) => {
        if (row.kind !== 'owner') return undefined;
        const { state, text } = ownerState(selection, row.owner);
        return state === 'some' ? text : undefined;
      },
      setRows: (rows, on) => {
        // One step for each owner: the rows of a range may be thousands, and each step copies the selection.
        const changes = [...challansByOwner(rows, expanded)];
        setSelection((before) => changes.reduce((next, [ownerId, own]) => setSelected(next, ownerId, own, on), before));
      },
      header: {
        state: chosen === 0 ? 'none' : isWholePage ? 'all' : 'some',
        label: 'Select all challans on this page',
        onToggle: (on) => setSelection((before) => (on ? selectPage(before, owners) : withoutPage(before, owners))),
      },
      // Ctrl+A: the page; pressed again with the page selected, everything that matches.
      onSelectAll: () => {
        if (isWholePage) onSelectAll();
        else setSelection((before) => selectPage(before, owners));
      },
      onClear,
    };
  }, [owners, expanded, selection, setSelection, onClear, onSelectAll]);
}

/**
 * What the rows stand for. A range that runs over the row of an expanded owner means the challans it ran over, not all
 * that stand below; alone, the owner's row means all of its own.
 */
function challansByOwner(
  rows: readonly StatementRow[],
  expanded: ReadonlySet<string>,
): ReadonlyMap<string, readonly StatementChallan[]> {
  const found = new Map<string, StatementChallan[]>();
  for (const row of rows) {
    if (row.kind === 'owner' && rows.length > 1 && expanded.has(row.owner.id)) continue;
    const own = found.get(row.owner.id) ?? [];
    if (row.kind === 'challan') own.push(row.challan);
    else for (const challan of row.owner.challans) own.push(challan);
    found.set(row.owner.id, own);
  }
  return found;
}

const withoutPage = (selection: Selection<StatementFilters>, owners: readonly StatementOwner[]) =>
  owners.reduce((next, owner) => setSelected(next, owner.id, owner.challans, false), selection);
