import type { z } from 'zod';
import {
  tdsDepositFields,
  tdsDepositInput,
  tdsDepositShape,
  type TdsDeposit,
} from '../../../shared/contract/tds-deposits.ts';
import { tdsDeposits } from '../../resources/tds-deposits.ts';
import { MoneyField } from '../../kit/forms/amount-fields.tsx';
import { DayField } from '../../kit/forms/day-field.tsx';
import { FormField } from '../../kit/forms/form-field.tsx';
import { formFields } from '../../kit/forms/record-fields.tsx';
import {
  recordForm,
  RecordFormDialog,
  type RecordFormProps,
  type RecordFormSpec,
} from '../../kit/forms/record-form-dialog.tsx';

type Field = keyof typeof tdsDepositFields;
const days = ['depositedOn', 'deductedFrom', 'deductedTo'] as const;

const spec: RecordFormSpec<Field, z.output<typeof tdsDepositInput>, TdsDeposit> = {
  title: 'Deposit',
  titles: { add: 'Add Deposit', edit: 'Edit Deposit' },
  fields: formFields(tdsDepositFields, {
    depositedOn: { required: true },
    amount: { required: true, hint: 'As paid to the bank' },
    bsrCode: { required: true, inputMode: 'numeric', maxLength: 7, hint: '7 digits' },
    serialNo: { required: true, inputMode: 'numeric', maxLength: 5, hint: '5 digits' },
    deductedFrom: { required: true },
    deductedTo: { required: true, hint: 'It covers what is open of these days' },
    note: { rows: 2, maxLength: 500, isWide: true },
  }),
  columns: 2,
  schema: tdsDepositInput,
  shape: tdsDepositShape,
  resource: tdsDeposits,
  words: {
    created: 'Deposit saved',
    updated: 'Deposit updated',
    notCreated: 'Failed to save the deposit',
    notUpdated: 'Failed to update the deposit',
  },
};
const useDepositForm = recordForm(spec);

/** The form of a deposit of TDS (docs/specification.md §30.3). Render it only while it is open. */
export function DepositFormDialog(props: RecordFormProps<TdsDeposit>) {
  const state = useDepositForm(props);
  const { control } = state.record.form;
  return (
    <RecordFormDialog
      of={spec}
      state={state}
      onClose={props.onClose}
      custom={{
        amount: (
          <FormField control={control} name="amount">
            {(field) => (
              <MoneyField
                {...field}
                label={spec.fields.amount.label}
                required
                hint={spec.fields.amount.hint as string}
              />
            )}
          </FormField>
        ),
        ...Object.fromEntries(
          days.map((name) => [
            name,
            <FormField key={name} control={control} name={name}>
              {(field) => (
                <DayField
                  {...field}
                  label={spec.fields[name].label}
                  required
                  hint={spec.fields[name].hint as string | undefined}
                />
              )}
            </FormField>,
          ]),
        ),
      }}
    />
  );
}
