import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FileText } from 'lucide-react';
import { monthOf } from '../../../shared/calc/day-ranges.ts';
import { hsdLedgerColumns } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdLedgerLine } from '../../../shared/contract/hsd-verification.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { hsdLedgerFilters } from '../../../shared/filters/hsd-ledger-filters.ts';
import { listFilters } from '../filters/index.ts';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import { addressOf } from '../../kit/filters/url-state.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';

type LedgerTexts = Partial<FilterTexts<typeof hsdLedgerFilters>>;

/**
 * /hsd-verification/ledger: what each petrol pump billed in each month, and how much of it is verified
 * (docs/specification.md §11.7).
 */
export const PumpLedgerPage = recordScreen<HsdLedgerLine>({
  screen: 'pumpLedger',
  noun: ['month', 'months'],
  columns: hsdLedgerColumns,
  filters: listFilters(hsdLedgerFilters),
  useRows: ({ page, limit, filters }) =>
    // Safe: the address was parsed with the same filters.
    pageOf(hsdVerification.useListLedger({ query: { page, limit, ...(filters as LedgerTexts) } })),
  failed: { list: 'Failed to fetch the pump ledger' },
  empty: {
    title: 'No bills yet',
    text: 'Bills uploaded for HSD verification are summed up here by petrol pump and month.',
    actions: <Link to="/hsd-verification">Open HSD Verification</Link>,
  },
  useMore: () => {
    const navigate = useNavigate();
    return useMemo(() => {
      /** The challans of the pump that were loaded in the month. */
      const open = ({ petrolPump, month }: HsdLedgerLine): void => {
        const { from: startDate, to: endDate } = monthOf(`${month}-01`);
        void navigate(addressOf('/challans', { petrolPumpId: petrolPump.id, startDate, endDate }));
      };
      return {
        onOpen: open,
        rowCommands: [
          {
            id: 'challans',
            title: 'Open the challans of a pump and month',
            label: 'Challans',
            icon: <FileText size={15} aria-hidden />,
            keys: 'Enter',
            run: open,
          },
        ],
      };
    }, [navigate]);
  },
});
