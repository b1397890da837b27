import {
  changeSelectedAction,
  groupAction,
  challanDetailsActions,
  type ChangeSelectedCommands,
  type ChallanStepCommands,
} from './shared-challan-actions.ts';
import { selectRowsAction, useActionTable } from '../../kit/actions/registry.ts';
import { paying } from '../../kit/api/seat.ts';
import { challans } from '../../resources/challans.ts';

/** The commands of the challan list and of its details dialog as data (docs/keyboard.md §5). */
const scope = 'Challans';
const { calls } = challans;
const inList = { scope, inPalette: false, needsRows: true } as const;

export interface ChallanListCommands extends ChangeSelectedCommands {
  create: () => void;
  group: () => void;
  toggleFilters: () => void;
  areFiltersShown: boolean;
  focusTp: () => void;
  resetFilters: () => void;
  edit: () => void;
  duplicate: () => void;
  remove: () => void;
  togglePaid: () => void;
  toggleHsd: () => void;
  hold: () => void;
}

/** Registers the actions while the list is on the screen, and returns them for its buttons. */
export function useChallanListActions(commands: ChallanListCommands) {
  return useActionTable(scope, {
    create: {
      id: 'challans.new',
      label: 'Add New Challan',
      keys: 'Alt+N',
      calls: calls.create,
      run: commands.create,
    },
    group: groupAction('challans', 'B', commands.group),
    filters: {
      id: 'challans.filters',
      label: commands.areFiltersShown ? 'Hide Filters' : 'Show Filters',
      keys: 'F',
      run: commands.toggleFilters,
    },
    findTp: {
      id: 'challans.tp',
      label: 'Filter by TP No',
      keys: '/',
      words: 'search find',
      run: commands.focusTp,
    },
    reset: {
      id: 'challans.reset',
      label: 'Reset Filters',
      words: 'clear all',
      run: commands.resetFilters,
    },
    hold: {
      id: 'challans.hold',
      label: 'Put on hold or release',
      keys: 'H',
      ...inList,
      calls: calls.setHold,
      run: commands.hold,
    },
    edit: {
      id: 'challans.edit',
      label: 'Edit challan',
      keys: ['E', 'F2'],
      ...inList,
      calls: calls.update,
      run: commands.edit,
    },
    duplicate: {
      id: 'challans.duplicate',
      label: 'Duplicate into a new challan',
      keys: 'D',
      ...inList,
      calls: calls.create,
      run: commands.duplicate,
    },
    remove: {
      id: 'challans.delete',
      label: 'Delete challan',
      keys: 'Delete',
      notWhileTyping: true,
      ...inList,
      calls: calls.remove,
      run: commands.remove,
    },
    change: changeSelectedAction('challans', scope, commands),
    selectRows: selectRowsAction('challans', scope, commands.selectRows),
    paid: {
      id: 'challans.paid',
      label: 'Mark paid, or unmark',
      keys: 'P',
      ...inList,
      calls: paying,
      run: commands.togglePaid,
    },
    hsd: {
      id: 'challans.hsd',
      label: 'Mark HSD verified, or unmark',
      keys: 'V',
      ...inList,
      calls: calls.setHsdVerified,
      run: commands.toggleHsd,
    },
  });
}

export interface ChallanDetailsCommands extends ChallanStepCommands {
  edit: () => void;
  editReason: string | undefined;
  duplicate: () => void;
  remove: () => void;
  deleteReason: string | undefined;
  togglePaid: () => void;
  toggleHsd: () => void;
  hsdReason: string | undefined;
}

export function useChallanDetailsActions(commands: ChallanDetailsCommands) {
  const scope = 'Challan details';
  const { previous, next, copy } = challanDetailsActions(scope, commands);
  return useActionTable(scope, {
    previous,
    next,
    edit: {
      id: 'challan.edit',
      label: 'Edit challan',
      keys: ['E', 'F2'],
      disabledReason: commands.editReason,
      run: commands.edit,
    },
    duplicate: {
      id: 'challan.duplicate',
      label: 'Duplicate into a new challan',
      keys: 'D',
      calls: calls.create,
      run: commands.duplicate,
    },
    remove: {
      id: 'challan.delete',
      label: 'Delete challan',
      keys: 'Delete',
      calls: calls.remove,
      disabledReason: commands.deleteReason,
      run: commands.remove,
    },
    paid: {
      id: 'challan.paid',
      label: 'Mark paid, or unmark',
      keys: 'P',
      calls: paying,
      run: commands.togglePaid,
    },
    hsd: {
      id: 'challan.hsd',
      label: 'Mark HSD verified, or unmark',
      keys: 'V',
      calls: calls.setHsdVerified,
      disabledReason: commands.hsdReason,
      run: commands.toggleHsd,
    },
    copy,
  });
}
