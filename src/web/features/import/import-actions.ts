import type { KeyTable } from '../../kit/ui/key-table.ts';
import { commandTable } from '../../kit/actions/registry.ts';

/** The commands of the import as data (docs/keyboard.md §11). */
const scope = 'Import';

/** Keys that the browser and the grid handle. They are listed here for the help only. */
export const importKeys = {
  paste: { keys: 'Ctrl+V', label: 'Paste copied cells or a copied file', by: 'browser' },
  edit: { keys: 'Enter', label: 'Edit the row in focus', by: 'library' },
  undo: { keys: 'U', label: 'Under past imports and sheets: undo', by: 'library' },
} as const satisfies KeyTable;

/** Active before a file is open. */
export const importStartCommands = commandTable(scope, {
  choose: { id: 'import.choose', label: 'Choose a file …', keys: 'O', words: 'open csv excel' },
  template: { id: 'import.template', label: 'Download template', keys: 'T' },
});

/** Active while the user chooses the columns. */
export const importColumnsCommands = commandTable(scope, {
  check: { id: 'import.check', label: 'Check the rows', keys: 'Ctrl+Enter' },
  startAgain: { id: 'import.start-again', label: 'Another file' },
});

/** Active while the checked rows are shown. Those that are not in the palette act on the row in focus. */
export const importCheckCommands = commandTable(scope, {
  apply: { id: 'import.apply', label: 'Import what is right', keys: 'Ctrl+Enter' },
  back: { id: 'import.back', label: 'Back to the columns' },
  merge: { id: 'import.merge', label: 'Change the record', keys: 'M', inPalette: false },
  skip: { id: 'import.skip', label: 'Skip the row', keys: 'S', inPalette: false },
  add: { id: 'import.add', label: 'Add a second one, or take a row that waits', keys: 'A', inPalette: false },
  edit: { id: 'import.edit', label: 'Edit the cell', keys: 'F2', inPalette: false },
  next: { id: 'import.next', label: 'Next wrong row', keys: 'F8' },
  saveLeftOut: { id: 'import.save-left-out', label: 'Save rows left out', words: 'csv file download wrong' },
});
