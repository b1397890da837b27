import type { KeyTable } from '../../kit/ui/key-table.ts';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import { commandTable } from '../../kit/actions/registry.ts';

/** The commands of HSD verification as data (docs/keyboard.md §9). */
const scope = 'HSD Verification';
const { calls } = hsdVerification;

/** Alt+PgUp and Alt+PgDn move between the three tabs. */
export const hsdCommands = commandTable(scope, {
  choose: {
    id: 'hsd.choose',
    label: 'Choose a file to verify',
    words: 'upload hsd pump csv excel',
    calls: calls.upload,
  },
  startNew: { id: 'hsd.new', label: 'Start New Verification', keys: 'N', words: 'reset upload' },
  previousTab: { id: 'hsd.previous-tab', label: 'Previous tab', keys: 'Alt+PgUp', inPalette: false },
  nextTab: { id: 'hsd.next-tab', label: 'Next tab', keys: 'Alt+PgDn', inPalette: false },
});

/** Keys of the Upload File tab that the browser handles: Enter on the button, and a paste. Listed for the help. */
export const uploadKeys = {
  choose: { keys: 'Enter', label: 'Choose a file', by: 'browser' },
  paste: { keys: 'Ctrl+V', label: 'Paste a file', by: 'browser' },
} as const satisfies KeyTable;

/** Active only while a file is uploading. */
export const hsdUploadCommands = commandTable(scope, {
  cancel: { id: 'hsd.cancel', label: 'Cancel the upload', keys: 'Esc' },
});

/** Active while the user chooses the columns of a file. */
export const hsdColumnsCommands = commandTable(scope, {
  compare: { id: 'hsd.compare', label: 'Compare the file', keys: 'Ctrl+Enter', calls: calls.upload },
  cancel: { id: 'hsd.other-file', label: 'Another file', keys: 'Esc' },
});

/** Active while mismatches or TP numbers that were not found are shown. */
export const hsdAcceptCommands = commandTable(scope, {
  accept: {
    id: 'hsd.accept',
    label: 'Accept with reason …',
    keys: 'A',
    words: 'near match mismatch tolerance',
    calls: calls.accept,
  },
});

/** Active while the results of a bill are shown. */
export const hsdSheetCommands = commandTable(scope, {
  sheet: { id: 'hsd.discrepancies', label: 'Discrepancy sheet', keys: 'D', words: 'excel xlsx pump disputed' },
  pdf: { id: 'hsd.discrepancies-pdf', label: 'Discrepancies as PDF', keys: 'Shift+D', words: 'print pump disputed' },
});

/** Active while the valid matches are shown. */
export const hsdResultCommands = commandTable(scope, {
  verify: { id: 'hsd.verify', label: 'Verify', keys: 'Ctrl+Enter', calls: calls.verify },
  selectAll: { id: 'hsd.select-all', label: 'Select all valid matches', keys: 'Ctrl+A', notWhileTyping: true },
  clear: { id: 'hsd.clear', label: 'Clear Selection', keys: 'Esc', notWhileTyping: true },
});
