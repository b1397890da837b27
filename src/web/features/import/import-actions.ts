import { useKeyHelp, type KeyTable } from '../../kit/ui/key-table.ts';
import { useActionTable } from '../../kit/actions/registry.ts';

/** The commands of the import as data (docs/keyboard.md §11). */
const scope = 'Import';

/** Keys that the browser and the grid handle. They are listed here for the help only. */
export const importKeys = {
  paste: { keys: 'Ctrl+V', label: 'Paste copied cells or a copied file', by: 'browser' },
  edit: { keys: 'Enter', label: 'Edit the row in focus', by: 'library' },
  undo: { keys: 'U', label: 'Under past imports and sheets: undo', by: 'library' },
} as const satisfies KeyTable;

export interface ImportStartCommands {
  choose: () => void;
  template: () => void;
}

/** Active before a file is open. */
export function useImportStartActions(commands: ImportStartCommands) {
  useKeyHelp('Where the rows come from', { paste: importKeys.paste });
  return useActionTable(scope, {
    choose: {
      id: 'import.choose',
      label: 'Choose a file …',
      keys: 'O',
      words: 'open csv excel',
      run: commands.choose,
    },
    template: { id: 'import.template', label: 'Download template', keys: 'T', run: commands.template },
  });
}

export interface ImportColumnsCommands {
  check: () => void;
  checkReason: string | undefined;
  startAgain: () => void;
}

/** Active while the user chooses the columns. */
export function useImportColumnsActions(commands: ImportColumnsCommands) {
  return useActionTable(scope, {
    check: {
      id: 'import.check',
      label: 'Check the rows',
      keys: 'Ctrl+Enter',
      disabledReason: commands.checkReason,
      run: commands.check,
    },
    startAgain: { id: 'import.start-again', label: 'Another file', run: commands.startAgain },
  });
}

export interface ImportCheckCommands {
  apply: () => void;
  applyLabel: string;
  applyReason: string | undefined;
  back: () => void;
  /** These four act on the row in focus. */
  merge: () => void;
  skip: () => void;
  add: () => void;
  edit: () => void;
  next: () => void;
  nextReason: string | undefined;
  saveLeftOut: () => void;
  saveLeftOutReason: string | undefined;
}

/** Active while the checked rows are shown. */
export function useImportCheckActions(commands: ImportCheckCommands) {
  return useActionTable(scope, {
    apply: {
      id: 'import.apply',
      label: commands.applyLabel,
      keys: 'Ctrl+Enter',
      disabledReason: commands.applyReason,
      run: commands.apply,
    },
    back: { id: 'import.back', label: 'Back to the columns', run: commands.back },
    merge: { id: 'import.merge', label: 'Change the record', keys: 'M', inPalette: false, run: commands.merge },
    skip: { id: 'import.skip', label: 'Skip the row', keys: 'S', inPalette: false, run: commands.skip },
    add: {
      id: 'import.add',
      label: 'Add a second one, or take a row that waits',
      keys: 'A',
      inPalette: false,
      run: commands.add,
    },
    edit: { id: 'import.edit', label: 'Edit the cell', keys: 'F2', inPalette: false, run: commands.edit },
    next: {
      id: 'import.next',
      label: 'Next wrong row',
      keys: 'F8',
      disabledReason: commands.nextReason,
      run: commands.next,
    },
    saveLeftOut: {
      id: 'import.save-left-out',
      label: 'Save rows left out',
      words: 'csv file download wrong',
      disabledReason: commands.saveLeftOutReason,
      run: commands.saveLeftOut,
    },
  });
}
