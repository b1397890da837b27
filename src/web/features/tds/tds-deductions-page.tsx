import { listFilters } from '../filters/index.ts';
import { useCallback, useMemo } from 'react';
import { Eye, ReceiptIndianRupee } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { tdsDeductionColumns } from '../../../shared/columns/tds-columns.ts';
import { tdsDeductionSorts, type TdsDeduction } from '../../../shared/contract/tds.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { tdsDeductionFilters } from '../../../shared/filters/tds-filters.ts';
import { tds } from '../../resources/tds.ts';
import { idValue } from '../../kit/filters/filter-values.ts';
import { useUrlState } from '../../kit/filters/url-state.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import type { ListQuery } from '../../kit/records/record-place.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { screens } from '../../screens.ts';
import { CountedPeriod } from './counted-period.tsx';
import { useTdsFiles } from './use-tds-files.ts';

/** The line of the register whose deductions are shown; empty shows all. */
const urlShape = { line: idValue() };

function useDeductions({ page, limit, sortBy, sortOrder, filters }: ListQuery) {
  const [{ line }, setUrl] = useUrlState(urlShape);
  const query = {
    // Safe: the address was parsed with the same filters.
    ...(filters as Partial<FilterTexts<typeof tdsDeductionFilters>>),
    ...(line === '' ? {} : { line }),
    sortBy: tdsDeductionSorts.find((key) => key === sortBy) ?? ('day' as const),
    sortOrder,
  };
  return { line, setUrl, query, list: tds.useListDeductions({ query: { page, limit, ...query } }) };
}

/**
 * /accounting/tds/deductions: lists the challans behind the register, each with its payment (docs/specification.md
 * §27.3).
 */
export const TdsDeductionsPage = recordScreen<TdsDeduction>({
  screen: 'tdsDeductions',
  noun: ['deduction', 'deductions'],
  columns: tdsDeductionColumns,
  filters: listFilters(tdsDeductionFilters),
  sorts: { keys: tdsDeductionSorts, by: 'day' },
  useRows: (ask) => {
    const { list } = useDeductions(ask);
    return { ...pageOf(list), totals: list.data && { ...list.data.totals } };
  },
  failed: { list: 'Failed to fetch the deductions' },
  empty: {
    title: 'No deductions in this period',
    text: 'Choose another financial year or quarter, or show all deductions.',
    actions: <Link to={screens.tds.path}>Open TDS Register</Link>,
  },
  useMore: ({ ask }) => {
    const { line, query, list } = useDeductions(ask);
    const navigate = useNavigate();
    const show = useCallback(({ id }: TdsDeduction) => void navigate(`/challans?open=${id}`), [navigate]);
    const rowCommands = useMemo(
      () => [
        {
          id: 'challan',
          title: 'Open the challan of a deduction',
          label: 'Open Challan',
          icon: <Eye size={15} aria-hidden />,
          keys: 'Enter',
          run: show,
        },
        {
          id: 'payment',
          title: 'Open the payment of a deduction',
          label: 'Open Payment',
          icon: <ReceiptIndianRupee size={15} aria-hidden />,
          keys: 'P',
          run: ({ payment }: TdsDeduction) => payment && void navigate(`${screens.payments.path}?open=${payment.id}`),
          disabledReason: ({ payment }: TdsDeduction) => (payment ? undefined : 'This challan is not paid'),
        },
      ],
      [show, navigate],
    );
    const count = list.data?.totals.challanCount ?? 0;
    const files = useTdsFiles(screens.tdsDeductions.name, query, count);
    return {
      ownFile: 'list',
      rowCommands,
      onOpen: show,
      aside: (
        <>
          <CountedPeriod counted={list.data?.counted} />
          {line !== '' && (
            <span className="text-sm">
              One line of the register ·{' '}
              <Link className="underline underline-offset-2" to={screens.tdsDeductions.path}>
                Show all deductions
              </Link>
            </span>
          )}
          {files.status}
        </>
      ),
      buttons: (
        <>
          <Link className="self-center text-sm underline underline-offset-2" to={screens.tds.path}>
            TDS Register
          </Link>
          {files.buttons}
        </>
      ),
    };
  },
});
