import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { FileDown, Route as RouteIcon } from 'lucide-react';
import { formatDate } from '../../../shared/calc/dates.ts';
import { formatINR, subtract, sum } from '../../../shared/calc/money.ts';
import { routes, type Route } from '../../../shared/bank/layout.ts';
import { fileProblem, lineProblem, lineReference, routeProblem } from '../../../shared/bank/lines.ts';
import { sentName, writeBankFile } from '../../../shared/bank/write-file.ts';
import type { Column } from '../../../shared/columns/define.ts';
import { routeLabels } from '../../../shared/columns/bank-columns.ts';
import type { BankFile, CheckedLine } from '../../../shared/contract/bank-files.ts';
import { paymentBatches } from '../../api/payment-batches.ts';
import { bankAccounts } from '../../api/bank-accounts.ts';
import { bankLayouts } from '../../api/bank-layouts.ts';
import { bankFiles } from '../../api/bank-files.ts';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { useBankFileActions } from '../../actions/bank-files.ts';
import { buttonOf } from '../../actions/registry.ts';
import { call } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { downloadBankFile } from '../../bank/download-bank-file.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { DayField, today } from '../../forms/fields.tsx';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { GridHandle } from '../../grid/grid-types.ts';
import { useRowSelection } from '../../grid/row-selection.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select-field.tsx';
import { Differing, Preview } from './bank-file-parts.tsx';
import { counted } from './payment-words.ts';

/** A line as the table shows it: what the server checked, and what this file would make of it. */
interface Row extends CheckedLine {
  sentAs: string;
  problem: string | undefined;
}

const keyOf = ({ batchId, ownerId }: CheckedLine): string => `${batchId} ${ownerId}`;

const columns: readonly Column<Row>[] = [
  { key: 'name', label: 'Owner', kind: 'text', width: 180, least: 140 },
  { key: 'sentAs', label: 'Sent As', kind: 'text', width: 170 },
  { key: 'accountNo', label: 'A/c', kind: 'identifier', width: 150, least: 150 },
  { key: 'ifsc', label: 'IFSC', kind: 'identifier', width: 120, least: 116 },
  { key: 'paymentNumber', label: 'Payment No', kind: 'identifier', width: 140, least: 140, isOffered: true },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 88, isOffered: true },
  { key: 'amount', label: 'Amount', kind: 'money', width: 126 },
  { key: 'route', label: 'Route', kind: 'text', width: 84, least: 84, value: ({ route }) => routeLabels[route] },
  { key: 'problem', label: 'Left Out Because', kind: 'text', width: 240, value: ({ problem = '' }) => problem },
];

interface BankFileDialogProps {
  /** At least one; the one of a row, or those that were selected. */
  batches: readonly PaymentBatch[];
  /** The file is made. */
  onMade: () => void;
  /** Where the focus goes when what opened it has gone with the selection. */
  returnFocus: () => void;
  onClose: () => void;
}

const titleOf = ([first]: readonly PaymentBatch[], count: number): string =>
  `Bank file of ${first?.number ?? ''}${count > 1 ? ` and ${count - 1} more` : ''}`;

/**
 * Makes the file that a bank takes from the lines of payments (docs/specification.md §24). The preview is written by the
 * same code as the stored file. Loaded when it is first opened.
 */
export default function BankFileDialog(props: BankFileDialogProps) {
  const { batches, onClose } = props;
  const accounts = bankAccounts.useList({ query: { page: 1, limit: 100 } });
  const layouts = bankLayouts.useList({});
  const failure = accounts.error ?? layouts.error;
  const isEmpty = accounts.data?.data.length === 0;
  if (accounts.data && layouts.data && !isEmpty) {
    return <Made {...props} accounts={accounts.data.data} layouts={layouts.data.data} />;
  }
  // Not a dialog of its own while they are loading: the next one would not know where the focus came from.
  if (!failure && !isEmpty) return null;
  return (
    <Dialog
      open
      size="md"
      title={titleOf(batches, batches.length)}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {failure && (
        <FailureAlert
          error={failure}
          fallback="Failed to fetch bank accounts"
          onRetry={() => void Promise.all([accounts.refetch(), layouts.refetch()])}
        />
      )}
      {isEmpty && (
        <EmptyState
          icon={<FileDown size={18} aria-hidden />}
          title="No paying account yet"
          actions={<Link to="/profile/bank-accounts">Go to Bank Accounts</Link>}
        >
          A bank file is made for the account that the money leaves.
        </EmptyState>
      )}
    </Dialog>
  );
}

type Accounts = NonNullable<ReturnType<typeof bankAccounts.useList>['data']>['data'];
type Layouts = NonNullable<ReturnType<typeof bankLayouts.useList>['data']>['data'];

