import { useKeyHelp, type KeyTable } from '../../kit/ui/key-table.ts';
import { bankAnswers } from '../../resources/bank-answers.ts';
import { useActionTable, type Action } from '../../kit/actions/registry.ts';

/** The commands of the Bank Answer screen as data (docs/keyboard.md §12). */
const scope = 'Bank Answer';

/** Keys that the browser and the grid handle. They are listed here for the help only. */
export const bankAnswerKeys = {
  paste: { keys: 'Ctrl+V', label: 'Paste copied cells or a copied file', by: 'browser' },
  open: { keys: 'Enter', label: 'Choose the payment of the row in focus', by: 'library' },
  search: { keys: '/', label: 'At the bank: search', by: 'library' },
  undo: { keys: 'U', label: 'Accepted answers: undo', by: 'library' },
} as const satisfies KeyTable;

export interface BankAnswerCommands {
  choose: () => void;
  chooseReason: string | undefined;
  accept: () => void;
  acceptLabel: string;
  acceptReason: string | undefined;
  setAside: () => void;
  setAsideReason: string | undefined;
  showAside: () => void;
  showAsideReason: string | undefined;
}

const chooseAction = (run: () => void, disabledReason: string | undefined): Action => ({
  id: 'bank-answer.choose',
  label: 'Choose a file …',
  keys: 'O',
  scope,
  words: 'open csv excel statement reverse',
  disabledReason,
  run,
});

export function useBankAnswerActions(commands: BankAnswerCommands) {
  useKeyHelp('The bank’s answer', bankAnswerKeys);
  return useActionTable(scope, {
    choose: chooseAction(commands.choose, commands.chooseReason),
    accept: {
      id: 'bank-answer.accept',
      label: commands.acceptLabel,
      keys: 'Ctrl+Enter',
      calls: bankAnswers.calls.accept,
      disabledReason: commands.acceptReason,
      run: commands.accept,
    },
    setAside: {
      id: 'bank-answer.set-aside',
      label: 'Set aside',
      keys: 'S',
      calls: bankAnswers.calls.setAside,
      disabledReason: commands.setAsideReason,
      run: commands.setAside,
    },
    showAside: {
      id: 'bank-answer.aside',
      label: 'Lines set aside',
      keys: 'L',
      disabledReason: commands.showAsideReason,
      run: commands.showAside,
    },
  });
}

export interface StatementCommands {
  choose: () => void;
  bringIn: () => void;
  bringInLabel: string;
  bringInReason: string | undefined;
  close: () => void;
}

/** Active while a statement is open that is not stored yet. */
export function useStatementActions(commands: StatementCommands) {
  return useActionTable(scope, {
    choose: chooseAction(commands.choose, undefined),
    bringIn: {
      id: 'bank-answer.bring-in',
      label: commands.bringInLabel,
      keys: 'Ctrl+Enter',
      calls: bankAnswers.calls.importStatement,
      disabledReason: commands.bringInReason,
      run: commands.bringIn,
    },
    close: { id: 'bank-answer.close', label: 'Close the file', run: commands.close },
  });
}
