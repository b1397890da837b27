import { ownerStatements } from '../../resources/owner-statements.ts';
import { commandTable } from '../../kit/actions/registry.ts';

const { calls } = ownerStatements;

/** The commands of an owner's statement as data (docs/keyboard.md §8). */
export const ownerStatementCommands = commandTable('Owner statement', {
  print: {
    id: 'owner-statement.print',
    label: 'Print Statement',
    keys: 'P',
    words: 'pdf freeze number',
    calls: calls.print,
  },
  prints: {
    id: 'owner-statement.prints',
    label: 'Printed Statements',
    keys: 'L',
    words: 'pdf excel download earlier',
  },
  opening: {
    id: 'owner-statement.opening',
    label: 'Opening Balance',
    keys: 'B',
    words: 'old book correct',
    calls: calls.setOpenings,
  },
  toPeriod: { id: 'owner-statement.period', label: 'Go to the period', keys: '/', words: 'dates from to' },
  challans: { id: 'owner-statement.challans', label: 'Fetch Challans', keys: 'C' },
  back: { id: 'owner-statement.back', label: 'Back to Accounting', words: 'owners' },
});
