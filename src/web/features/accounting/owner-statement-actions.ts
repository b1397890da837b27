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
  return useActionTable({
    print: {
      id: 'owner-statement.print',
      label: 'Print Statement',
      keys: 'P',
      scope,
      words: 'pdf freeze number',
      calls: ownerStatements.calls.print,
      disabledReason: commands.printReason,
      run: commands.print,
    },
    prints: {
      id: 'owner-statement.prints',
      label: 'Printed Statements',
      keys: 'L',
      scope,
      words: 'pdf excel download earlier',
      run: commands.prints,
    },
    opening: {
      id: 'owner-statement.opening',
      label: 'Opening Balance',
      keys: 'B',
      scope,
      words: 'old book correct',
      calls: ownerStatements.calls.setOpenings,
      run: commands.opening,
    },
    toPeriod: {
      id: 'owner-statement.period',
      label: 'Go to the period',
      keys: '/',
      scope,
      words: 'dates from to',
      run: commands.toPeriod,
    },
    challans: {
      id: 'owner-statement.challans',
      label: 'Fetch Challans',
      keys: 'C',
      scope,
      run: commands.challans,
    },
    back: {
      id: 'owner-statement.back',
      label: 'Back to Accounting',
      scope,
      words: 'owners',
      run: commands.back,
    },
  });
}
