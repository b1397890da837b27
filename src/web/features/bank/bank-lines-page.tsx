import { listFilters } from '../filters/index.ts';
import { Link } from 'react-router-dom';
import { bankLineColumns } from '../../../shared/columns/bank-answer-columns.ts';
import { bankLineSorts, type BankLineAtBank } from '../../../shared/contract/bank-answers.ts';
import { bankLineFilters } from '../../../shared/filters/bank-line-filters.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { bankAnswers } from '../../resources/bank-answers.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { screens } from '../../screens.ts';

/**
 * /accounting/bank: the lines that were sent to the bank, those without an answer first (docs/specification.md
 * §25.1).
 */
export const BankLinesPage = recordScreen<BankLineAtBank>({
  screen: 'bankLines',
  noun: ['line', 'lines'],
  columns: bankLineColumns,
  filters: listFilters(bankLineFilters),
  sorts: { keys: bankLineSorts, by: 'sentOn' },
  useRows: ({ page, limit, sortBy, sortOrder, filters }) => {
    const order = bankLineSorts.find((key) => key === sortBy) ?? 'sentOn';
    const query = bankAnswers.useListLines({
      query: {
        page,
        limit,
        sortBy: order,
        sortOrder,
        // Safe: the address was parsed with the same filters.
        ...(filters as Partial<FilterTexts<typeof bankLineFilters>>),
      },
    });
    return { ...pageOf(query), totals: query.data && { ...query.data.totals } };
  },
  failed: { list: 'Failed to fetch the lines at the bank' },
  empty: {
    title: 'No lines are waiting for an answer',
    text: 'Lines of bank files are listed here until the bank has executed, refused or returned them.',
    actions: <Link to={screens.payments.path}>Open Payments</Link>,
  },
  useMore: () => ({
    buttons: (
      <>
        <Link to={screens.bankAnswer.path}>Enter the bank’s answer</Link>
        <Link to={screens.bankAnswers.path}>Accepted answers</Link>
      </>
    ),
  }),
});
