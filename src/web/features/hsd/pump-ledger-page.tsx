import { Link } from 'react-router-dom';
import { hsdLedgerColumns } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdLedgerLine } from '../../../shared/contract/hsd-verification.ts';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import { slowSearchMs } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';

/**
 * /hsd-verification/ledger: what each petrol pump billed in each month, and how much of it is verified
 * (docs/specification.md §11.7).
 */
export const PumpLedgerPage = recordScreen<HsdLedgerLine>({
  screen: 'pumpLedger',
  noun: ['month', 'months'],
  columns: hsdLedgerColumns,
  search: { hint: 'Petrol pump', debounceMs: slowSearchMs },
  useRows: ({ page, limit, search }) => pageOf(hsdVerification.useListLedger({ query: { page, limit, search } })),
  failed: { list: 'Failed to fetch the pump ledger' },
  empty: {
    title: 'No bills yet',
    text: 'Bills uploaded for HSD verification are summed up here by petrol pump and month.',
    actions: <Link to="/hsd-verification">Open HSD Verification</Link>,
  },
});
