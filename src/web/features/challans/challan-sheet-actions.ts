import { commandTable } from '../../kit/actions/registry.ts';
import { challanSheet } from '../../resources/challan-sheet.ts';

/** The commands of the entry sheet as data (docs/keyboard.md §6). The keys of its table are in grid/sheet-grid-types.ts. */
export const challanSheetCommands = commandTable('Entry Sheet', {
  commit: {
    id: 'challan-sheet.commit',
    label: 'Create Challans',
    keys: 'Ctrl+S',
    words: 'save commit submit',
    calls: challanSheet.calls.createMany,
  },
  openFile: { id: 'challan-sheet.open', label: 'Open file …', words: 'csv xlsx excel import' },
  undo: { id: 'challan-sheet.undo', label: 'Undo' },
  redo: { id: 'challan-sheet.redo', label: 'Redo' },
  next: { id: 'challan-sheet.next-error', label: 'Next error', keys: 'F8' },
  previous: { id: 'challan-sheet.previous-error', label: 'Previous error', keys: 'Shift+F8' },
  problems: {
    id: 'challan-sheet.problems',
    label: 'Show Problems',
    keys: 'Ctrl+F8',
    words: 'mistakes errors warnings list',
  },
});
