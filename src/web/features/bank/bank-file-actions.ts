import { useActionTable } from '../../kit/actions/registry.ts';

/** The commands of the Bank File dialog as data. */
export function useBankFileActions(commands: {
  make: () => void;
  makeReason: string | undefined;
  changeRoute: () => void;
}) {
  const scope = 'Bank file';
  return useActionTable({
    make: {
      id: 'bank-file.make',
      label: 'Make and Download',
      keys: 'Ctrl+Enter',
      scope,
      disabledReason: commands.makeReason,
      run: commands.make,
    },
    route: { id: 'bank-file.route', label: 'Change Route', keys: 'R', scope, run: commands.changeRoute },
  });
}
