import { bankLayouts } from '../../resources/bank-layouts.ts';
import { useActionTable } from '../../kit/actions/registry.ts';

interface BankLayoutCommands {
  save: () => void;
  saveReason: string | undefined;
  copy: () => void;
  remove: () => void;
  removeReason: string | undefined;
  exportJson: () => void;
  importJson: () => void;
  addField: () => void;
  move: (by: 1 | -1) => void;
}

/** The commands of the Bank Layouts screen as data. */
export function useBankLayoutActions(commands: BankLayoutCommands) {
  const scope = 'Bank Layouts';
  const { saveReason, removeReason } = commands;
  return useActionTable(scope, {
    save: {
      id: 'bank-layouts.save',
      label: 'Save',
      keys: 'Ctrl+S',
      calls: bankLayouts.calls.update,
      disabledReason: saveReason,
      run: commands.save,
    },
    copy: { id: 'bank-layouts.copy', label: 'Copy', keys: 'C', run: commands.copy },
    remove: {
      id: 'bank-layouts.delete',
      label: 'Delete',
      calls: bankLayouts.calls.remove,
      disabledReason: removeReason,
      run: commands.remove,
    },
    exportJson: { id: 'bank-layouts.export', label: 'Export', keys: 'Ctrl+E', run: commands.exportJson },
    importJson: { id: 'bank-layouts.import', label: 'Import', keys: 'I', run: commands.importJson },
    addField: { id: 'bank-layouts.add', label: 'Add Field', keys: 'N', run: commands.addField },
    up: {
      id: 'bank-layouts.up',
      label: 'Move the field up',
      keys: 'Alt+↑',
      inPalette: false,
      run: () => commands.move(-1),
    },
    down: {
      id: 'bank-layouts.down',
      label: 'Move the field down',
      keys: 'Alt+↓',
      inPalette: false,
      run: () => commands.move(1),
    },
  });
}
