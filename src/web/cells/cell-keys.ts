import type { KeyTable } from '../ui/key-table.ts';

/** The keys of the cell editor of a list (docs/keyboard.md §3). */
export const cellEditKeys = {
  next: { keys: 'Tab', label: 'Save, and edit the next editable cell of the row' },
  previous: { keys: 'Shift+Tab', label: 'Save, and edit the previous editable cell of the row' },
  below: { keys: 'Enter', label: 'Save, and edit the cell below' },
  above: { keys: 'Shift+Enter', label: 'Save, and edit the cell above; in a text of several lines: a new line' },
  keep: { keys: ['F2', 'Ctrl+Enter', 'Ctrl+S'], label: 'Save, and go back to the table' },
  leave: { keys: 'Esc', label: 'Close without changing the cell' },
  undo: { keys: 'Ctrl+Z', label: 'Before you type: undo the last edit' },
} as const satisfies KeyTable;
