import { useMemo, useRef, useState, type ReactNode, useId } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import {
  lineOf,
  proposalColumns,
  type ProposalRow,
  outcomeWords,
} from '../../../../shared/columns/bank-answer-columns.ts';
import type { AnswerSource, Proposal, ProposalCounts } from '../../../../shared/contract/bank-answers.ts';
import { bankAnswerCommands, bankAnswerKeys } from '../bank-answer-actions.ts';
import { useCommands } from '../../../kit/actions/registry.ts';
import { useKeyHelp } from '../../../kit/ui/key-table.ts';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import { pagesOfAll, type GridHandle, type GridStatus } from '../../../kit/grid/grid-types.ts';
import { useRowSelection } from '../../../kit/grid/row-selection.ts';
import { screens } from '../../../screens.ts';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { PrintOnly } from '../../../kit/ui/printing.ts';
import { Select } from '../../../kit/ui/select-field.tsx';
import { groupOfProposal, isPaidAnyway } from '../../../../shared/contract/proposal-group.ts';
import { isCalledOff } from '../../../../shared/bank/lines.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { AsideDialog, SetAsideDialog } from './aside-dialogs.tsx';
import { useAcceptAnswers, type Accepted } from './use-accept-answers.ts';
import { grouped } from '../../../../shared/calc/grouped.ts';
import { formatDate } from '../../../../shared/calc/dates.ts';
import { compare, formatINR, sum } from '../../../../shared/calc/money.ts';
import { bankAnswers } from '../../../resources/bank-answers.ts';
import { ConfirmButtons } from '../../../kit/actions/confirm-button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';

/** 'open' is what is still to decide: everything that was not answered. */
type ProposalFilter = 'open' | 'all' | keyof ProposalCounts;

interface ProposalsProps {
  proposals: readonly Proposal[] | undefined;
  counts: ProposalCounts;
  status: GridStatus;
  source: AnswerSource;
  fileName: string;
  /** The account of the statement whose lines can be set aside. */
  bankAccountId: string;
  /** The text of the empty state. */
  empty: ReactNode;
  choose: () => void;
  chooseReason: string | undefined;
  /** Called when answers were accepted, here or meanwhile by somebody else. */
  onAccepted: () => void;
}

/**
 * Shows the answers of the bank with the payments that they may belong to. Sure ones are accepted together, the
 * others one by one.
 */
