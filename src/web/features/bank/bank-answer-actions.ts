import type { KeyTable } from '../../kit/ui/key-table.ts';
import { bankAnswers } from '../../resources/bank-answers.ts';
import { commandTable } from '../../kit/actions/registry.ts';

/** The commands of the Bank Answer screen as data (docs/keyboard.md §12). */
const scope = 'Bank Answer';
const { calls } = bankAnswers;

/** Keys that the browser and the grid handle. They are listed here for the help only. */
export const bankAnswerKeys = {
  paste: { keys: 'Ctrl+V', label: 'Paste copied cells or a copied file', by: 'browser' },
  open: { keys: 'Enter', label: 'Choose the payment of the row in focus', by: 'library' },
  search: { keys: '/', label: 'At the bank: search', by: 'library' },
  undo: { keys: 'U', label: 'Accepted answers: undo', by: 'library' },
} as const satisfies KeyTable;

const choose = {
  id: 'bank-answer.choose',
  label: 'Choose a file …',
  keys: 'O',
  words: 'open csv excel statement reverse',
};

export const bankAnswerCommands = commandTable(scope, {
  choose,
  accept: { id: 'bank-answer.accept', label: 'Accept what is sure', keys: 'Ctrl+Enter', calls: calls.accept },
  setAside: { id: 'bank-answer.set-aside', label: 'Set aside', keys: 'S', calls: calls.setAside },
  showAside: { id: 'bank-answer.aside', label: 'Lines set aside', keys: 'L' },
});

/** Active while a statement is open that is not stored yet. */
export const statementCommands = commandTable(scope, {
  choose,
  bringIn: {
    id: 'bank-answer.bring-in',
    label: 'A statement that was opened: bring its lines in',
    keys: 'Ctrl+Enter',
    calls: calls.importStatement,
  },
  close: { id: 'bank-answer.close', label: 'Close the file' },
});
