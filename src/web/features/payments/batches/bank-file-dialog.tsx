import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { FileDown, Route as RouteIcon } from 'lucide-react';
import { countText } from '../../../../shared/calc/count-text.ts';
import { formatDate } from '../../../../shared/calc/dates.ts';
import { formatINR, subtract, sum } from '../../../../shared/calc/money.ts';
import { routes, type Route } from '../../../../shared/bank/layout.ts';
import {
  canBeSentAgain,
  corrected,
  fileProblem,
  lineDoubt,
  lineProblem,
  lineReference,
  routeProblem,
  usualRoute,
} from '../../../../shared/bank/lines.ts';
import { nameProblem, sentName, writeBankFile } from '../../../../shared/bank/write-file.ts';
import type { Column } from '../../../../shared/columns/define.ts';
import { routeLabels } from '../../../../shared/columns/bank-columns.ts';
import type { BankFile, CheckedLine } from '../../../../shared/contract/bank-files.ts';
import { paymentBatches } from '../../../resources/payment-batches.ts';
import { bankAccounts } from '../../../resources/bank-accounts.ts';
import { bankLayouts } from '../../../resources/bank-layouts.ts';
import { bankFiles } from '../../../resources/bank-files.ts';
import type { PaymentBatch } from '../../../../shared/contract/payment-batches.ts';
import { downloadBankFile } from '../../bank/index.ts';
import { bankFileCommands } from '../payment-batch-actions.ts';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { useCommands } from '../../../kit/actions/registry.ts';
import { call } from '../../../kit/api/client.ts';
import { useRequestKeys } from '../../../kit/api/idempotency-key.ts';
import { FailureAlert } from '../../../kit/feedback/failure-alert.tsx';
import { gridStatusOf } from '../../../kit/feedback/grid-status.ts';
import { DayField, today } from '../../../kit/forms/day-field.tsx';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { GridHandle } from '../../../kit/grid/grid-types.ts';
import { useRowSelection } from '../../../kit/grid/row-selection.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { Select } from '../../../kit/ui/select-field.tsx';
import { ChangedDetailsAlert, FailedTransfersAlert, FilePreview, ImportedAlert } from './bank-file-parts.tsx';

/** A row of the table: a line as the server checked it, and how this file would contain it. */
interface Row extends CheckedLine {
  sentAs: string;
  /** Whether it goes to the owner's account of today in place of the payment's. */
  isCorrected: boolean;
  /** Why the line cannot be sent. */
  problem: string | undefined;
  /** Why the line is not sent unless the user chooses it. */
  doubt: string | undefined;
}

const keyOf = ({ batchId, ownerId }: CheckedLine): string => `${batchId} ${ownerId}`;
const correctionKey = (line: CheckedLine): string =>
  [keyOf(line), line.today?.name, line.today?.accountNo, line.today?.ifsc].join(' ');

/** A row with the reason for which the file, as it is chosen, leaves it out; '' if it is sent. */
type ShownRow = Row & { leftOutBecause: string };

const columns: readonly Column<ShownRow>[] = [
  { key: 'name', label: 'Owner', kind: 'text', width: 180, least: 134 },
  { key: 'sentAs', label: 'Sent As', kind: 'text', width: 170 },
  { key: 'accountNo', label: 'Account Number', kind: 'identifier', width: 170, least: 162 },
  { key: 'ifsc', label: 'IFSC', kind: 'identifier', width: 120, least: 110 },
  { key: 'paymentNumber', label: 'Payment No', kind: 'identifier', width: 140, least: 134, isOffered: true },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 88, isOffered: true },
  { key: 'amount', label: 'Amount', kind: 'money', width: 126 },
  { key: 'route', label: 'Route', kind: 'text', width: 84, least: 78, value: ({ route }) => routeLabels[route] },
  { key: 'leftOutBecause', label: 'Left Out Because', kind: 'text', width: 240 },
];

interface BankFileDialogProps {
  /** The payment of a row, or the selected payments; at least one. */
  batches: readonly PaymentBatch[];
  /** Called when the file has been made. */
  onMade: () => void;
  /** Moves the focus when the element that opened the dialog is gone with the selection. */
  returnFocus: () => void;
  onClose: () => void;
}