function Made(props: BankFileDialogProps & { accounts: Accounts; layouts: Layouts }) {
  const { batches, accounts, layouts, onMade, returnFocus, onClose } = props;
  const [accountId, setAccountId] = useState(accounts[0]?.id ?? '');
  const usual = accounts.find(({ id }) => id === accountId)?.layout;
  const [chosenLayout, setLayout] = useState<string>();
  const layoutId = chosenLayout ?? usual ?? '';
  const layout = layouts.find(({ id }) => id === layoutId) ?? layouts[0];
  const [valueOn, setValueOn] = useState(today);
  const [isWholeDay, setWholeDay] = useState(false);
  // Those of the day are offered beside a single one; whoever selected has chosen already.
  const others = useOthersOfDay(batches.length === 1 ? batches[0] : undefined);
  const batchIds = useMemo(
    () => [...batches, ...(isWholeDay ? others : [])].map(({ id }) => id),
    [batches, isWholeDay, others],
  );
  const check = useQuery({
    queryKey: ['bank-files', 'check', batchIds, accountId],
    queryFn: async ({ signal }) =>
      (await call(bankFiles.calls.check, { body: { batchIds, bankAccountId: accountId } }, { signal })).data,
    staleTime: 0,
  });
  const [ownRoutes, setOwnRoutes] = useState<ReadonlyMap<string, Route>>(new Map());
  const account = check.data?.account;
  const rows = useMemo(
    () =>
      check.data?.lines.map((line): Row => {
        const route = ownRoutes.get(keyOf(line)) ?? line.route;
        return {
          ...line,
          route,
          sentAs: layout ? sentName(layout.definition, line.name) : line.name,
          problem: lineProblem(line) ?? (account && routeProblem(route, line, account)),
        };
      }),
    [check.data, ownRoutes, layout, account],
  );
  // Everything that can be sent is, unless it is left out by hand.
  const leftOut = useRowSelection<Row>(rows, { keyOf, labelOf, disabledReason });
  const sent = useMemo(
    () => (rows ?? []).filter((row) => row.problem === undefined && !leftOut.ids.has(keyOf(row))),
    [rows, leftOut.ids],
  );
  const amount = sum(sent.map((row) => row.amount));
  const written = useMemo(() => {
    if (!layout || !check.data) return undefined;
    const { account: payer, serial, fileOn } = check.data;
    const counts = new Map<string, number>();
    const lines = sent.map((row) => {
      const nth = (counts.get(row.batchId) ?? row.linesBefore) + 1;
      counts.set(row.batchId, nth);
      return { ...row, reference: lineReference(row.paymentNumber, nth, layout.definition) };
    });
    const { clientCode, name: payerName, accountNo: payerAccount, ifsc: payerIfsc } = payer;
    const facts = { clientCode, payerName, payerAccount, payerIfsc, serial, fileOn, valueOn };
    const file = writeBankFile(layout.definition, facts, lines);
    return { ...file, problem: fileProblem(lines, amount, payer, layout.definition) ?? file.problems[0] };
  }, [layout, check.data, sent, amount, valueOn]);

  const key = useRef({ request: '', key: '' });
  // Made, but not downloaded: the bank has nothing of it yet, and its lines go into no other file.
  const [kept, setKept] = useState<BankFile>();
  const download = async (file: BankFile): Promise<void> => {
    if (await downloadBankFile(file)) onClose();
    else setKept(file);
  };
  // A second press can come before the button shows that it is busy.
  const isSending = useRef(false);
  const create = bankFiles.useCreate({
    // The lines are asked for again by what it touches, also where it was refused.
    onSuccess: ({ data }) => {
      onMade();
      return download(data);
    },
    onSettled: () => (isSending.current = false),
  });
  const grid = useRef<GridHandle<Row>>(null);
  const reason = check.data
    ? (written?.problem ?? (valueOn === '' ? 'Please enter a value date' : undefined))
    : 'The lines are being checked';
  const make = (): void => {
    if (reason !== undefined || isSending.current || !layout) return;
    isSending.current = true;
    const lines = sent.map(({ batchId, ownerId, amount: due, route }) => ({ batchId, ownerId, amount: due, route }));
    const body = { batchIds, bankAccountId: accountId, layoutId: layout.id, valueOn, lines };
    // The same request again is sent with its key.
    const request = JSON.stringify(body);
    if (key.current.request !== request) key.current = { request, key: newIdempotencyKey() };
    create.mutate({ body, idempotencyKey: key.current.key });
  };
  const changeRoute = (row: Row): void => {
    if (!account) return;
    const after = routes.indexOf(row.route) + 1;
    const next = [...routes.slice(after), ...routes.slice(0, after)].find(
      (one) => routeProblem(one, row, account) === undefined,
    );
    if (next) setOwnRoutes((before) => new Map(before).set(keyOf(row), next));
  };
  const changeFocusedRoute = (): void => {
    const row = grid.current?.rowInHand();
    if (row) changeRoute(row);
  };
  const differing = sent.filter(({ today: now }) => now !== null);
  const rest = rows && check.data ? subtract(check.data.amount, amount) : '0.00';

  return (
    <Dialog
      open
      size="xl"
      title={titleOf(batches, batchIds.length)}
      returnFocus={returnFocus}
      description="Check a one-line file with your bank first: no layout is certified by a bank."
      onClose={() => {
        if (!create.isPending) onClose();
      }}
      footer={
        <Footer
          makeReason={reason}
          make={make}
          changeRoute={changeFocusedRoute}
          isBusy={create.isPending}
          onClose={onClose}
          text={
            rows &&
            `${counted(sent.length, 'line')}, ${formatINR(amount)}${rows.length > sent.length ? ` · left out: ${counted(rows.length - sent.length, 'line')}, ${formatINR(rest)}` : ''}`
          }
        />
      }
    >
      <div className="flex h-[68vh] min-h-96 flex-col gap-3">
        <div className="grid grid-cols-[1fr_1fr_10rem] gap-3">
          <Select
            label="Paying account"
            value={accountId}
            onValueChange={(id) => {
              setAccountId(id);
              setLayout(undefined);
              setOwnRoutes(new Map());
            }}
            options={accounts.map(({ id, name, accountNo }) => ({
              value: id,
              label: `${name} ··${accountNo.slice(-4)}`,
            }))}
          />
          <Select
            label="Layout"
            value={layout?.id ?? ''}
            onValueChange={setLayout}
            options={layouts.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <DayField label="Value date" required value={valueOn} onValueChange={setValueOn} />
        </div>
        {others.length > 0 && (
          <Checkbox
            label={`Together with ${counted(others.length, 'more payment')} of ${formatDate(others[0]?.paidOn ?? '')}`}
            checked={isWholeDay}
            onCheckedChange={setWholeDay}
          />
        )}
        {create.error && <FailureAlert error={create.error} fallback="Failed to make the bank file" />}
        {kept && (
          <Alert
            title={`Bank file ${kept.number} is made, but was not downloaded`}
            actions={
              <Button size="sm" onClick={() => void download(kept)}>
                Download Again
              </Button>
            }
          />
        )}
        {differing.length > 0 && <Differing rows={differing} />}
        <div className="flex min-h-40 flex-1 flex-col">
          <DataGrid<Row>
            ref={grid}
            label="Lines of the bank file"
            memoryKey="bank-lines"
            columns={columns}
            rows={rows}
            keyOf={keyOf}
            status={gridStatusOf(check, 'Failed to check the lines')}
            empty={`${batches.length > 1 ? 'These payments pay' : 'This payment pays'} nothing any more`}
            selection={sentSelection(leftOut, rows)}
            isMuted={({ problem }) => problem !== undefined}
            rowActions={[
              {
                id: 'route',
                label: 'Change Route',
                icon: <RouteIcon size={15} aria-hidden />,
                keys: 'R',
                run: changeRoute,
              },
            ]}
          />
        </div>
        {written && <Preview name={written.name} text={written.text} problem={written.problem} />}
      </div>
    </Dialog>
  );
}

type FooterProps = Parameters<typeof useBankFileActions>[0] & {
  isBusy: boolean;
  onClose: () => void;
  /** What the file comes to, and what is left out of it. */
  text: string | undefined;
};

/** Inside the dialog, so that its keys are the dialog's. */
function Footer({ isBusy, onClose, text, ...commands }: FooterProps) {
  const actions = useBankFileActions(commands);
  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <p role="status" className="nums mr-auto text-muted">
        {text}
      </p>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" icon={<FileDown size={14} aria-hidden />} busy={isBusy} {...buttonOf(actions.make)}>
        {actions.make.label}
      </Button>
    </div>
  );
}

