import type { z } from 'zod';
import {
  tdsDepositFields,
  tdsDepositInput,
  tdsDepositShape,
  type TdsDeposit,
} from '../../../shared/contract/tds-deposits.ts';
import { tdsDeposits } from '../../resources/tds-deposits.ts';
import { formFields } from '../../kit/forms/record-fields.tsx';
import { recordFormDialog } from '../../kit/forms/record-form-dialog.tsx';

type Field = keyof typeof tdsDepositFields;

/** The form of a deposit of TDS (docs/specification.md §30.3). Render it only while it is open. */
export const DepositFormDialog = recordFormDialog<Field, z.output<typeof tdsDepositInput>, TdsDeposit>({
  title: 'Deposit',
  titles: { add: 'Add Deposit', edit: 'Edit Deposit' },
  fields: formFields(tdsDepositFields, {
    depositedOn: { kind: 'day', required: true },
    amount: { kind: 'money', required: true, hint: 'As paid to the bank' },
    bsrCode: { required: true, inputMode: 'numeric', maxLength: 7, hint: '7 digits' },
    serialNo: { required: true, inputMode: 'numeric', maxLength: 5, hint: '5 digits' },
    deductedFrom: { kind: 'day', required: true },
    deductedTo: { kind: 'day', required: true, hint: 'It covers what is open of these days' },
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
});
