import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { bankAccounts } from '../../resources/bank-accounts.ts';
import { bankAccountColumns } from '../../../shared/columns/bank-columns.ts';
import {
  bankAccountFields,
  type BankAccount,
  bankAccount,
  bankAccountInput,
} from '../../../shared/contract/bank-accounts.ts';
import { useAccountConfirmation, useToConfirm } from './confirm-account.tsx';
import { factsOf, timesOf } from '../../kit/records/facts.tsx';
import { recordView } from '../../kit/records/record-details.tsx';
import { slowSearchMs } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { screens } from '../../screens.ts';
import type { z } from 'zod';
import { bankLayouts } from '../../resources/bank-layouts.ts';
import { Select } from '../../kit/ui/select-field.tsx';
import { FormField } from '../../kit/forms/form-field.tsx';
import { formFields } from '../../kit/forms/record-fields.tsx';
import {
  recordForm,
  RecordFormDialog,
  type RecordFormProps,
  type RecordFormSpec,
} from '../../kit/forms/record-form-dialog.tsx';

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

type Field = keyof typeof bankAccountFields;

const spec: RecordFormSpec<Field, z.output<typeof bankAccountInput>, BankAccount> = {
  title: 'Bank Account',
  titles: { add: 'Add New Bank Account', edit: 'Edit Bank Account' },
  fields: formFields(bankAccountFields, {
    name: { required: true, hint: 'Your name for it, such as “HDFC current”' },
    accountNo: { required: true, inputMode: 'numeric', hint: '9 to 18 digits' },
    ifsc: { required: true, isUpper: true, maxLength: 11 },
    layout: { required: true, initial: 'A' },
    clientCode: { isUpper: true, maxLength: 32, hint: 'The bank’s code for you; part of the file name' },
    fileLimit: { kind: 'money', required: true, initial: '0.00', hint: '0 means no limit' },
    rtgsFloor: { kind: 'money', required: true, initial: '200000.00', hint: 'NEFT is used below it' },
    impsCeiling: { kind: 'money', required: true, initial: '500000.00', hint: 'IMPS is not used above it' },
  }),
  groups: [
    { title: 'Account', names: ['name', 'accountNo', 'ifsc', 'clientCode'] },
    { title: 'Bank file', names: ['layout', 'fileLimit', 'rtgsFloor', 'impsCeiling'] },
  ],
  columns: 2,
  size: 'md',
  schema: bankAccountInput,
  shape: bankAccount,
  resource: bankAccounts,
  words: {
    created: 'Bank account created successfully!',
    updated: 'Bank account updated successfully!',
    notCreated: 'Failed to save bank account',
    notUpdated: 'Failed to save bank account',
  },
};
const useBankAccountForm = recordForm(spec);

/** docs/specification.md §24.1 */
function BankAccountFormDialog(props: RecordFormProps<BankAccount>) {
  const state = useBankAccountForm(props);
  const { control } = state.record.form;
  const { data } = bankLayouts.useList({});
  const options = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <RecordFormDialog
      of={spec}
      state={state}
      onClose={props.onClose}
      custom={{
        layout: (
          <FormField control={control} name="layout">
            {(field) => (
              <Select
                label={bankAccountFields.layout.label}
                required
                className="col-span-full"
                hint="Check a one-line file with your bank first"
                error={field.error}
                value={field.value}
                onValueChange={field.onValueChange}
                options={options}
                ref={field.ref}
              />
            )}
          </FormField>
        ),
      }}
    />
  );
}