const labelOf = ({ name }: Row): string => `Send ${name}`;
const disabledReason = ({ problem }: Row): string | undefined => problem;

/** Ticked is what is sent; kept is what is left out. */
function sentSelection({ ids, setRows }: ReturnType<typeof useRowSelection<Row>>, rows: readonly Row[] | undefined) {
  const able = (rows ?? []).filter(({ problem }) => problem === undefined);
  const count = able.filter((row) => !ids.has(keyOf(row))).length;
  const set = (some: readonly Row[], on: boolean): void => setRows(some, !on);
  return {
    stateOf: (row: Row) => (row.problem === undefined && !ids.has(keyOf(row)) ? ('all' as const) : ('none' as const)),
    labelOf,
    setRows: set,
    header: {
      state: count === 0 ? ('none' as const) : count === able.length ? ('all' as const) : ('some' as const),
      label: 'Send all lines',
      onToggle: (on: boolean) => set(able, on),
    },
    onSelectAll: () => set(able, true),
    disabledReason,
  };
}

/** Other payments of the same day that still pay something. */
function useOthersOfDay(batch: PaymentBatch | undefined): readonly PaymentBatch[] {
  const { id = '', paidOn = '' } = batch ?? {};
  const query = { page: 1, limit: 50, startDate: paidOn, endDate: paidOn };
  const { data } = paymentBatches.useList({ query }, { enabled: batch !== undefined });
  return useMemo(
    () =>
      (batch === undefined ? [] : (data?.data ?? []))
        .filter((other) => other.id !== id && other.paidOn === paidOn && other.paidCount > 0)
        .slice(0, 49),
    [batch, data, id, paidOn],
  );
}