export function Proposals(props: ProposalsProps) {
  const { proposals, counts, status, source, fileName, bankAccountId, onAccepted } = props;
  const navigate = useNavigate();
  const [filter, setFilter] = useState<ProposalFilter>('open');
  const [page, setPage] = useState(1);
  const [limit, setLimit] = useState(50);
  const [choosing, setChoosing] = useState<ProposalRow>();
  const [linesToSetAside, setLinesToSetAside] = useState<string[]>();
  const [isAsideListOpen, setAsideListOpen] = useState(false);
  const grid = useRef<GridHandle<ProposalRow>>(null);
  const tableRef = useRef<HTMLDivElement>(null);

  const [accepted, setAccepted] = useState<readonly AcceptedRow[]>([]);
  const all = useMemo(() => proposals && withAccepted(proposals, accepted), [proposals, accepted]);
  const acceptedRows = useMemo(() => (all ?? []).filter(({ isAccepted }) => isAccepted), [all]);
  const filteredRows = useMemo(() => all?.filter((row) => isShown(row, filter)), [all, filter]);
  const toDecide = counts.sure + counts.choices + counts.others;
  const answeredCount = Math.max(counts.answered, acceptedRows.length);
  const lastPage = Math.max(1, Math.ceil((filteredRows?.length ?? 0) / limit));
  const from = (Math.min(page, lastPage) - 1) * limit;
  const rows = useMemo(() => filteredRows?.slice(from, from + limit), [filteredRows, from, limit]);
  const { ids, selection, clear } = useRowSelection(rows, selectionOptions);
  const accepting = useAcceptAnswers(source, fileName, {
    onRefused: onAccepted,
    onAccepted: (these, number) => {
      const added = these.map((one) => ({ row: acceptedRow(one, number), from: proposals }));
      const addedIds = new Set(added.map(({ row }) => row.id));
      setAccepted((before) => [...before.filter(({ row }) => !addedIds.has(row.id)), ...added]);
    },
  });

  const chosen = (all ?? []).filter(({ id }) => ids.has(id));
  const sure = (chosen.length > 0 ? chosen : (all ?? [])).filter((row) => row.isSure);
  const finishAct = (): void => {
    clear();
    onAccepted();
    tableRef.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  };
  const acceptSure = async (): Promise<void> => {
    if (await accepting.ask(sure.map((row): Accepted => ({ row, candidate: 0 })))) finishAct();
  };
  const isStatement = source === 'statement';
  const open = (row: ProposalRow): void => {
    if (row.candidates.length > 0) setChoosing(row);
    else if (isUnpaidAgain(row) && row.answered) void navigate(payAgainPath(row.answered.ownerId));
    else {
      if (isPaidAnyway(row)) return void notify.error(`${row.note}.`);
      const what = row.note || `No sent payment fits this ${isStatement ? 'line' : 'row'}`;
      notify.info(isStatement && !row.isAccepted ? `${what}. Press S to set it aside.` : `${what}.`);
    }
  };
  const focused = (): ProposalRow | undefined => grid.current?.activeRow();
  const setAsideReason = isStatement ? undefined : 'Only lines of a statement can be set aside';
  useKeyHelp('The bank’s answer', bankAnswerKeys);
  const actions = useCommands(bankAnswerCommands, {
    choose: { disabledReason: props.chooseReason, run: props.choose },
    accept: {
      label: `Accept ${formatCount(sure.length)} sure`,
      disabledReason:
        sure.length > 0
          ? undefined
          : chosen.length > 0
            ? 'None of the selected rows is sure. Press Enter on a row to choose its payment.'
            : 'No row is sure. Press Enter on a row to choose its payment.',
      run: () => void acceptSure(),
    },
    setAside: {
      disabledReason: setAsideReason,
      run: () => {
        const row = focused();
        const these = (chosen.length > 0 ? chosen : row ? [row] : []).filter(({ isAccepted }) => !isAccepted);
        const lines = these.flatMap(({ statementLine }) => statementLine?.id ?? []);
        if (lines.length === 0) notify.info('Select a row in the table first');
        else setLinesToSetAside(lines);
      },
    },
    showAside: { disabledReason: setAsideReason, run: () => setAsideListOpen(true) },
  });
  const { accept: acceptAction } = actions;
  const options: { value: ProposalFilter; label: string }[] = [
    { value: 'open', label: `Still to decide: ${formatCount(toDecide)}` },
    { value: 'sure', label: `Sure: ${formatCount(counts.sure)}` },
    { value: 'choices', label: `To choose: ${formatCount(counts.choices)}` },
    { value: 'others', label: `Unmatched: ${formatCount(counts.others)}` },
    { value: 'answered', label: `Answered: ${formatCount(answeredCount)}` },
    { value: 'all', label: 'All' },
  ];

  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <PrintOnly>Shown: {options.find(({ value }) => value === filter)?.label}</PrintOnly>
        <div className="w-48" data-print="hide">
          <Select<ProposalFilter>
            label="Show"
            reserve={false}
            value={filter}
            options={options}
            onValueChange={(next) => {
              setFilter(next);
              setPage(1);
            }}
          />
        </div>
        <ActionButton action={acceptAction} variant="primary" busy={accepting.isPending} />
        {isStatement && (
          <>
            <ActionButton action={actions.setAside} />
            <ActionButton action={actions.showAside} />
          </>
        )}
        <p className="nums self-end pb-1.5 text-muted" role="status">
          {proposals &&
            `${formatCount(counts.sure)} sure · ${formatCount(counts.choices)} to choose · ${formatCount(counts.others)} unmatched${answeredCount === 0 ? '' : ` · ${formatCount(answeredCount)} answered`}`}
        </p>
        <Link className="ml-auto self-end pb-1.5" to={screens.bankLines.path}>
          Lines without an answer
        </Link>
      </div>
      <PaidAnyway rows={all ?? []} />
      <PayAgain rows={acceptedRows} />
      <div ref={tableRef} className="flex min-h-0 flex-1 flex-col">
        <DataGrid<ProposalRow>
          ref={grid}
          label="The bank’s answer"
          memoryKey="bank-answer"
          columns={proposalColumns}
          rows={rows}
          keyOf={idOf}
          status={status}
          selection={selection}
          onOpen={open}
          openLabel="Choose the payment"
          empty={
            <EmptyState title={filter === 'open' || filter === 'all' ? 'Nothing to accept' : 'No rows of this kind'}>
              {answeredCount > 0 && !isStatement
                ? 'Every row of the file was answered. Choose “Answered” under Show to see them.'
                : props.empty}
            </EmptyState>
          }
          loadPage={pagesOfAll(filteredRows ?? [])}
          pager={{
            page: Math.min(page, lastPage),
            limit,
            totalCount: filteredRows?.length ?? 0,
            noun: 'rows',
            onPage: setPage,
            onLimit: (next) => {
              setLimit(next === 0 ? 50 : next);
              setPage(1);
            },
          }}
        />
      </div>
      {choosing && (
        <ChooseDialog
          row={choosing}
          isBusy={accepting.isPending}
          onAccept={(candidate) =>
            void accepting.accept([{ row: choosing, candidate }]).then((isDone) => {
              if (!isDone) return;
              setChoosing(undefined);
              finishAct();
            })
          }
          onClose={() => setChoosing(undefined)}
        />
      )}
      {linesToSetAside && (
        <SetAsideDialog
          ids={linesToSetAside}
          onClose={() => setLinesToSetAside(undefined)}
          onDone={() => {
            setLinesToSetAside(undefined);
            finishAct();
          }}
        />
      )}
      {isAsideListOpen && <AsideDialog bankAccountId={bankAccountId} onClose={() => setAsideListOpen(false)} />}
    </>
  );
}

