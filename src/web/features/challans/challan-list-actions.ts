import { changeSelectedCommand, challanStepCommands, groupCommand } from './shared-challan-actions.ts';
import { commandTable, selectRowsCommand } from '../../kit/actions/registry.ts';
import { paying } from '../../kit/api/seat.ts';
import { challans } from '../../resources/challans.ts';

/** The commands of the challan list and of its details dialog as data (docs/keyboard.md §5). */
const { calls } = challans;
const inList = { inPalette: false, needsRows: true } as const;

export const challanListCommands = commandTable('Challans', {
  create: { id: 'challans.new', label: 'Add New Challan', keys: 'Alt+N', calls: calls.create },
  group: groupCommand('challans', 'B'),
  filters: { id: 'challans.filters', label: 'Show Filters', keys: 'F' },
  findTp: { id: 'challans.tp', label: 'Filter by TP No', keys: '/', words: 'search find' },
  reset: { id: 'challans.reset', label: 'Reset Filters', words: 'clear all' },
  hold: { id: 'challans.hold', label: 'Put on hold or release', keys: 'H', ...inList, calls: calls.setHold },
  edit: { id: 'challans.edit', label: 'Edit challan', keys: ['E', 'F2'], ...inList, calls: calls.update },
  duplicate: {
    id: 'challans.duplicate',
    label: 'Duplicate into a new challan',
    keys: 'D',
    ...inList,
    calls: calls.create,
  },
  remove: {
    id: 'challans.delete',
    label: 'Delete challan',
    keys: 'Delete',
    notWhileTyping: true,
    ...inList,
    calls: calls.remove,
  },
  change: changeSelectedCommand('challans'),
  selectRows: selectRowsCommand('challans'),
  paid: { id: 'challans.paid', label: 'Mark paid, or unmark', keys: 'P', ...inList, calls: paying },
  hsd: {
    id: 'challans.hsd',
    label: 'Mark HSD verified, or unmark',
    keys: 'V',
    ...inList,
    calls: calls.setHsdVerified,
  },
});

const { previous, next, copy } = challanStepCommands;

export const challanDetailsCommands = commandTable('Challan details', {
  previous,
  next,
  edit: { id: 'challan.edit', label: 'Edit challan', keys: ['E', 'F2'] },
  duplicate: { id: 'challan.duplicate', label: 'Duplicate into a new challan', keys: 'D', calls: calls.create },
  remove: { id: 'challan.delete', label: 'Delete challan', keys: 'Delete', calls: calls.remove },
  paid: { id: 'challan.paid', label: 'Mark paid, or unmark', keys: 'P', calls: paying },
  hsd: { id: 'challan.hsd', label: 'Mark HSD verified, or unmark', keys: 'V', calls: calls.setHsdVerified },
  copy,
});
