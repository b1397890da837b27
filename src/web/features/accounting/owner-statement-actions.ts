import { ownerStatements } from '../../resources/owner-statements.ts';
import { useActionTable } from '../../kit/actions/registry.ts';

/** The commands of an owner's statement as data (docs/keyboard.md §8). */
const scope = 'Owner statement';

export interface OwnerStatementCommands {
  print: () => void;
  printReason: string | undefined;
  prints: () => void;
  opening: () => void;
  toPeriod: () => void;
  challans: () => void;
  back: () => void;
}

export function useOwnerStatementActions(commands: OwnerStatementCommands) {
  return useActionTable(scope, {
    print: {
      id: 'owner-statement.print',
      label: 'Print Statement',
      keys: 'P',
      words: 'pdf freeze number',
      calls: ownerStatements.calls.print,
      disabledReason: commands.printReason,
      run: commands.print,
    },
    prints: {
      id: 'owner-statement.prints',
      label: 'Printed Statements',
      keys: 'L',
      words: 'pdf excel download earlier',
      run: commands.prints,
    },
    opening: {
      id: 'owner-statement.opening',
      label: 'Opening Balance',
      keys: 'B',
      words: 'old book correct',
      calls: ownerStatements.calls.setOpenings,
      run: commands.opening,
    },
    toPeriod: {
      id: 'owner-statement.period',
      label: 'Go to the period',
      keys: '/',
      words: 'dates from to',
      run: commands.toPeriod,
    },
    challans: {
      id: 'owner-statement.challans',
      label: 'Fetch Challans',
      keys: 'C',
      run: commands.challans,
    },
    back: {
      id: 'owner-statement.back',
      label: 'Back to Accounting',
      words: 'owners',
      run: commands.back,
    },
  });
}
