import type { GroupKey } from '../../../shared/contract/challan-groups.ts';
import type { Action } from '../../kit/actions/registry.ts';
import { addressOf } from '../../kit/filters/url-state.ts';
import { challans } from '../../resources/challans.ts';

export interface ChangeSelectedCommands {
  selectedCount: number;
  /** Opens the dialog that changes the selected challans. */
  change: () => void;
  selectRows: () => void;
}

/** Shows the challans of a list by groups (docs/specification.md §33). */
export const groupAction = (id: string, keys: string, run: () => void) => ({
  id: `${id}.group`,
  label: 'Group By',
  keys,
  words: 'sum subtotal pivot month owner route',
  run,
});

/** The address of the groups of the challans that these filters of the challan list find. */
export const groupsAddress = (groupBy: GroupKey, filters: Readonly<Record<string, string>>): string =>
  addressOf('/challans', { ...filters, groupBy });

/** M on every list of challans: change the selected ones. */
export const changeSelectedAction = (
  id: string,
  scope: string,
  { selectedCount, change }: ChangeSelectedCommands,
): Action => ({
  id: `${id}.change`,
  label: 'Change the selected challans',
  keys: 'M',
  scope,
  words: 'bulk many tag rate deposited place office',
  needsRows: true,
  calls: challans.calls.changeMany,
  disabledReason: selectedCount === 0 ? 'Select challans first: Space, Shift+↓ or Ctrl+A' : undefined,
  run: change,
});

export interface ChallanStepCommands {
  previous: () => void;
  next: () => void;
  /** Why there is no previous challan; undefined if there is one. */
  previousReason: string | undefined;
  /** Why there is no next challan; undefined if there is one. */
  nextReason: string | undefined;
  copy: () => void;
}

/** The actions of every dialog of a challan's details: previous, next, and copy as text (docs/keyboard.md §5). */
export function challanDetailsActions(scope: string, commands: ChallanStepCommands) {
  return {
    previous: {
      id: 'challan.previous',
      label: 'Previous challan',
      keys: 'Ctrl+↑',
      scope,
      disabledReason: commands.previousReason,
      run: commands.previous,
    },
    next: {
      id: 'challan.next',
      label: 'Next challan',
      keys: 'Ctrl+↓',
      scope,
      disabledReason: commands.nextReason,
      run: commands.next,
    },
    copy: {
      id: 'challan.copy',
      label: 'Copy all fields as text',
      keys: 'Ctrl+C',
      scope,
      // If text is selected, the user wants to copy that text.
      when: () => (window.getSelection()?.toString() ?? '') === '',
      notWhileTyping: true,
      run: commands.copy,
    },
  } satisfies Record<string, Action>;
}
