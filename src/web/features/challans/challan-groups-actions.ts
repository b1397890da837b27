import { commandTable } from '../../kit/actions/registry.ts';

/** The commands of the groups of challans as data (docs/keyboard.md §5). */
export const challanGroupsCommands = commandTable('Groups of challans', {
  choose: { id: 'groups.by', label: 'Choose what to group by', keys: 'B' },
  ungroup: { id: 'groups.list', label: 'All Challans', keys: 'Shift+B', words: 'ungroup' },
  bars: { id: 'groups.bars', label: 'As Bars', keys: 'T', words: 'plot chart' },
  filters: { id: 'groups.filters', label: 'Show Filters', keys: 'F' },
  findTp: { id: 'groups.tp', label: 'Filter by TP No', keys: '/', words: 'search find' },
  reset: { id: 'groups.reset', label: 'Reset Filters', words: 'clear all' },
});
