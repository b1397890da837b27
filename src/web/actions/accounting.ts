import { listKeys } from './record-list.ts';
import { useActions, type Action } from './registry.ts';

export interface AccountingCommands {
  focusSearch: () => void;
  fetchChallans: () => void;
  sharedReports: () => void;
}

const scope = 'Accounting';
const nothing = (): void => undefined;

/** The commands of the owner list in accounting as data. */
export function useAccountingActions(commands: AccountingCommands) {
  const actions = {
    search: {
      id: 'accounting.search',
      label: 'Search owners',
      keys: '/',
      scope,
      words: 'find filter',
      run: commands.focusSearch,
    },
    view: {
      id: 'accounting.open',
      label: 'View details',
      keys: 'Enter',
      scope,
      inPalette: false,
      handledElsewhere: true,
      run: nothing,
    },
    fetchChallans: {
      id: 'accounting.challans',
      label: 'Fetch Challans',
      keys: 'C',
      scope,
      inPalette: false,
      run: commands.fetchChallans,
    },
    sharedReports: {
      id: 'accounting.shared-reports',
      label: 'Shared Reports',
      scope,
      words: 'whatsapp links revoke',
      run: commands.sharedReports,
    },
    ...listKeys('accounting', scope),
  } satisfies Record<string, Action>;
  useActions(Object.values(actions));
  return actions;
}

/** The keys of an owner's details in accounting; called inside the dialog, so that they belong to it. */
export function useAccountingOwnerActions(fetchChallans: () => void) {
  const actions = {
    fetchChallans: {
      id: 'accounting-owner.challans',
      label: 'Fetch Challans',
      keys: 'C',
      scope: 'Details',
      run: fetchChallans,
    },
  } satisfies Record<string, Action>;
  useActions(Object.values(actions));
  return actions;
}
