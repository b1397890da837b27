import { useActionTable } from '../../kit/actions/registry.ts';

/** The commands of the groups of challans as data (docs/keyboard.md §5). */
const scope = 'Groups of challans';

export interface ChallanGroupsCommands {
  choose: () => void;
  ungroup: () => void;
  toggleBars: () => void;
  isBars: boolean;
  toggleFilters: () => void;
  areFiltersShown: boolean;
  focusTp: () => void;
  resetFilters: () => void;
}

export function useChallanGroupsActions(commands: ChallanGroupsCommands) {
  return useActionTable(scope, {
    choose: { id: 'groups.by', label: 'Choose what to group by', keys: 'B', run: commands.choose },
    ungroup: {
      id: 'groups.list',
      label: 'All Challans',
      keys: 'Shift+B',
      words: 'ungroup',
      run: commands.ungroup,
    },
    bars: {
      id: 'groups.bars',
      label: commands.isBars ? 'As a Table' : 'As Bars',
      keys: 'T',
      words: 'plot chart',
      run: commands.toggleBars,
    },
    filters: {
      id: 'groups.filters',
      label: commands.areFiltersShown ? 'Hide Filters' : 'Show Filters',
      keys: 'F',
      run: commands.toggleFilters,
    },
    findTp: {
      id: 'groups.tp',
      label: 'Filter by TP No',
      keys: '/',
      words: 'search find',
      run: commands.focusTp,
    },
    reset: { id: 'groups.reset', label: 'Reset Filters', words: 'clear all', run: commands.resetFilters },
  });
}
