import { useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { ArrowLeft, BookOpen, FileText, History, Printer, UserX } from 'lucide-react';
import { formatDate } from '../../../shared/calc/dates.ts';
import { formatINR, isNegative } from '../../../shared/calc/money.ts';
import { statementColumns } from '../../../shared/columns/owner-statement-columns.ts';
import type { Statement, StatementLine } from '../../../shared/contract/owner-statements.ts';
import { useOwnerStatementActions } from '../../actions/owner-statement.ts';
import { buttonOf } from '../../actions/registry.ts';
import { isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { ownerStatements } from '../../api/owner-statements.ts';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { notify } from '../../feedback/toast.ts';
import { DayRange } from '../../filters/day-range.tsx';
import { useFilterProblem } from '../../filters/filter-problem.ts';
import { url, useUrlState } from '../../filters/url-state.ts';
import { today } from '../../forms/fields.tsx';
import { DataGrid } from '../../grid/data-grid.tsx';
import { Page } from '../../shell/page.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import { downloadStatement } from './download-statement.ts';
import { OpeningDialog } from './opening-dialog.tsx';
import { PrintsDialog } from './prints-dialog.tsx';

/** /accounting/owner/{ownerId}/statement (docs/specification.md §26.5). */
export function OwnerStatementPage() {
  const { ownerId = '' } = useParams();
  // Another owner is another screen: nothing of the one before it stays.
  return <OwnerStatement key={ownerId} ownerId={ownerId} />;
}

const shape = { startDate: url.day(), endDate: url.day() };
const lineKey = ({ id }: StatementLine): string => id;

function OwnerStatement({ ownerId }: { ownerId: string }) {
  const navigate = useNavigate();
  const [place, setPlace] = useUrlState(shape);
  const dates = useFilterProblem();
  const period = useRef<HTMLDivElement>(null);
  const [dialog, setDialog] = useState<'prints' | 'opening'>();
  const startDate = place.startDate === '' ? null : place.startDate;
  // What is still to come is in no statement, also where a month is chosen by its name.
  const day = today();
  const endDate = place.endDate === '' || place.endDate > day ? day : place.endDate;
  const query = ownerStatements.useCurrent(
    { query: { ownerId, endDate, ...(startDate !== null && { startDate }) } },
    { retry: false },
  );
  const statement = query.data?.data;
  const { print, isPrinting } = usePrint();

  const actions = useOwnerStatementActions({
    print: () => void print({ ownerId, startDate, endDate }),
    printReason:
      dates.disabledReason ??
      (isPrinting ? 'The statement is being printed' : statement ? undefined : 'The statement is not loaded'),
    prints: () => setDialog('prints'),
    opening: () => setDialog('opening'),
    toPeriod: () => period.current?.querySelector('input')?.focus(),
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
          <Button icon={<BookOpen size={14} aria-hidden />} {...buttonOf(actions.opening)}>
            {actions.opening.label}
          </Button>
          <Button icon={<History size={14} aria-hidden />} {...buttonOf(actions.prints)}>
            {actions.prints.label}
          </Button>
          <Button
            variant="primary"
            icon={<Printer size={14} aria-hidden />}
            busy={isPrinting}
            {...buttonOf(actions.print)}
          >
            {actions.print.label}
          </Button>
          <Button icon={<FileText size={14} aria-hidden />} {...buttonOf(actions.challans)}>
            {actions.challans.label}
          </Button>
          <Button icon={<ArrowLeft size={14} aria-hidden />} {...buttonOf(actions.back)}>
            {actions.back.label}
          </Button>
        </>
      }
    >
      <Cards statement={statement} isFailed={query.isError} />
      <div
        ref={period}
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
              title="Nothing happened in these days"
              actions={
                place.startDate !== '' || place.endDate !== '' ? (
                  <Button onClick={() => setPlace({ startDate: '', endDate: '' })}>Show all days</Button>
                ) : (
                  <Button {...buttonOf(actions.opening)}>{actions.opening.label}</Button>
                )
              }
            >
              Challans, payments, what was taken back of them and holds of this owner appear here.
            </EmptyState>
          }
        />
      </div>
      {dialog === 'prints' && <PrintsDialog ownerId={ownerId} onClose={() => setDialog(undefined)} />}
      {dialog === 'opening' && <OpeningDialog ownerId={ownerId} onClose={() => setDialog(undefined)} />}
    </Page>
  );
}

function openLine({ kind, recordId }: StatementLine, navigate: (to: string) => unknown): void {
  if (recordId === null) return;
  if (kind === 'payment' || kind === 'reversal' || kind === 'carry') navigate(`/accounting/payments?open=${recordId}`);
  else navigate(`/challans?open=${recordId}`);
}

/** Freezes what is asked for under a number, and saves its PDF. */
function usePrint() {
  const { mutateAsync, isPending } = ownerStatements.usePrint();
  /** Of a print whose answer did not come: the next try is the same print. */
  const tried = useRef<{ key: string; of: string }>(undefined);
  const print = async (body: { ownerId: string; startDate: string | null; endDate: string }): Promise<void> => {
    if (isPending) return;
    const of = JSON.stringify(body);
    const idempotencyKey = tried.current?.of === of ? tried.current.key : newIdempotencyKey();
    tried.current = { key: idempotencyKey, of };
    try {
      const { data } = await mutateAsync({ body, idempotencyKey });
      tried.current = undefined;
      notify.success(`Statement ${data.number} printed, closing balance ${formatINR(data.closing)}`);
      await downloadStatement(data, 'pdf');
    } catch (error) {
      notify.error(error, 'Failed to print the statement');
    }
  };
  return { print, isPrinting: isPending };
}

function Cards({ statement, isFailed }: { statement: Statement | undefined; isFailed: boolean }) {
  const missing = isFailed ? '—' : undefined;
  const amount = (value: string | undefined) => (value === undefined ? missing : formatINR(value));
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
      <StatCard label="Paid" value={amount(totals?.paid)} tone="good" detail="less what was taken back" />
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
        The link may be of another account.
      </EmptyState>
    </Page>
  );
}
