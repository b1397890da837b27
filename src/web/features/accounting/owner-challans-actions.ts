import {
  changeSelectedAction,
  challanDetailsActions,
  groupAction,
  type ChangeSelectedCommands,
  type ChallanStepCommands,
} from '../challans/index.ts';
import { accounting } from '../../resources/accounting.ts';
import { challans } from '../../resources/challans.ts';
import { selectRowsAction, useActionTable } from '../../kit/actions/registry.ts';

/** The commands of the Owner Challans screen and its details dialog as data (docs/keyboard.md §8). */
const scope = 'Owner challans';

export interface OwnerChallansCommands extends ChangeSelectedCommands {
  toggleFilters: () => void;
  areFiltersShown: boolean;
  focusFilters: () => void;
  resetFilters: () => void;
  sendToWhatsapp: () => void;
  sendReason: string | undefined;
  sharedReports: () => void;
  statement: () => void;
  group: () => void;
  back: () => void;
}

export function useOwnerChallansActions(commands: OwnerChallansCommands) {
  return useActionTable(scope, {
    filters: {
      id: 'owner-challans.filters',
      label: commands.areFiltersShown ? 'Hide Filters' : 'Show Filters',
      keys: 'F',
      run: commands.toggleFilters,
    },
    toFilters: {
      id: 'owner-challans.to-filters',
      label: 'Go to the filters',
      keys: '/',
      words: 'search find',
      run: commands.focusFilters,
    },
    reset: {
      id: 'owner-challans.reset',
      label: 'Reset Filters',
      words: 'clear all',
      run: commands.resetFilters,
    },
    sendToWhatsapp: {
      id: 'owner-challans.whatsapp',
      label: 'Send to WhatsApp',
      // The key needs Alt, so that one wrong key press cannot send a report.
      keys: 'Alt+W',
      words: 'share report message',
      needsRows: true,
      calls: accounting.calls.shareOnWhatsapp,
      disabledReason: commands.sendReason,
      run: commands.sendToWhatsapp,
    },
    sharedReports: {
      id: 'owner-challans.shared-reports',
      label: 'Shared Reports',
      words: 'whatsapp links revoke',
      run: commands.sharedReports,
    },
    statement: {
      id: 'owner-challans.statement',
      label: 'Statement',
      keys: 'S',
      words: 'balance opening closing print',
      run: commands.statement,
    },
    change: changeSelectedAction('owner-challans', scope, commands),
    selectRows: selectRowsAction('owner-challans', scope, commands.selectRows),
    group: groupAction('owner-challans', 'B', commands.group),
    back: {
      id: 'owner-challans.back',
      label: 'Back to Accounting',
      words: 'owners',
      run: commands.back,
    },
  });
}

export interface OwnerChallanDetailsCommands extends ChallanStepCommands {
  edit: () => void;
}

export function useOwnerChallanDetailsActions(commands: OwnerChallanDetailsCommands) {
  const scope = 'Challan details';
  return useActionTable(scope, {
    ...challanDetailsActions(scope, commands),
    edit: {
      id: 'challan.edit',
      label: 'Edit challan',
      keys: ['E', 'F2'],
      calls: challans.calls.update,
      run: commands.edit,
    },
  });
}
