import { commandTable } from '../../kit/actions/registry.ts';
import { challans } from '../../resources/challans.ts';

const saveKeys = ['Ctrl+S', 'Ctrl+Enter'];
const moves = { inPalette: false } as const;

/** The commands of the challan form. Keys, buttons, palette and help all read this table (docs/keyboard.md §6). */
export const challanFormCommands = (mode: 'create' | 'edit') =>
  commandTable('Challan form', {
    // While possible duplicates are shown, pressing the key again means "Save anyway".
    saveAnyway: { id: 'challan-form.save-anyway', label: 'Save anyway', keys: saveKeys },
    save: {
      id: 'challan-form.save',
      label: mode === 'create' ? 'Create Challan' : 'Update Challan',
      keys: saveKeys,
      words: 'save submit',
      calls: challans.calls[mode === 'create' ? 'create' : 'update'],
    },
    clear: { id: 'challan-form.clear', label: 'Clear Form', keys: 'Ctrl+Shift+L' },
    cancel: { id: 'challan-form.cancel', label: 'Cancel', keys: 'Esc' },
    nextError: { id: 'challan-form.next-error', label: 'Next error', keys: 'F8', ...moves },
    nextSection: { id: 'challan-form.next-section', label: 'Next section', keys: 'Alt+PgDn', ...moves },
    previousSection: { id: 'challan-form.previous-section', label: 'Previous section', keys: 'Alt+PgUp', ...moves },
    loadingDate: { id: 'challan-form.loading-date', label: 'Go to Loading Date', keys: 'F2', ...moves },
    copy: {
      id: 'challan-form.copy-last',
      label: 'Copy this field from the last challan',
      keys: "Ctrl+'",
      ...moves,
    },
    /** Where Enter stops in a new challan. */
    stops: { id: 'challan-form.stops', label: 'Enter stops …', words: 'skip remembered fields setting' },
    /** The history of the challan that is being edited. */
    history: { id: 'challan-form.history', label: 'History', words: 'changes who when log' },
    createTruck: { id: 'challan-form.create-truck', label: 'Create truck', keys: 'Alt+C' },
  });