const titleOf = ([first]: readonly PaymentBatch[], count: number): string =>
  `Bank file of ${first?.number ?? ''}${count > 1 ? ` and ${count - 1} more` : ''}`;

/**
 * Makes a bank file from the lines of payments (docs/specification.md §24). The preview is written by the same code
 * as the stored file. The dialog is loaded when it is first opened.
 */
export default function BankFileDialog(props: BankFileDialogProps) {
  const { batches, onClose } = props;
  const accounts = bankAccounts.useList({ query: { page: 1, limit: 100 } });
  const layouts = bankLayouts.useList({});
  const failure = accounts.error ?? layouts.error;
  const isEmpty = accounts.data?.data.length === 0;
  if (accounts.data && layouts.data && !isEmpty) {
    return <BankFileForm {...props} accounts={accounts.data.data} layouts={layouts.data.data} />;
  }
  // Shows no dialog while the accounts and layouts load: the dialog that follows would not know where the focus came
  // from.
  if (!failure && !isEmpty) return null;
  return (
    <Dialog
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
          actions={<Link to="/profile/bank-accounts">Open Bank Accounts</Link>}
        >
          Add the bank account that you pay from. A bank file is made for one account.
        </EmptyState>
      )}
    </Dialog>
  );
}

type Accounts = NonNullable<ReturnType<typeof bankAccounts.useList>['data']>['data'];
type Layouts = NonNullable<ReturnType<typeof bankLayouts.useList>['data']>['data'];

