import type { KeyTable } from '../ui/key-table.ts';

/** In a cell that is edited in a list (docs/keyboard.md §3). */
export const cellEditKeys = {
  next: { keys: 'Tab', label: 'Save, and edit the next cell of the row that can be edited' },
  previous: { keys: 'Shift+Tab', label: 'Save, and edit the one before it' },
  below: { keys: 'Enter', label: 'Save, and edit the cell below' },
  above: { keys: 'Shift+Enter', label: 'Save, and edit the cell above; in a text of several lines: a new line' },
  keep: { keys: ['F2', 'Ctrl+Enter', 'Ctrl+S'], label: 'Save, and go back to the table' },
  leave: { keys: 'Esc', label: 'Leave the cell as it was' },
  undo: { keys: 'Ctrl+Z', label: 'Before anything is typed: take the last edit back' },
} as const satisfies KeyTable;