const idOf = ({ id }: ProposalRow): string => id;
const selectionOptions = { keyOf: idOf, labelOf: (row: ProposalRow) => `Select ${row.text}` };

function isShown(row: ProposalRow, filter: ProposalFilter): boolean {
  const group = row.isAccepted ? 'answered' : groupOfProposal(row);
  return filter === 'all' || (filter === 'open' ? group !== 'answered' : group === filter);
}

const idOfProposal = ({ statementLine, row }: Proposal): string => statementLine?.id ?? `row ${row}`;

function rowOf(proposal: Proposal): ProposalRow {
  const { statementLine, row, reason, outcome, amount } = proposal;
  return {
    ...proposal,
    id: idOfProposal(proposal),
    text: statementLine
      ? [statementLine.narration, statementLine.reference].filter(Boolean).join(' · ')
      : `Row ${row}${reason === '' ? '' : `: ${reason}`}`,
    amount: statementLine?.side === 'in' && outcome !== 'returned' ? `-${statementLine.amount}` : amount,
    isAccepted: false,
  };
}

/** A row that was accepted, and the proposals that had it. */
interface AcceptedRow {
  row: ProposalRow;
  from: readonly Proposal[] | undefined;
}

const acceptedRow = ({ row, candidate }: Accepted, number: string): ProposalRow => ({
  ...row,
  isSure: false,
  candidates: [],
  answered: row.candidates[candidate]?.line ?? null,
  note: `Accepted in ${number}`,
  isAccepted: true,
});

/**
 * The rows with those that were accepted at the end. When newer proposals have an accepted row as open, its answer was
 * undone meanwhile, and it is to be decided again.
 */
function withAccepted(proposals: readonly Proposal[], accepted: readonly AcceptedRow[]): ProposalRow[] {
  const openIds = new Set(proposals.filter(({ answered }) => !answered).map(idOfProposal));
  const still = accepted.filter(({ row, from }) => from === proposals || !openIds.has(row.id)).map(({ row }) => row);
  const acceptedIds = new Set(still.map(idOf));
  return [...proposals.map(rowOf).filter(({ id }) => !acceptedIds.has(id)), ...still];
}

const unpaying = ['failed', 'returned'] as const;

/** Whether the challans of a row became unpaid when it was accepted. */
const isUnpaidAgain = ({ isAccepted, outcome }: ProposalRow): boolean =>
  isAccepted && unpaying.some((one) => one === outcome);

/** The owner in the bank statement. */
const payAgainPath = (ownerId: string): string => `${screens.bankStatement.path}?ownerId=${ownerId}`;

/** More owners are reached from their rows. */
const maxOwners = 5;

