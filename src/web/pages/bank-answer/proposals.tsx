import { useMemo, useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { proposalColumns, type ProposalRow } from '../../../shared/columns/bank-answer-columns.ts';
import type { AnswerSource, Proposal } from '../../../shared/contract/bank-answers.ts';
import { useBankAnswerActions } from '../../actions/bank-answer.ts';
import { buttonOf } from '../../actions/registry.ts';
import { notify } from '../../feedback/toast.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { GridHandle, GridStatus } from '../../grid/grid-types.ts';
import { useRowSelection } from '../../grid/row-selection.ts';
import { screens } from '../../screens.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select-field.tsx';
import { AsideDialog, SetAsideDialog } from './aside-dialogs.tsx';
import { ChooseDialog } from './choose-dialog.tsx';
import { useAccepting, type Accepted } from './use-accepting.ts';

type Shown = 'all' | 'sure' | 'choices' | 'others';

interface ProposalsProps {
  proposals: readonly Proposal[] | undefined;
  counts: { sure: number; choices: number; others: number };
  status: GridStatus;
  source: AnswerSource;
  fileName: string;
  /** Of a statement: its lines can be set aside. */
  bankAccountId: string;
  /** Why no row is there. */
  empty: ReactNode;
  choose: () => void;
  chooseReason: string | undefined;
  /** Something was accepted, here or meanwhile by somebody else. */
  onAccepted: () => void;
}

/** What the bank says beside the payments that it may be about; the sure ones are accepted at once, the rest one by one. */
export function Proposals(props: ProposalsProps) {
  const { proposals, counts, status, source, fileName, bankAccountId, onAccepted } = props;
  const [shown, setShown] = useState<Shown>('all');
  const [page, setPage] = useState(1);
  const [limit, setLimit] = useState(50);
  const [choosing, setChoosing] = useState<ProposalRow>();
  const [aside, setAside] = useState<string[]>();
  const [isAsideShown, showAside] = useState(false);
  const grid = useRef<GridHandle<ProposalRow>>(null);
  const table = useRef<HTMLDivElement>(null);

  const all = useMemo(() => proposals?.map(rowOf), [proposals]);
  const listed = useMemo(() => all?.filter((row) => shown === 'all' || groupOf(row) === shown), [all, shown]);
  const lastPage = Math.max(1, Math.ceil((listed?.length ?? 0) / limit));
  const from = (Math.min(page, lastPage) - 1) * limit;
  const rows = useMemo(() => listed?.slice(from, from + limit), [listed, from, limit]);
  const { ids, selection, clear } = useRowSelection(rows, selecting);
  const accepting = useAccepting(source, fileName, onAccepted);

  const chosen = (all ?? []).filter(({ id }) => ids.has(id));
  const sure = (chosen.length > 0 ? chosen : (all ?? [])).filter((row) => row.isSure);
  const done = (): void => {
    clear();
    onAccepted();
    table.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  };
  const acceptSure = async (): Promise<void> => {
    if (await accepting.ask(sure.map((row): Accepted => ({ row, candidate: 0 })))) done();
  };
  const open = (row: ProposalRow): void => {
    if (row.candidates.length > 0) setChoosing(row);
    else notify.info(row.note || 'No payment that was sent fits this line. S sets it aside.');
  };
  const focused = (): ProposalRow | undefined => grid.current?.rowInHand();
  const isStatement = source === 'statement';
  const onlyStatements = isStatement ? undefined : 'Only lines of a statement are kept and can be set aside';
  const actions = useBankAnswerActions({
    choose: props.choose,
    chooseReason: props.chooseReason,
    accept: () => void acceptSure(),
    acceptLabel: `Accept ${sure.length.toLocaleString('en-IN')} sure`,
    acceptReason:
      sure.length > 0
        ? undefined
        : chosen.length > 0
          ? 'None of the selected rows is sure: choose their payments with Enter'
          : 'No row is sure: choose the payments with Enter',
    setAside: () => {
      const row = focused();
      const these = chosen.length > 0 ? chosen : row ? [row] : [];
      const lines = these.flatMap(({ statementLine }) => statementLine?.id ?? []);
      if (lines.length === 0) notify.info('Choose a row in the table first');
      else setAside(lines);
    },
    setAsideReason: onlyStatements,
    showAside: () => showAside(true),
    showAsideReason: onlyStatements,
  });
  const { accept: acceptAction } = actions;

  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-48">
          <Select<Shown>
            label="Show"
            reserve={false}
            value={shown}
            options={[
              { value: 'all', label: 'All' },
              { value: 'sure', label: `Sure: ${counts.sure.toLocaleString('en-IN')}` },
              { value: 'choices', label: `To choose: ${counts.choices.toLocaleString('en-IN')}` },
              { value: 'others', label: `None of ours: ${counts.others.toLocaleString('en-IN')}` },
            ]}
            onValueChange={(next) => {
              setShown(next);
              setPage(1);
            }}
          />
        </div>
        <Button variant="primary" busy={accepting.isPending} {...buttonOf(acceptAction)}>
          {acceptAction.label}
        </Button>
        {isStatement && (
          <>
            <Button {...buttonOf(actions.setAside)}>{actions.setAside.label}</Button>
            <Button {...buttonOf(actions.showAside)}>{actions.showAside.label}</Button>
          </>
        )}
        <p className="nums self-center text-muted" role="status">
          {proposals &&
            `${counts.sure.toLocaleString('en-IN')} sure · ${counts.choices.toLocaleString('en-IN')} to choose · ${counts.others.toLocaleString('en-IN')} none of ours`}
        </p>
        <Link className="ml-auto self-center" to={screens.bankLines.path}>
          What was sent and has no answer
        </Link>
      </div>
      <div ref={table} className="flex min-h-0 flex-1 flex-col">
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
          empty={<EmptyState title={shown === 'all' ? 'Nothing to accept' : 'No such row'}>{props.empty}</EmptyState>}
          pager={{
            page: Math.min(page, lastPage),
            limit,
            totalCount: listed?.length ?? 0,
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
              done();
            })
          }
          onClose={() => setChoosing(undefined)}
        />
      )}
      {aside && (
        <SetAsideDialog
          ids={aside}
          onClose={() => setAside(undefined)}
          onDone={() => {
            setAside(undefined);
            done();
          }}
        />
      )}
      {isAsideShown && <AsideDialog bankAccountId={bankAccountId} onClose={() => showAside(false)} />}
    </>
  );
}

const idOf = ({ id }: ProposalRow): string => id;
const selecting = { keyOf: idOf, labelOf: (row: ProposalRow) => `Select ${row.text}` };

const groupOf = ({ isSure, candidates }: Proposal): Shown =>
  isSure ? 'sure' : candidates.length > 0 ? 'choices' : 'others';

function rowOf(proposal: Proposal): ProposalRow {
  const { statementLine, row, reason, candidates, outcome } = proposal;
  return {
    ...proposal,
    id: statementLine?.id ?? `row ${row}`,
    text: statementLine
      ? [statementLine.narration, statementLine.reference].filter(Boolean).join(' · ')
      : `Row ${row}${reason === '' ? '' : `: ${reason}`}`,
    amount: statementLine
      ? `${statementLine.side === 'in' && outcome !== 'returned' ? '-' : ''}${statementLine.amount}`
      : (candidates[0]?.line.amount ?? null),
  };
}
