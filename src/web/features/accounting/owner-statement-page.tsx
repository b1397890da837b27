import { useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { ArrowLeft, BookOpen, FileText, History, Printer, UserX } from 'lucide-react';
import { formatDate } from '../../../shared/calc/dates.ts';
import { formatINR, isNegative } from '../../../shared/calc/money.ts';
import { statementColumns } from '../../../shared/columns/owner-statement-columns.ts';
import type { Statement, StatementLine } from '../../../shared/contract/owner-statements.ts';
import { ownerStatementCommands } from './owner-statement-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { isApiError } from '../../kit/api/api-error.ts';
import { useRequestKeys } from '../../kit/api/idempotency-key.ts';
import { ownerStatements } from '../../resources/owner-statements.ts';
import { gridStatusOf } from '../../kit/feedback/grid-status.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { DayRange } from '../../kit/filters/day-range.tsx';
import { useFilterProblem } from '../../kit/filters/filter-problem.ts';
import { url, useUrlState } from '../../kit/filters/url-state.ts';
import { today } from '../../kit/forms/day-field.tsx';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';
import { downloadStatement } from './download-statement.ts';
import { OpeningBalanceDialog } from './opening-balance-dialog.tsx';
import { PrintedStatementsDialog } from './printed-statements-dialog.tsx';

/** /accounting/owner/{ownerId}/statement (docs/specification.md §26.5). */
export function OwnerStatementPage() {
  const { ownerId = '' } = useParams();
  // The key resets all state when the owner changes.
  return <OwnerStatement key={ownerId} ownerId={ownerId} />;
}

const urlShape = { startDate: url.day(), endDate: url.day() };
const lineKey = ({ id }: StatementLine): string => id;

function OwnerStatement({ ownerId }: { ownerId: string }) {
  const navigate = useNavigate();
  const [place, setPlace] = useUrlState(urlShape);
  const dates = useFilterProblem();
  const periodRef = useRef<HTMLDivElement>(null);
  const [dialog, setDialog] = useState<'prints' | 'opening'>();
  const startDate = place.startDate === '' ? null : place.startDate;
  // A statement ends today at the latest, also if the chosen month ends later.
  const latestDay = today();
  const endDate = place.endDate === '' || place.endDate > latestDay ? latestDay : place.endDate;
  const query = ownerStatements.useCurrent(
    { query: { ownerId, endDate, ...(startDate !== null && { startDate }) } },
    { retry: false },
  );
  const statement = query.data?.data;
  const { print, isPrinting } = usePrintStatement();

  const actions = useCommands(ownerStatementCommands, {
    print: {
      disabledReason:
        dates.disabledReason ??
        (isPrinting ? 'The statement is being printed' : statement ? undefined : 'The statement is not loaded'),
      run: () => void print({ ownerId, startDate, endDate }),
    },
    prints: () => setDialog('prints'),
    opening: () => setDialog('opening'),
    toPeriod: () => periodRef.current?.querySelector('input')?.focus(),
    challans: () => void navigate(`/accounting/owner/${ownerId}/challans`),
    back: () => void navigate('/accounting'),
  });

  if (isApiError(query.error, 'NOT_FOUND')) return <UnknownOwner />;
  const name = statement?.owner.name;
  return (
    <Page
      fill
      title={name === undefined ? 'Owner Statement' : `Statement of ${name}`}
      actions={
        <>
          <ActionButton action={actions.opening} icon={BookOpen} />
          <ActionButton action={actions.prints} icon={History} />
          <ActionButton action={actions.print} variant="primary" icon={Printer} busy={isPrinting} />
          <ActionButton action={actions.challans} icon={FileText} />
          <ActionButton action={actions.back} icon={ArrowLeft} />
        </>
      }
    >
      <SummaryCards statement={statement} isFailed={query.isError} />
      <div
        ref={periodRef}
        data-print="hide"
        className="flex rounded-lg border border-line bg-surface px-3 pt-2 pb-2.5 shadow-card"
      >
        <DayRange
          label="Statement"
          from={place.startDate}
          to={place.endDate}
          onProblem={dates.onProblem}
          onChange={({ from, to }) =>
            setPlace({ ...(from !== undefined && { startDate: from }), ...(to !== undefined && { endDate: to }) })
          }
        />
      </div>
      <div className="flex min-h-0 flex-1 flex-col">
        <DataGrid<StatementLine>
          label="Owner statement"
          memoryKey="owner-statement"
          columns={statementColumns}
          rows={statement?.lines}
          keyOf={lineKey}
          status={dates.mark(gridStatusOf(query, 'Failed to fetch the statement'))}
          totals={statement?.totals}
          onOpen={(line) => openLine(line, navigate)}
          openLabel="Open the challan or the payment"
          empty={
            <EmptyState
              icon={<FileText size={18} aria-hidden />}
              title="No entries in this period"
              actions={
                place.startDate !== '' || place.endDate !== '' ? (
                  <Button onClick={() => setPlace({ startDate: '', endDate: '' })}>Show all dates</Button>
                ) : (
                  <ActionButton action={actions.opening} />
                )
              }
            >
              Challans, payments, undone payments and holds of this owner appear here.
            </EmptyState>
          }
        />
      </div>
      {dialog === 'prints' && <PrintedStatementsDialog ownerId={ownerId} onClose={() => setDialog(undefined)} />}
      {dialog === 'opening' && <OpeningBalanceDialog ownerId={ownerId} onClose={() => setDialog(undefined)} />}
    </Page>
  );
}

function openLine({ kind, recordId }: StatementLine, navigate: (to: string) => unknown): void {
  if (recordId === null) return;
  if (kind === 'payment' || kind === 'reversal' || kind === 'carry') navigate(`/accounting/payments?open=${recordId}`);
  else navigate(`/challans?open=${recordId}`);
}

/** Prints the statement, which gets a number and is frozen, and saves its PDF. */
function usePrintStatement() {
  const { mutateAsync, isPending } = ownerStatements.usePrint();
  const keys = useRequestKeys();
  const print = async (body: { ownerId: string; startDate: string | null; endDate: string }): Promise<void> => {
    if (isPending) return;
    try {
      const { data } = await mutateAsync({ body, idempotencyKey: keys.keyOf(body) });
      keys.forget();
      notify.success(`Statement ${data.number} printed, closing balance ${formatINR(data.closing)}`);
      await downloadStatement(data, 'pdf');
    } catch (error) {
      notify.error(error, 'Failed to print the statement');
    }
  };
  return { print, isPrinting: isPending };
}

function SummaryCards({ statement, isFailed }: { statement: Statement | undefined; isFailed: boolean }) {
  const placeholder = isFailed ? '—' : undefined;
  const amount = (value: string | undefined) => (value === undefined ? placeholder : formatINR(value));
  const { opening, closing, startDate, endDate, totals } = statement ?? {};
  const isOwing = closing !== undefined && isNegative(closing);
  return (
    <section aria-label="Summary" className="flex flex-wrap gap-3">
      <StatCard
        label="Opening Balance"
        value={amount(opening)}
        detail={startDate ? `before ${formatDate(startDate)}` : 'at the beginning'}
      />
      <StatCard label="Payable" value={amount(totals?.payable)} detail="challans and opening balance" />
      <StatCard label="Paid" value={amount(totals?.paid)} tone="good" detail="less undone payments" />
      <StatCard
        label="Closing Balance"
        value={amount(closing)}
        tone={isOwing ? 'danger' : 'plain'}
        detail={endDate && `${isOwing ? 'owed by' : 'owed to'} the owner on ${formatDate(endDate)}`}
      />
    </section>
  );
}

function UnknownOwner() {
  return (
    <Page title="Owner Statement">
      <EmptyState
        icon={<UserX size={18} aria-hidden />}
        title="Owner not found"
        actions={<Link to="/accounting">Back to Accounting</Link>}
      >
        The link may belong to another account.
      </EmptyState>
    </Page>
  );
}
