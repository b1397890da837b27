import { challanStepCommands, changeSelectedCommand, groupCommand } from '../challans/index.ts';
import { accounting } from '../../resources/accounting.ts';
import { challans } from '../../resources/challans.ts';
import { commandTable, selectRowsCommand } from '../../kit/actions/registry.ts';

/** The commands of the Owner Challans screen and its details dialog as data (docs/keyboard.md §8). */
export const ownerChallansCommands = commandTable('Owner challans', {
  filters: { id: 'owner-challans.filters', label: 'Show Filters', keys: 'F' },
  toFilters: { id: 'owner-challans.to-filters', label: 'Go to the filters', keys: '/', words: 'search find' },
  reset: { id: 'owner-challans.reset', label: 'Reset Filters', words: 'clear all' },
  sendToWhatsapp: {
    id: 'owner-challans.whatsapp',
    label: 'Send to WhatsApp',
    // The key needs Alt, so that one wrong key press cannot send a report.
    keys: 'Alt+W',
    words: 'share report message',
    needsRows: true,
    calls: accounting.calls.shareOnWhatsapp,
  },
  sharedReports: { id: 'owner-challans.shared-reports', label: 'Shared Reports', words: 'whatsapp links revoke' },
  statement: {
    id: 'owner-challans.statement',
    label: 'Statement',
    keys: 'S',
    words: 'balance opening closing print',
  },
  change: changeSelectedCommand('owner-challans'),
  selectRows: selectRowsCommand('owner-challans'),
  group: groupCommand('owner-challans', 'B'),
  back: { id: 'owner-challans.back', label: 'Back to Accounting', words: 'owners' },
});

export const ownerChallanDetailsCommands = commandTable('Challan details', {
  ...challanStepCommands,
  edit: { id: 'challan.edit', label: 'Edit challan', keys: ['E', 'F2'], calls: challans.calls.update },
});