/** Links to the owners whose challans became unpaid, to pay them again in the bank statement. */
function PayAgain({ rows }: { rows: readonly ProposalRow[] }) {
  const owners = [...grouped(rows.filter(isUnpaidAgain), ({ answered }) => (answered ? [answered.ownerId] : []))];
  if (owners.length === 0) return null;
  return (
    <ul aria-label="Unpaid again" className="nums flex flex-wrap gap-x-5 gap-y-1">
      {owners.slice(0, maxOwners).map(([ownerId, its]) => {
        const counts = unpaying.flatMap((outcome) => {
          const count = its.filter((row) => row.outcome === outcome).length;
          return count === 0 ? [] : `${formatCount(count)} ${outcomeWords[outcome].toLowerCase()}`;
        });
        return (
          <li key={ownerId}>
            {its[0]?.answered?.name} · <Link to={payAgainPath(ownerId)}>{counts.join(', ')}: pay again</Link>
          </li>
        );
      })}
      {owners.length > maxOwners && (
        <li className="text-muted">
          and {formatCount(owners.length - maxOwners)} more: press Enter on their rows under “Answered”
        </li>
      )}
    </ul>
  );
}

/** Says that the bank has paid what was called off: the worst that can happen is that it is paid a second time. */
function PaidAnyway({ rows }: { rows: readonly ProposalRow[] }) {
  const its = rows.filter((row) => !row.isAccepted && isPaidAnyway(row));
  if (its.length === 0) return null;
  const amount = formatINR(sum(its.map((row) => lineOf(row)?.amount ?? '0')));
  return (
    <Alert title={`The bank has paid ${countText(its.length, 'line')} whose file or payment was called off: ${amount}`}>
      Until this is recorded, the same money can be sent a second time. Press Enter on each row with “Paid anyway”, and
      accept it or do what it says.
    </Alert>
  );
}

interface ChooseDialogProps {
  row: ProposalRow;
  isBusy: boolean;
  /** Called with the index of the chosen candidate. */
  onAccept: (candidate: number) => void;
  onClose: () => void;
}

/** Shows one answer of the bank with the payments that it may belong to, and lets the user choose. */
function ChooseDialog({ row, isBusy, onAccept, onClose }: ChooseDialogProps) {
  const [chosen, setChosen] = useState(row.candidates.length === 1 ? 0 : -1);
  const name = useId();
  const { statementLine } = row;
  const line = row.candidates[chosen]?.line;
  const reason = !line
    ? 'Choose one of the payments'
    : statementLine && compare(statementLine.amount, line.amount) !== 0
      ? `The statement’s line is over ${formatINR(statementLine.amount)}, the payment over ${formatINR(line.amount)}`
      : undefined;
  const accept = (): void => {
    if (!isBusy) onAccept(chosen);
  };
  return (
    <Dialog
      size="lg"
      title="Which payment is it?"
      description={row.text}
      onClose={onClose}
      footer={
        <ConfirmButtons
          onCancel={onClose}
          label={`Accept as ${outcomeWords[row.outcome].toLowerCase()}`}
          run={accept}
          busy={isBusy}
          calls={bankAnswers.calls.accept}
          disabledReason={reason}
        />
      }
    >
      <p className="nums mb-2 text-muted">
        {[row.day && formatDate(row.day), row.amount && formatINR(row.amount), row.utr && `UTR ${row.utr}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <fieldset className="grid gap-1">
        <legend className="sr-only">Payments</legend>
        {row.candidates.map(({ line, why }, index) => (
          <div key={line.id} className="flex items-start gap-2 rounded-md border border-line px-3 py-2 hover:bg-hover">
            <input
              type="radio"
              id={`${name}-${index}`}
              name={name}
              className="mt-0.5"
              aria-describedby={`${name}-${index}-why`}
              checked={chosen === index}
              onChange={() => setChosen(index)}
            />
            <div className="min-w-0">
              <label htmlFor={`${name}-${index}`} className="font-medium">
                {`${line.name}, ${formatINR(line.amount)}`}
              </label>
              <p id={`${name}-${index}-why`} className="nums text-xs text-muted">
                {line.reference} · account …{line.accountNo.slice(-4)} · sent {formatDate(line.sentOn)} · {why}
              </p>
            </div>
          </div>
        ))}
      </fieldset>
      {line && isCalledOff(line) && (
        <p className="mt-3">
          {line.reason}. The bank has paid it anyway: once this is accepted, it cannot be sent again.
        </p>
      )}
      {(row.outcome === 'failed' || row.outcome === 'returned') && (
        <p className="mt-3">The challans of this payment and owner become unpaid, with the bank’s reason.</p>
      )}
    </Dialog>
  );
}