function BankFileForm(props: BankFileDialogProps & { accounts: Accounts; layouts: Layouts }) {
  const { batches, accounts, layouts, onMade, returnFocus, onClose } = props;
  const [accountId, setAccountId] = useState(accounts[0]?.id ?? '');
  const defaultLayout = accounts.find(({ id }) => id === accountId)?.layout;
  const [chosenLayout, setLayout] = useState<string>();
  const layoutId = chosenLayout ?? defaultLayout ?? '';
  const layout = layouts.find(({ id }) => id === layoutId) ?? layouts[0];
  const [valueOn, setValueOn] = useState(today);
  const [includesOthers, setIncludesOthers] = useState(false);
  // The other payments of the day are offered only for a single payment. A user who selected payments has already
  // chosen.
  const othersOfDay = useOthersOfDay(batches.length === 1 ? batches[0] : undefined);
  const batchIds = useMemo(
    () => [...batches, ...(includesOthers ? othersOfDay : [])].map(({ id }) => id),
    [batches, includesOthers, othersOfDay],
  );
  const check = useQuery({
    queryKey: ['bank-files', 'check', batchIds, accountId],
    queryFn: async ({ signal }) =>
      (await call(bankFiles.calls.check, { body: { batchIds, bankAccountId: accountId } }, { signal })).data,
    staleTime: 0,
  });
  /** Whether the user has said that the payments that were imported as paid were not sent before. */
  const [wasNotSent, setWasNotSent] = useState(false);
  const [chosenRoutes, setChosenRoutes] = useState<ReadonlyMap<string, Route>>(new Map());
  /** The lines that go to the owner's account of today. Each names the account, so that another one has to be ticked again. */
  const [correctedKeys, setCorrectedKeys] = useState<ReadonlySet<string>>(new Set());
  const account = check.data?.account;
  const rows = useMemo(
    () =>
      check.data?.lines.map((stored): Row => {
        const isCorrected = correctedKeys.has(correctionKey(stored));
        const line = isCorrected ? corrected(stored) : stored;
        const usual = isCorrected && account ? usualRoute(line, account) : stored.route;
        const route = chosenRoutes.get(keyOf(line)) ?? usual;
        return {
          ...line,
          isCorrected,
          route,
          sentAs: layout ? sentName(layout.definition, line.name) : line.name,
          problem:
            lineProblem(line) ??
            (layout && nameProblem(layout.definition, line.name)) ??
            (account && routeProblem(route, line, account)) ??
            (line.isImported && !wasNotSent ? lineDoubt(line) : undefined),
          doubt: lineDoubt({ ...line, isImported: false }),
        };
      }),
    [check.data, chosenRoutes, correctedKeys, layout, account, wasNotSent],
  );
  // All lines that can be sent are sent, except doubtful ones. This has the lines for which the user wants the opposite.
  const opposite = useRowSelection<Row>(rows, { keyOf: choiceKey, labelOf, disabledReason });
  const sent = useMemo(() => (rows ?? []).filter((row) => isSent(row, opposite.ids)), [rows, opposite.ids]);
  const shown = useMemo(
    () =>
      rows?.map((row): ShownRow => ({
        ...row,
        leftOutBecause: row.problem ?? (isSent(row, opposite.ids) ? '' : (row.doubt ?? '')),
      })),
    [rows, opposite.ids],
  );
  const amount = sum(sent.map((row) => row.amount));
  const file = useMemo(() => {
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

  const keys = useRequestKeys();
  // A file that was made but not downloaded. The bank does not have it yet, and its lines go into no other file.
  const [undownloadedFile, setUndownloadedFile] = useState<BankFile>();
  const download = async (file: BankFile): Promise<void> => {
    if (await downloadBankFile(file)) onClose();
    else setUndownloadedFile(file);
  };
  // Blocks a second press that comes before the button is shown as busy.
  const isSending = useRef(false);
  const create = bankFiles.useCreate({
    // The lines are loaded again because the call touches them, also when it was refused.
    onSuccess: ({ data }) => {
      onMade();
      return download(data);
    },
    onSettled: () => (isSending.current = false),
  });
  const grid = useRef<GridHandle<ShownRow>>(null);
  const reason = check.data
    ? (file?.problem ?? (valueOn === '' ? 'Please enter a value date' : undefined))
    : 'The lines are still being checked';
  const makeFile = (): void => {
    if (reason !== undefined || isSending.current || !layout) return;
    isSending.current = true;
    const lines = sent.map((row) => {
      const { batchId, ownerId, amount: due, route, isCorrected, name, accountNo, ifsc } = row;
      const isConfirmed = lineDoubt(row) !== undefined;
      return {
        batchId,
        ownerId,
        amount: due,
        route,
        isConfirmed,
        ...(isCorrected && { corrected: { name, accountNo, ifsc } }),
      };
    });
    const body = { batchIds, bankAccountId: accountId, layoutId: layout.id, valueOn, lines };
    create.mutate({ body, idempotencyKey: keys.keyOf(body) });
  };
  const changeRoute = (row: Row): void => {
    if (!account) return;
    const after = routes.indexOf(row.route) + 1;
    const next = [...routes.slice(after), ...routes.slice(0, after)].find(
      (one) => routeProblem(one, row, account) === undefined,
    );
    if (next) setChosenRoutes((before) => new Map(before).set(keyOf(row), next));
  };
  const changeFocusedRoute = (): void => {
    const row = grid.current?.activeRow();
    if (row) changeRoute(row);
  };
  const leftOutAmount = rows && check.data ? subtract(check.data.amount, amount) : '0.00';

  return (
    <Dialog
      size="xl"
      title={titleOf(batches, batchIds.length)}
      returnFocus={returnFocus}
      description="No layout is certified by a bank. Check a file with one line with your bank first."
      onClose={() => {
        if (!create.isPending) onClose();
      }}
      footer={
        <Footer
          makeReason={reason}
          make={makeFile}
          changeRoute={changeFocusedRoute}
          isBusy={create.isPending}
          onClose={onClose}
          text={
            rows &&
            `${countText(sent.length, 'line')}, ${formatINR(amount)}${rows.length > sent.length ? ` · left out: ${countText(rows.length - sent.length, 'line')}, ${formatINR(leftOutAmount)}` : ''}`
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
              setChosenRoutes(new Map());
            }}
            options={accounts.map(({ id, name, accountNo }) => ({
              value: id,
              label: `${name} …${accountNo.slice(-4)}`,
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
        {othersOfDay.length > 0 && (
          <Checkbox
            label={`Together with ${countText(othersOfDay.length, 'more payment')} of ${formatDate(othersOfDay[0]?.paidOn ?? '')}`}
            checked={includesOthers}
            onCheckedChange={setIncludesOthers}
          />
        )}
        {create.error && <FailureAlert error={create.error} fallback="Failed to make the bank file" />}
        {undownloadedFile && (
          <Alert
            title={`Bank file ${undownloadedFile.number} was made but not downloaded`}
            actions={
              <Button size="sm" onClick={() => void download(undownloadedFile)}>
                Download Again
              </Button>
            }
          />
        )}
        <ImportedAlert rows={rows ?? []} wasNotSent={wasNotSent} onChange={setWasNotSent} />
        <FailedTransfersAlert rows={(rows ?? []).filter(({ problem }) => problem === undefined)} />
        <ChangedDetailsAlert
          lines={(check.data?.lines ?? []).filter(({ sent }) => !sent || canBeSentAgain(sent.state))}
          isCorrected={(line) => correctedKeys.has(correctionKey(line))}
          onChange={(line, on) => {
            setCorrectedKeys(
              (before) => new Set(on ? [...before, correctionKey(line)] : without(before, correctionKey(line))),
            );
            // The route was chosen for the bank of the other account.
            setChosenRoutes((before) => new Map([...before].filter(([key]) => key !== keyOf(line))));
          }}
        />
        <div className="flex min-h-40 flex-1 flex-col">
          <DataGrid<ShownRow>
            ref={grid}
            label="Lines of the bank file"
            memoryKey="bank-lines"
            columns={columns}
            rows={shown}
            keyOf={keyOf}
            status={gridStatusOf(check, 'Failed to check the lines')}
            empty={`${batches.length > 1 ? 'These payments no longer pay' : 'This payment no longer pays'} anything`}
            selection={lineSelection(opposite, rows)}
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
        {file && <FilePreview name={file.name} text={file.text} problem={file.problem} />}
      </div>
    </Dialog>
  );
}

interface FooterProps {
  make: () => void;
  makeReason: string | undefined;
  changeRoute: () => void;
  isBusy: boolean;
  onClose: () => void;
  /** The sum of the file, and what is left out of it. */
  text: string | undefined;
}

/** Rendered inside the dialog, so that its keys belong to the dialog. */
function Footer({ make, makeReason, changeRoute, isBusy, onClose, text }: FooterProps) {
  const actions = useCommands(bankFileCommands, {
    make: { disabledReason: makeReason, run: make },
    route: changeRoute,
  });
  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <p role="status" className="nums mr-auto text-muted">
        {text}
      </p>
      <Button onClick={onClose}>Cancel</Button>
      <ActionButton action={actions.make} variant="primary" icon={FileDown} busy={isBusy} />
    </div>
  );
}

const labelOf = ({ name }: Row): string => `Send ${name}`;
const disabledReason = ({ problem }: Row): string | undefined => problem;

const without = (keys: ReadonlySet<string>, gone: string): string[] => [...keys].filter((key) => key !== gone);

/** Names a line together with its doubt, so that a choice counts only while the doubt is the one that the user has seen. */
const choiceKey = (row: Row): string => `${keyOf(row)} ${row.doubt ?? ''}`;
const isSent = (row: Row, opposite: ReadonlySet<string>): boolean =>
  row.problem === undefined && opposite.has(choiceKey(row)) === (row.doubt !== undefined);

/** The lines that are sent, as a selection. The header and Ctrl+A do not add doubtful lines: each of these is chosen itself. */
function lineSelection({ ids, setRows }: ReturnType<typeof useRowSelection<Row>>, rows: readonly Row[] | undefined) {
  const able = (rows ?? []).filter(({ problem }) => problem === undefined);
  const plain = able.filter(({ doubt }) => doubt === undefined);
  const count = able.filter((row) => isSent(row, ids)).length;
  const set = (some: readonly Row[], on: boolean): void => {
    for (const isDoubtful of [false, true]) {
      setRows(
        some.filter(({ doubt }) => (doubt !== undefined) === isDoubtful),
        on === isDoubtful,
      );
    }
  };
  return {
    stateOf: (row: Row) => (isSent(row, ids) ? ('all' as const) : ('none' as const)),
    labelOf,
    setRows: set,
    header: {
      state: count === 0 ? ('none' as const) : count >= plain.length ? ('all' as const) : ('some' as const),
      label: 'Send all lines',
      onToggle: (on: boolean) => set(on ? plain : able, on),
    },
    onSelectAll: () => set(plain, true),
    disabledReason,
  };
}

/** The other payments of the same day that still pay something. */
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
