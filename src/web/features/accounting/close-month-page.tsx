import { useMemo, useRef, useState, type RefObject } from 'react';
import { BookOpenCheck, CheckCircle2, CircleAlert, Download } from 'lucide-react';
import { Link } from 'react-router-dom';
import { countText } from '../../../shared/calc/count-text.ts';
import { monthOf } from '../../../shared/calc/day-ranges.ts';
import { addDays, formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { monthText } from '../../../shared/columns/hsd-verification-columns.ts';
import { monthPackColumns } from '../../../shared/columns/month-pack-columns.ts';
import { daysOfMonth, type CheckResult, type MonthPack } from '../../../shared/contract/month-packs.ts';
import type { PeriodLock } from '../../../shared/contract/period-lock.ts';
import { closeCheckPath, closeChecks, type MonthDays } from '../../../shared/filters/close-checks.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import type { Action } from '../../kit/actions/registry.ts';
import { call } from '../../kit/api/client.ts';
import { newIdempotencyKey } from '../../kit/api/idempotency-key.ts';
import { refusalOf } from '../../kit/api/seat.ts';
import { confirm } from '../../kit/feedback/confirm.tsx';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { DownloadStatus, useFileDownload } from '../../kit/feedback/file-download.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { today } from '../../kit/forms/day-field.tsx';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { Scrolled } from '../../kit/ui/page.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { monthPacks } from '../../resources/month-packs.ts';
import { periodLock } from '../../resources/period-lock.ts';
import { screens } from '../../screens.ts';

/** So many months can be chosen. */
const mostMonths = 24;

/** The months that are over, the last one first: '2026-10'. */
function monthsUntil(day: string): string[] {
  const months: string[] = [];
  for (let next = day; months.length < mostMonths;) {
    next = addDays(monthOf(next).from, -1);
    months.push(next.slice(0, 7));
  }
  return months;
}

/** How the lock stands to the month: what closing does with it. */
function lockText({ upTo, openUntil }: PeriodLock, { to }: MonthDays): string {
  if (upTo === null || upTo < to) return `Closing locks the books up to ${formatDate(to)}.`;
  if (openUntil !== null)
    return `Closing ends the lift of the lock until ${formatDateTime(openUntil)}: it holds again up to ${formatDate(upTo)}.`;
  return `The books are locked up to ${formatDate(upTo)} already.`;
}

/** What is open before the month is closed. What is done has a tick, so that one sees that it was looked at. */
function Checks({
  query,
  month,
}: {
  query: Pick<ReturnType<typeof monthPacks.useChecks>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  month: MonthDays;
}) {
  const { data, error } = query;
  if (error !== null || !data)
    return (
      <QueryFailure query={query} fallback="Failed to fetch what is open" waiting={<Skeleton className="h-40" />} />
    );
  return (
    <Scrolled aria-label="Open before closing" className="max-h-64 overflow-y-auto">
      <table className="nums w-full max-w-3xl border-collapse text-left" aria-label="Open before closing">
        <thead className="text-xs text-muted">
          <tr>
            <th className="pr-4">Open before closing</th>
            <th className="pr-4 text-right">Count</th>
            <th className="text-right">Amount</th>
          </tr>
        </thead>
        <tbody>
          {data.data.map((check) => (
            <CheckRow key={check.id} check={check} month={month} />
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

function CheckRow({ check: { id, count, amount }, month }: { check: CheckResult; month: MonthDays }) {
  const { label, noun } = closeChecks[id];
  const isDone = count === 0;
  return (
    <tr className="border-t border-line">
      <td className="flex items-center gap-1.5 py-0.5 pr-4">
        {isDone ? (
          <CheckCircle2 size={14} aria-hidden className="text-good" />
        ) : (
          <CircleAlert size={14} aria-hidden className="text-warn" />
        )}
        {isDone ? (
          label
        ) : (
          <Link className="underline underline-offset-2" to={closeCheckPath(id, month)}>
            {label}
          </Link>
        )}
      </td>
      <td className="pr-4 text-right">{isDone ? 'Done' : countText(count, noun)}</td>
      <td className="text-right">{isDone || amount === null ? '' : formatINR(amount)}</td>
    </tr>
  );
}

function MonthField({
  value,
  onValueChange,
  field,
}: {
  value: string;
  onValueChange: (month: string) => void;
  field: RefObject<HTMLButtonElement | null>;
}) {
  const options = useMemo(() => monthsUntil(today()).map((month) => ({ value: month, label: monthText(month) })), []);
  return (
    <div className="w-48">
      <Select ref={field} label="Month" value={value} options={options} onValueChange={onValueChange} />
    </div>
  );
}

/** /accounting/close: what is open before a month is closed, and the packs of closed months (docs/specification.md §32). */
export const CloseMonthPage = recordScreen<MonthPack>({
  screen: 'closeMonth',
  noun: ['pack', 'packs'],
  columns: monthPackColumns,
  useRows: ({ page, limit }) => pageOf(monthPacks.useList({ query: { page, limit } })),
  failed: { list: 'Failed to fetch the packs' },
  empty: {
    title: 'No packs yet',
    text: 'Look at what is open, then press L: the books are locked up to the end of the month, and its pack is made.',
    actions: <Link to={screens.accounting.path}>Open Accounting</Link>,
  },
  useMore: () => {
    const [month, setMonth] = useState(() => monthsUntil(today())[0]!);
    const days = daysOfMonth(month);
    const field = useRef<HTMLButtonElement>(null);
    const checks = monthPacks.useChecks({ query: { month } });
    const lock = periodLock.useGet({}).data?.data;
    const { mutateAsync: create } = monthPacks.useCreate();
    const { progress, start, cancel } = useFileDownload();
    const download = useMemo(
      () => (pack: MonthPack) =>
        start({
          get: (options) => call(monthPacks.calls.download, { params: { id: pack.id } }, options),
          total: undefined,
          countsLines: false,
          fallbackName: `pack_${pack.month}_${pack.number}.zip`,
          done: `${pack.number} downloaded successfully`,
          failed: 'Failed to download the pack',
          cancelled: 'Download cancelled',
        }),
      [start],
    );
    const rowCommands = useMemo(
      () => [
        {
          id: 'download',
          title: 'Download a pack again',
          label: 'Download',
          icon: <Download size={15} aria-hidden />,
          keys: 'Enter',
          run: (row: MonthPack) => download(row),
        },
      ],
      [download],
    );
    const close = async (): Promise<void> => {
      if (!lock) return;
      const idempotencyKey = newIdempotencyKey();
      const open = checks.data?.data.filter(({ count }) => count > 0).length ?? 0;
      let made: MonthPack | undefined;
      await confirm({
        title: `Close ${monthText(month)}?`,
        body: (
          <>
            {lockText(lock, days)} Its pack is made and kept.
            {open > 0 && ` ${countText(open, 'line')} of the list above ${open === 1 ? 'is' : 'are'} still open.`}
          </>
        ),
        confirmLabel: 'Lock and Make Pack',
        act: async () => {
          made = (await create({ body: { month }, idempotencyKey })).data;
        },
        failed: 'Failed to close the month',
      });
      if (!made) return;
      notify.success(`${made.number} of ${monthText(made.month)} is ready`);
      download(made);
    };
    const scope = screens.closeMonth.name;
    const closing: Action = {
      id: 'close-month.close',
      label: 'Lock and Make Pack',
      keys: 'L',
      scope,
      words: 'close month books archive accountant zip',
      calls: monthPacks.calls.create,
      disabledReason: refusalOf(monthPacks.calls.create) ?? (lock ? undefined : 'The lock is still loading'),
      run: () => void close(),
    };
    const choosing: Action = {
      id: 'close-month.month',
      label: 'Choose Month',
      keys: 'M',
      scope,
      run: () => field.current?.focus(),
    };
    return {
      rowCommands,
      onOpen: download,
      actions: [closing, choosing],
      aside: <DownloadStatus label="Pack" progress={progress} onCancel={cancel} />,
      above: (
        <>
          <div className="flex flex-wrap items-end gap-4">
            <MonthField field={field} value={month} onValueChange={setMonth} />
            {lock && <p className="pb-7.5 text-sm text-muted">{lockText(lock, days)}</p>}
          </div>
          <Checks query={checks} month={days} />
        </>
      ),
      buttons: <ActionButton action={closing} variant="primary" icon={BookOpenCheck} />,
    };
  },
});
