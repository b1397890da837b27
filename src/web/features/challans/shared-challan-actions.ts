import type { GroupKey } from '../../../shared/contract/challan-groups.ts';
import { addressOf } from '../../kit/filters/url-state.ts';
import { challans } from '../../resources/challans.ts';

/** Shows the challans of a list by groups (docs/specification.md §33). */
export const groupCommand = (id: string, keys: string) => ({
  id: `${id}.group`,
  label: 'Group By',
  keys,
  words: 'sum subtotal pivot month owner route',
});

/** The address of the groups of the challans that these filters of the challan list find. */
export const groupsAddress = (groupBy: GroupKey, filters: Readonly<Record<string, string>>): string =>
  addressOf('/challans', { ...filters, groupBy });

/** M on every list of challans: change the selected ones. */
export const changeSelectedCommand = (id: string) => ({
  id: `${id}.change`,
  label: 'Change the selected challans',
  keys: 'M',
  words: 'bulk many tag rate deposited place office',
  needsRows: true,
  calls: challans.calls.changeMany,
});

/** The commands of every dialog of a challan's details: previous, next, and copy as text (docs/keyboard.md §5). */
export const challanStepCommands = {
  previous: { id: 'challan.previous', label: 'Previous challan', keys: 'Ctrl+↑' },
  next: { id: 'challan.next', label: 'Next challan', keys: 'Ctrl+↓' },
  copy: {
    id: 'challan.copy',
    label: 'Copy all fields as text',
    keys: 'Ctrl+C',
    // If text is selected, the user wants to copy that text.
    when: () => (window.getSelection()?.toString() ?? '') === '',
    notWhileTyping: true,
  },
};
