import { useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDate } from '../../../shared/calc/dates.ts';
import { formatINR, isPositive } from '../../../shared/calc/money.ts';
import { depositColumns } from '../../../shared/columns/tds-deposit-columns.ts';
import { tdsReturnLayout } from '../../../shared/columns/tds-return-layouts.ts';
import {
  tdsDepositFields,
  tdsDepositSorts,
  type TdsDeposit,
  tdsDepositInput,
  tdsDepositShape,
} from '../../../shared/contract/tds-deposits.ts';
import type { TdsMonth } from '../../../shared/contract/tds.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { tdsPeriodFilters } from '../../../shared/filters/tds-filters.ts';
import type { Action } from '../../kit/actions/registry.ts';
import { refusalOf } from '../../kit/api/seat.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { today } from '../../kit/forms/day-field.tsx';
import { factsOf, timesOf } from '../../kit/records/facts.tsx';
import { recordView } from '../../kit/records/record-details.tsx';
import type { ListQuery } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Scrolled } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { tds } from '../../resources/tds.ts';
import { tdsDeposits } from '../../resources/tds-deposits.ts';
import { keyOf, screens } from '../../screens.ts';
import { listFilters } from '../filters/index.ts';
import { CountedPeriod } from './counted-period.tsx';
import { useTdsFiles } from './use-tds-files.ts';
import type { z } from 'zod';
import { formFields } from '../../kit/forms/record-fields.tsx';
import { recordFormDialog } from '../../kit/forms/record-form-dialog.tsx';

// Safe: the address was parsed with the same filters.
const filtersOf = ({ filters }: ListQuery) => filters as Partial<FilterTexts<typeof tdsPeriodFilters>>;

/** What has to be done comes first: only some of the rows are in sight. */
const openFirst = (months: readonly TdsMonth[]): TdsMonth[] =>
  months.toSorted((a, b) => Number(isPositive(b.open)) - Number(isPositive(a.open)));

const monthOf = ({ from }: TdsMonth): string => formatDate(from).slice(3);

