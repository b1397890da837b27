import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { bankAccounts } from '../../resources/bank-accounts.ts';
import { bankAccountColumns } from '../../../shared/columns/bank-columns.ts';
import { bankAccountFields, type BankAccount } from '../../../shared/contract/bank-accounts.ts';
import { BankAccountFormDialog } from './bank-account-form-dialog.tsx';
import { useAccountConfirmation, useToConfirm } from './confirm-account.tsx';
import { factsOf, timesOf } from '../../kit/records/facts.tsx';
import { recordView } from '../../kit/records/record-details.tsx';
import { slowSearchMs } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { screens } from '../../screens.ts';

/** /profile/bank-accounts: the bank accounts that the business pays from (docs/specification.md §24.1). */
export const BankAccountsPage = recordScreen<BankAccount>({
  screen: 'bankAccounts',
  tabsOf: 'profile',
  noun: ['bank account', 'bank accounts'],
  columns: bankAccountColumns,
  search: { hint: 'Name, account number or IFSC', debounceMs: slowSearchMs },
  useRows: ({ page, limit, search }) =>
    pageOf(bankAccounts.useList({ query: { page, limit, search, ...useToConfirm() } })),
  failed: { list: 'Failed to fetch bank accounts' },
  empty: { text: 'Add the bank accounts that you pay owners from. Each bank file is made for one account.' },
  views: {
    view: recordView<BankAccount>({
      record: 'bank-account',
      title: (account) => account?.name ?? 'Bank Account',
      useRecord: (id) => bankAccounts.useGet({ params: { id } }),
      failed: 'Failed to fetch bank accounts',
      facts: (account) => [
        { title: 'Bank Account', facts: [...factsOf(bankAccountFields, account), ...timesOf(account)] },
      ],
    }),
  },
  useMore: () => {
    const { cells, command, dialog, aside, empty } = useAccountConfirmation<BankAccount>('bank account');
    return {
      cells,
      rowCommands: useMemo(() => [command], [command]),
      dialogs: dialog,
      empty,
      aside: (
        <>
          <nav aria-label="Related screens" className="text-sm">
            <Link className="underline underline-offset-2" to={screens.bankAnswer.path}>
              {screens.bankAnswer.name}
            </Link>
          </nav>
          {aside}
        </>
      ),
    };
  },
  form: { addLabel: 'Add Bank Account', Dialog: BankAccountFormDialog },
  calls: bankAccounts.calls,
  removal: {
    useSend: bankAccounts.useRemove,
    question: ({ name }) => ({
      title: `Delete bank account "${name}"?`,
      body: 'The account can no longer be chosen. Its bank files are kept.',
    }),
    done: 'Bank account deleted successfully!',
    failed: 'Failed to delete bank account',
  },
});
