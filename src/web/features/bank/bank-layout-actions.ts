import { bankLayouts } from '../../resources/bank-layouts.ts';
import { commandTable } from '../../kit/actions/registry.ts';

/** The commands of the Bank Layouts screen as data. */
export const bankLayoutCommands = commandTable('Bank Layouts', {
  save: { id: 'bank-layouts.save', label: 'Save', keys: 'Ctrl+S', calls: bankLayouts.calls.update },
  copy: { id: 'bank-layouts.copy', label: 'Copy', keys: 'C' },
  remove: { id: 'bank-layouts.delete', label: 'Delete', calls: bankLayouts.calls.remove },
  exportJson: { id: 'bank-layouts.export', label: 'Export', keys: 'Ctrl+E' },
  importJson: { id: 'bank-layouts.import', label: 'Import', keys: 'I' },
  addField: { id: 'bank-layouts.add', label: 'Add Field', keys: 'N' },
  up: { id: 'bank-layouts.up', label: 'Move the field up', keys: 'Alt+↑', inPalette: false },
  down: { id: 'bank-layouts.down', label: 'Move the field down', keys: 'Alt+↓', inPalette: false },
});