/** What was deducted in each month, and what of it is not deposited (docs/specification.md §30.2). */
function Months({
  query,
  onDeposit,
  disabledReason,
}: {
  query: ReturnType<typeof useMonths>;
  onDeposit: (month: TdsMonth) => void;
  disabledReason: string | undefined;
}) {
  const { data, error } = query;
  if (error !== null || !data) {
    const waiting = <Skeleton className="h-16 flex-1" />;
    return <QueryFailure query={query} fallback="Failed to fetch what is not deposited" waiting={waiting} />;
  }
  if (data.data.length === 0) return <p className="text-sm text-muted">No tax was deducted in this period.</p>;
  return (
    // As high as leaves the list below half a dozen rows in a window of 768 pixels, and at most a whole year.
    <Scrolled
      aria-label="Deducted, not deposited"
      className="max-h-[clamp(5.5rem,100dvh-36rem,20rem)] max-w-4xl flex-1 basis-144 overflow-y-auto"
    >
      <table className="nums w-full border-collapse text-left" aria-label="Deducted, not deposited">
        <thead className="sticky top-0 bg-canvas text-xs text-muted">
          <tr>
            <th className="pr-4">Month</th>
            {['Deducted', 'Deposited', 'Not Deposited'].map((label) => (
              <th key={label} className="pr-4 text-right">
                {label}
              </th>
            ))}
            <th className="pr-4">Due</th>
            <th>
              <span className="sr-only">Deposit</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {openFirst(data.data).map((month) => (
            <tr key={month.from} className="border-t border-line">
              <td className="pr-4">{monthOf(month)}</td>
              {[month.tdsAmount, month.covered, month.open].map((amount, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- three fixed columns
                <td key={index} className="pr-4 text-right">
                  {formatINR(amount)}
                </td>
              ))}
              <td className={month.isLate ? 'pr-4 font-medium text-danger' : 'pr-4'}>
                {isPositive(month.open) ? `${formatDate(month.dueOn)}${month.isLate ? ', late' : ''}` : 'Deposited'}
              </td>
              <td className="py-0.5 text-right">
                {isPositive(month.open) && (
                  <Button
                    size="sm"
                    aria-label={`Deposit ${monthOf(month)}`}
                    disabledReason={disabledReason}
                    onClick={() => onDeposit(month)}
                  >
                    Deposit
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

const useMonths = (ask: ListQuery) => tds.useListMonths({ query: filtersOf(ask) });

type Field = keyof typeof tdsDepositFields;

/** The form of a deposit of TDS (docs/specification.md §30.3). Render it only while it is open. */
const DepositFormDialog = recordFormDialog<Field, z.output<typeof tdsDepositInput>, TdsDeposit>({
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

/** /accounting/tds/deposits: deposits of TDS, and what is not deposited (docs/specification.md §30). */
export const TdsDepositsPage = recordScreen<TdsDeposit>({
  screen: 'tdsDeposits',
  noun: ['deposit', 'deposits'],
  columns: depositColumns,
  filters: listFilters(tdsPeriodFilters),
  sorts: { keys: tdsDepositSorts, by: 'depositedOn', order: 'desc' },
  useRows: (ask) => {
    const { page, limit, sortBy, sortOrder } = ask;
    const order = tdsDepositSorts.find((key) => key === sortBy) ?? 'depositedOn';
    const query = tdsDeposits.useList({ query: { page, limit, sortBy: order, sortOrder, ...filtersOf(ask) } });
    return { ...pageOf(query), totals: query.data && { ...query.data.totals } };
  },
  failed: { list: 'Failed to fetch the deposits' },
  empty: {
    title: 'No deposits in this financial year',
    text: 'Enter what you paid to the bank: it covers what was deducted on its days.',
  },
  viewLabel: 'View',
  views: {
    view: recordView<TdsDeposit>({
      record: 'tds-deposit',
      title: (row) => (row ? `Deposit ${row.bsrCode} / ${row.serialNo}` : 'Deposit'),
      useRecord: (id) => tdsDeposits.useGet({ params: { id } }),
      failed: 'Failed to fetch the deposits',
      facts: (row) => [
        {
          title: 'Deposit',
          facts: [
            ...factsOf(tdsDepositFields, row, {
              depositedOn: formatDate(row.depositedOn),
              deductedFrom: formatDate(row.deductedFrom),
              deductedTo: formatDate(row.deductedTo),
            }),
            { label: 'Quarter', value: `${row.quarter.toUpperCase()} of ${row.year}` },
            { label: 'Covers', value: `${formatINR(row.covered)} of ${row.challanCount} challans` },
            ...timesOf(row),
          ],
        },
      ],
    }),
  },
  form: { addLabel: 'Add Deposit', Dialog: DepositFormDialog },
  calls: tdsDeposits.calls,
  useMore: ({ ask, grid }) => {
    const months = useMonths(ask);
    const [start, setStart] = useState<Partial<TdsDeposit>>();
    const files = useTdsFiles(
      screens.tdsDeposits.name,
      filtersOf(ask),
      (months.data?.data ?? []).reduce((count, { challanCount }) => count + challanCount, 0),
      'return',
    );
    const refusal = refusalOf(tdsDeposits.calls.create);
    const deposit = ({ from, to, open }: TdsMonth): void =>
      setStart({ depositedOn: today(), deductedFrom: from, deductedTo: to, amount: open });
    const first = months.data?.data.find(({ open }) => isPositive(open));
    const next: Action = {
      id: 'tds-deposits.next',
      label: 'Deposit Open Month',
      keys: 'D',
      scope: screens.tdsDeposits.name,
      words: 'due tax month bsr challan',
      disabledReason: refusal ?? (first ? undefined : 'Nothing is open in this period'),
      run: () => first && deposit(first),
    };
    return {
      ownFile: 'list',
      actions: [next],
      aside: (
        <>
          <CountedPeriod counted={months.data?.counted} />
          <Link className="text-sm underline underline-offset-2" to={screens.tds.path}>
            {screens.tds.name}
          </Link>
          {files.status}
        </>
      ),
      above: (
        <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
          <Months query={months} onDeposit={deposit} disabledReason={refusal} />
          <div role="group" aria-label="Working for the return" className="flex max-w-80 flex-wrap gap-2">
            {files.buttons}
            <p className="text-xs text-muted">The files are a working for the return. {tdsReturnLayout.mark}</p>
          </div>
        </div>
      ),
      dialogs: start && (
        <DepositFormDialog
          start={start}
          entriesKey={keyOf('tdsDeposits')}
          onClose={() => setStart(undefined)}
          onSaved={() => {
            setStart(undefined);
            grid.handle.current?.focusFirstRow();
          }}
        />
      ),
    };
  },
  removal: {
    useSend: tdsDeposits.useRemove,
    question: ({ bsrCode, serialNo, covered }) => ({
      title: `Delete the deposit ${bsrCode} / ${serialNo}?`,
      body: `The ${formatINR(covered)} that it covers is open again.`,
    }),
    done: 'Deposit deleted successfully!',
    failed: 'Failed to delete the deposit',
  },
});
