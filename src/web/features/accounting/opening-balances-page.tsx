import { useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { ArrowLeft, ClipboardPaste, Save } from 'lucide-react';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { formatINR, sum } from '../../../shared/calc/money.ts';
import { nameKey } from '../../../shared/calc/keys.ts';
import { hiddenRowsText } from '../../../shared/reading/tables.ts';
import { readOpeningRows, type OpeningRow } from '../../../shared/reading/opening-rows.ts';
import type { Column } from '../../../shared/columns/define.ts';
import { mostSheetRows } from '../../../shared/contract/challan-sheet.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { useActions, type Action } from '../../kit/actions/registry.ts';
import { challanSheet } from '../../resources/challan-sheet.ts';
import { call } from '../../kit/api/client.ts';
import { newIdempotencyKey } from '../../kit/api/idempotency-key.ts';
import { ownerStatements } from '../../resources/owner-statements.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { today } from '../../kit/forms/day-field.tsx';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import { clipboardOf, readClipboard, usePaste } from '../../kit/sheet/clipboard.ts';
import { screens } from '../../screens.ts';
import { Page } from '../../kit/ui/page.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { isDialogOpen } from '../../kit/ui/dialog-stack.ts';

/** A row with the result of looking up its owner. */
interface FoundRow extends OpeningRow {
  ownerId: string | undefined;
}

const columns: readonly Column<FoundRow>[] = [
  { key: 'row', label: 'Row', kind: 'count', width: 70 },
  { key: 'owner', label: 'Owner', kind: 'text', width: 260 },
  { key: 'asOf', label: 'At the End of', kind: 'date', width: 120, value: ({ asOf }) => asOf || null },
  { key: 'amount', label: 'Balance', kind: 'money', width: 150, value: ({ amount }) => amount || null },
  { key: 'note', label: 'Note', kind: 'text', width: 240 },
  {
    key: 'problem',
    label: 'Check',
    kind: 'status',
    width: 360,
    value: ({ problem }) =>
      problem === undefined ? { label: 'Right', tone: 'good' } : { label: problem, tone: 'bad' },
  },
];
const keyOf = ({ row }: FoundRow): string => String(row);
const scope = 'Opening Balances';
const loadedStatus = { isLoading: false, isFetching: false, error: undefined, onRetry: () => undefined };

/**
 * /accounting/opening-balances: enters the opening balances of many owners from copied cells (docs/specification.md
 * §26.6).
 */
export function OpeningBalancesPage() {
  const navigate = useNavigate();
  /** The rows, with the idempotency key of their save: an attempt after a lost answer repeats the same save. */
  const [pasted, setPasted] = useState<{ rows: FoundRow[]; idempotencyKey: string }>();
  const rows = pasted?.rows;
  const [isReading, setReading] = useState(false);
  /** How often rows were pasted. The owners of an earlier paste may be found after those of a later one. */
  const pastes = useRef(0);
  const { mutateAsync, isPending } = ownerStatements.useSetOpenings();
  const wrongCount = rows?.filter(({ problem }) => problem !== undefined).length ?? 0;

  const readRows = async (table: readonly (readonly string[])[] | undefined): Promise<void> => {
    const parsedRows = readOpeningRows(table ?? [], today());
    if (parsedRows.length === 0) {
      notify.warning('The pasted cells contain no rows.');
      return;
    }
    if (parsedRows.length > mostSheetRows) {
      notify.warning(`At most ${formatCount(mostSheetRows)} rows can be pasted at once.`);
      return;
    }
    pastes.current += 1;
    const paste = pastes.current;
    setReading(true);
    try {
      const found = await findOwners(parsedRows);
      if (paste === pastes.current) setPasted({ rows: found, idempotencyKey: newIdempotencyKey() });
    } catch (error) {
      notify.error(error, 'Failed to look up the owners');
    } finally {
      if (paste === pastes.current) setReading(false);
    }
  };
  usePaste((event) => {
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (isField || isDialogOpen()) return;
    event.preventDefault();
    const pasted = readClipboard(clipboardOf(event.clipboardData));
    if (pasted && pasted.hiddenRows > 0) notify.info(hiddenRowsText(pasted.hiddenRows));
    void readRows(pasted?.table);
  });

  const save = async (): Promise<void> => {
    if (!pasted || isPending) return;
    const entries = pasted.rows.map(({ ownerId = '', asOf, amount, note }) => ({ ownerId, asOf, amount, note }));
    try {
      const { data } = await mutateAsync({ body: { entries }, idempotencyKey: pasted.idempotencyKey });
      notify.success(`${countText(data.count, 'opening balance')} saved`);
      // Rows that were pasted meanwhile stay.
      setPasted((shown) => (shown === pasted ? undefined : shown));
    } catch (error) {
      notify.error(error, 'Failed to save the opening balances');
    }
  };
  const saving: Action = {
    id: 'opening-balances.save',
    label: 'Save Opening Balances',
    keys: ['Ctrl+Enter', 'Ctrl+S'],
    scope,
    calls: ownerStatements.calls.setOpenings,
    disabledReason: !rows
      ? 'Paste the rows first'
      : wrongCount > 0
        ? `${wrongCount === 1 ? '1 row is' : `${formatCount(wrongCount)} rows are`} wrong. Correct them in the spreadsheet and paste again.`
        : undefined,
    run: () => void save(),
  };
  const back: Action = {
    id: 'opening-balances.back',
    label: 'Back to Accounting',
    scope,
    run: () => void navigate('/accounting'),
  };
  useActions([saving, back]);
  const total = useMemo(() => sum(['0.00', ...(rows ?? []).map(({ amount }) => amount || '0.00')]), [rows]);

  return (
    <Page
      fill
      title="Opening Balances"
      aside={
        rows && (
          <span role="status" className="nums text-muted">
            {countText(rows.length, 'opening balance')}, {formatINR(total)}
            {wrongCount > 0 && `, ${formatCount(wrongCount)} wrong`}
          </span>
        )
      }
      actions={
        <>
          <ActionButton action={saving} variant="primary" icon={Save} busy={isPending} />
          <ActionButton action={back} icon={ArrowLeft} />
        </>
      }
    >
      <p className="text-muted">
        Copy the columns owner, day, balance and note in a spreadsheet and press Ctrl+V here. The balance is what was
        owed at the end of the day, without the challans. A minus or Dr means that the owner owes it. To check the rows
        against the stored balances, to undo them, or to open a file, use the{' '}
        <Link to={`${screens.import.path}?kind=opening-balances`} className="underline">
          import
        </Link>
        .
      </p>
      <div className="flex min-h-0 flex-1 flex-col">
        <DataGrid<FoundRow>
          label="Opening balances"
          memoryKey="opening-balances"
          columns={columns}
          rows={rows ?? []}
          keyOf={keyOf}
          status={{ ...loadedStatus, isFetching: isReading }}
          empty={
            <EmptyState icon={<ClipboardPaste size={18} aria-hidden />} title="No rows pasted yet">
              Rows are saved only when all of them are right. The last balance of an owner counts. Earlier ones stay
              listed.
            </EmptyState>
          }
        />
      </div>
    </Page>
  );
}

/**
 * Looks up the owners by name, as the entry sheet does. A name that no owner has, or several owners have, makes the
 * row wrong.
 */
async function findOwners(rows: readonly OpeningRow[]): Promise<FoundRow[]> {
  const asked = rows.map(({ row, owner }) => ({ key: String(row), ownerName: owner }));
  const { data } = await call(challanSheet.calls.checkSheet, { body: { rows: asked } });
  const found = new Map(data.owners.map((answer) => [nameKey(answer.asked), answer.found]));
  const firstRowOfOwner = new Map<string, number>();
  return rows.map((row) => {
    const owners = found.get(nameKey(row.owner)) ?? [];
    const ownerId = owners.length === 1 ? owners[0]?.id : undefined;
    const first = ownerId === undefined ? undefined : firstRowOfOwner.get(ownerId);
    if (ownerId !== undefined && first === undefined) firstRowOfOwner.set(ownerId, row.row);
    const problem =
      row.problem ??
      (owners.length === 0
        ? 'No owner has this name'
        : owners.length > 1
          ? `${owners.length} owners have this name. Enter the balance in the owner's statement.`
          : first === undefined
            ? undefined
            : `This owner is already in row ${first}`);
    return { ...row, ownerId, problem };
  });
}
