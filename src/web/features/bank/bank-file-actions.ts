import { useActionTable } from '../../kit/actions/registry.ts';

/** The commands of the Bank File dialog as data. */
export function useBankFileActions(commands: {
  make: () => void;
  makeReason: string | undefined;
  changeRoute: () => void;
}) {
  const scope = 'Bank file';
  return useActionTable(scope, {
    make: {
      id: 'bank-file.make',
      label: 'Make and Download',
      keys: 'Ctrl+Enter',
      disabledReason: commands.makeReason,
      run: commands.make,
    },
    route: { id: 'bank-file.route', label: 'Change Route', keys: 'R', run: commands.changeRoute },
  });
}
