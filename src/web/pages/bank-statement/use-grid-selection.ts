import { useMemo } from 'react';
import {
  clearSelection,
  isSelected,
  ownerState,
  selectPage,
  setSelected,
  type Selection,
} from '../../../shared/calc/selection.ts';
import type { StatementFilters, StatementOwner } from '../../../shared/contract/bank-statement.ts';
import type { GridSelection } from '../../grid/grid-types.ts';
import { labelOfRow, stateOfRow, type StatementRow } from './statement-rows.tsx';

interface Parts {
  owners: readonly StatementOwner[];
  selection: Selection<StatementFilters>;
  setSelection: (next: Selection<StatementFilters>) => void;
  onClear: () => boolean;
  onSelectAll: () => void;
}

/** The statement's selection as the grid knows one: an owner's row stands for all of its challans (ruling 35). */
export function useGridSelection({ owners, selection, setSelection, onClear, onSelectAll }: Parts) {
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
      setRows: (rows, on) =>
        setSelection(
          rows.reduce<Selection<StatementFilters>>(
            (next, row) =>
              setSelected(next, row.owner.id, row.kind === 'owner' ? row.owner.challans : [row.challan], on),
            selection,
          ),
        ),
      header: {
        state: chosen === 0 ? 'none' : isWholePage ? 'all' : 'some',
        label: 'Select all challans on this page',
        onToggle: (on) =>
          setSelection(
            on
              ? selectPage(selection, owners)
              : selection.mode === 'allMatching'
                ? clearSelection()
                : withoutPage(selection, owners),
          ),
      },
      // Ctrl+A: the page; pressed again with the page selected, everything that matches.
      onSelectAll: () => {
        if (isWholePage) onSelectAll();
        else setSelection(selectPage(selection, owners));
      },
      onClear,
    };
  }, [owners, selection, setSelection, onClear, onSelectAll]);
}

const withoutPage = (selection: Selection<StatementFilters>, owners: readonly StatementOwner[]) =>
  owners.reduce((next, owner) => setSelected(next, owner.id, owner.challans, false), selection);
