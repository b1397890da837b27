import { useActionTable } from '../../kit/actions/registry.ts';
import { challanSheet } from '../../resources/challan-sheet.ts';

/** The commands of the entry sheet as data (docs/keyboard.md §6). The keys of its table are in grid/sheet-grid-types.ts. */
const scope = 'Entry Sheet';

export interface ChallanSheetCommands {
  commit: () => void;
  openFile: () => void;
  undo: () => void;
  redo: () => void;
  goToError: (step: 1 | -1) => void;
  commitReason: string | undefined;
  undoLabel: string | undefined;
  redoLabel: string | undefined;
}

export function useChallanSheetActions(commands: ChallanSheetCommands) {
  return useActionTable(scope, {
    commit: {
      id: 'challan-sheet.commit',
      label: 'Create Challans',
      keys: 'Ctrl+S',
      words: 'save commit submit',
      calls: challanSheet.calls.createMany,
      disabledReason: commands.commitReason,
      run: commands.commit,
    },
    openFile: {
      id: 'challan-sheet.open',
      label: 'Open file …',
      words: 'csv xlsx excel import',
      run: commands.openFile,
    },
    undo: {
      id: 'challan-sheet.undo',
      label: 'Undo',
      note: commands.undoLabel,
      disabledReason: commands.undoLabel === undefined ? 'There is nothing to undo' : undefined,
      run: commands.undo,
    },
    redo: {
      id: 'challan-sheet.redo',
      label: 'Redo',
      note: commands.redoLabel,
      disabledReason: commands.redoLabel === undefined ? 'There is nothing to redo' : undefined,
      run: commands.redo,
    },
    next: {
      id: 'challan-sheet.next-error',
      label: 'Next error',
      keys: 'F8',
      run: () => commands.goToError(1),
    },
    previous: {
      id: 'challan-sheet.previous-error',
      label: 'Previous error',
      keys: 'Shift+F8',
      run: () => commands.goToError(-1),
    },
  });
}
