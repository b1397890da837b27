import { useMemo } from 'react';
import { useActionTable, type Action } from '../../kit/actions/registry.ts';
import { challanSheet } from '../../resources/challan-sheet.ts';

/** The commands of the entry sheet as data (docs/keyboard.md §6). The keys of its table are in grid/sheet-grid-types.ts. */
const scope = 'Entry Sheet';

export interface ChallanSheetCommands {
  commit: () => void;
  openFile: () => void;
  undo: () => void;
  redo: () => void;
  isListOpen: boolean;
  hasProblems: boolean;
  setListOpen: (isOpen: boolean) => void;
  goToError: (step: 1 | -1) => void;
  commitReason: string | undefined;
  undoLabel: string | undefined;
  redoLabel: string | undefined;
}

/** Opens or closes the list of problems. Memoised, because its button is drawn by the table, which is slow to draw again. */
const useProblemsAction = (isOpen: boolean, hasProblems: boolean, setOpen: (isOpen: boolean) => void): Action =>
  useMemo(
    () => ({
      scope,
      id: 'challan-sheet.problems',
      label: isOpen ? 'Hide Problems' : 'Show Problems',
      keys: 'Ctrl+F8',
      words: 'mistakes errors warnings list',
      disabledReason: hasProblems ? undefined : 'There are no problems',
      run: () => setOpen(!isOpen),
    }),
    [isOpen, hasProblems, setOpen],
  );

export function useChallanSheetActions(commands: ChallanSheetCommands) {
  const problems = useProblemsAction(commands.isListOpen, commands.hasProblems, commands.setListOpen);
  const actions = useActionTable(scope, {
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
    problems,
  });
  return { ...actions, problems };
}
