import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { FileUp } from 'lucide-react';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { formatDate } from '../../../shared/calc/dates.ts';
import { readAnswers } from '../../../shared/bank-answers/read-answers.ts';
import { bankAccounts } from '../../api/bank-accounts.ts';
import { bankAnswers } from '../../api/bank-answers.ts';
import { tables } from '../../api/tables.ts';
import { confirm } from '../../feedback/confirm.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { notify } from '../../feedback/toast.ts';
import { idValue } from '../../filters/filter-values.ts';
import { useUrlState } from '../../filters/url-state.ts';
import { today } from '../../forms/day-field.tsx';
import { screens } from '../../screens.ts';
import { clipboardOf, readClipboard, usePaste } from '../../sheet/clipboard.ts';
import { Page } from '../../shell/page.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { PrintOnly } from '../../ui/printing.ts';
import { Select } from '../../ui/select-field.tsx';
import { isDialogOpen } from '../../ui/dialog-stack.ts';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import { hiddenRowsText, isTableName, readAs } from '../../../shared/reading/tables.ts';
import type { TableSheet } from '../../../shared/contract/tables.ts';
import { useSheetChoice } from '../../sheet/choose-sheet.tsx';
import { AnswerColumns } from './answer-columns.tsx';
import { canCompare, rememberColumns, makeSource, type AnswerFile, type StatementFile } from './answer-source.ts';
import { Proposals } from './proposals.tsx';
import { useLatest } from '../../ui/use-latest.ts';

const urlShape = { account: idValue() };
const none: never[] = [];
const noCounts = { sure: 0, choices: 0, others: 0, answered: 0 };

const noAccount = (
  <>
    Add the account you pay from first:{' '}
    <Link className="underline underline-offset-2" to={screens.bankAccounts.path}>
      Bank Accounts
    </Link>
    .
  </>
);

/** The sheets as statements, where each of them is one: those of April and of May. */
function statementsOf(fileName: string, sheets: readonly TableSheet[]): StatementFile[] | undefined {
  const found = sheets.flatMap(({ name, rows }) => {
    try {
      const source = makeSource(`${fileName} (${name})`, rows, false);
      return source.kind === 'statement' ? [source] : [];
    } catch {
      return [];
    }
  });
  return found.length === sheets.length ? found : undefined;
}

/**
 * /accounting/bank/answer: compares a reverse file, pasted rows or a statement with the lines that were sent. Nothing
 * is accepted before the user has seen it (docs/specification.md §25.2).
 */
export function BankAnswerPage() {
  const [{ account }, setUrl] = useUrlState(urlShape);
  const [file, setFile] = useState<AnswerFile>();
  /** How many files were opened: another one of the same name is another list of rows. */
  const [fileNo, setFileNo] = useState(0);
  /** The sheets of a statement that wait until the user chooses its account. */
  const [waitingStatement, setWaitingStatement] = useState<readonly StatementFile[]>();
  /** What the file was read as, in one line. */
  const [readAsText, setReadAsText] = useState('');
  const { chooseSheet, dialog: sheetDialog } = useSheetChoice();
  const inputRef = useRef<HTMLInputElement>(null);
  const accounts = bankAccounts.useList({ query: { limit: 100 } });
  const knownAccounts = accounts.data?.data;
  const accountId = account || (knownAccounts?.length === 1 ? (knownAccounts[0]?.id ?? '') : '');
  const accountOptions = [
    { value: '', label: knownAccounts?.length === 0 ? 'No bank account yet' : 'Choose an account' },
    ...(knownAccounts ?? []).map(({ id, name, accountNo }) => ({
      value: id,
      label: `${name} …${accountNo.slice(-4)}`,
    })),
  ];
  const statement = bankAnswers.useProposals(
    { query: { bankAccountId: accountId } },
    { enabled: accountId !== '' && !file },
  );
  const readTable = tables.useRead();
  const importStatement = bankAnswers.useImportStatement();
  const preview = bankAnswers.usePreview();
  const isBusy = readTable.isPending || importStatement.isPending;

  const answers = useMemo(() => file && readAnswers(file.rows, file.mapping, file.statuses, today()), [file]);
  const { mutate: compare } = preview;
  const compareAgain = (): void => {
    if (file && answers && answers.rows.length > 0 && canCompare(file.mapping))
      compare({ body: { rows: answers.rows } });
  };
  const isReady = file !== undefined && canCompare(file.mapping) && (answers?.rows.length ?? 0) > 0;
  useEffect(() => {
    if (!file || !answers || !isReady) return;
    rememberColumns(file);
    compare({ body: { rows: answers.rows } });
  }, [file, answers, isReady, compare]);

  /** Brings in a statement, of one or more sheets. */
  const storeStatement = async (sheets: readonly StatementFile[], read = readAsText): Promise<void> => {
    if (accountId === '') {
      setWaitingStatement(sheets);
      if (knownAccounts) notify.warning('Choose the account of this statement');
      return;
    }
    setWaitingStatement(undefined);
    const lines = sheets.flatMap(({ read }) => read.lines);
    const bad = sheets.flatMap(({ read }) => read.bad);
    const skipped = sheets.flatMap(({ read }) => read.skipped);
    const names = sheets.map(({ name }) => name).join(', ');
    const days = lines.map(({ day }) => day).sort();
    let added = 0;
    const isDone = await confirm({
      title: `Bring in ${countText(lines.length, 'line')} of the statement?`,
      body: (
        <>
          <p>
            {names}: {formatDate(days[0] ?? '')} to {formatDate(days.at(-1) ?? '')}. {read && `${read}. `}Lines that are
            already stored are not added again.{' '}
            {skipped.length > 0 && `${countText(skipped.length, 'row')} of titles, balances and totals left out.`}
          </p>
          {bad.length > 0 && (
            <>
              <p className="mt-2 font-medium">{countText(bad.length, 'row')} cannot be read:</p>
              <ul className="max-h-40 overflow-y-auto">
                {bad.map(({ row, text, reason }, index) => (
                  // Two sheets may have a bad row of the same number.
                  // oxlint-disable-next-line react/no-array-index-key
                  <li key={index}>
                    Row {row}: {reason} <span className="text-muted">{text}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      ),
      confirmLabel: 'Bring in',
      act: async () => {
        added = 0;
        for (const { name, rows } of sheets) {
          const body = { bankAccountId: accountId, fileName: name, rows };
          added += (await importStatement.mutateAsync({ body })).data.newCount;
        }
      },
      failed: 'Failed to bring in the statement',
    });
    if (!isDone) return;
    setFile(undefined);
    setUrl({ account: accountId }, { replace: true });
    notify.success(`${countText(added, 'new line')} of ${formatCount(lines.length)}`);
  };
  const latestStore = useLatest(storeStatement);
  useEffect(() => {
    if (waitingStatement && accountId !== '') void latestStore.current(waitingStatement);
  }, [waitingStatement, accountId, latestStore]);
  const acceptSource = (found: AnswerFile | StatementFile, read: string): void => {
    setReadAsText(read);
    if (found.kind === 'statement') void storeStatement([found], read);
    else {
      setFile(found);
      setFileNo((before) => before + 1);
    }
  };
  const openFile = async (chosen: File): Promise<void> => {
    try {
      // A bank may name its files by a serial number (CLIENT2711.001). What they are is read from their content.
      const file = isTableName(chosen.name) ? chosen : new File([chosen], `${chosen.name}.txt`);
      const { kind, sheets } = (await readTable.mutateAsync({ file })).data;
      const statements = sheets.length > 1 ? statementsOf(chosen.name, sheets) : undefined;
      if (statements) {
        setReadAsText('');
        void storeStatement(statements, '');
        return;
      }
      const at = await chooseSheet(chosen.name, sheets);
      const sheet = at === undefined ? undefined : sheets[at];
      if (at === undefined || !sheet) return;
      acceptSource(makeSource(chosen.name, sheet.rows, false), readAs(kind, sheets, at));
    } catch (error) {
      notify.error(error instanceof Error ? error : 'Failed to read the file', 'Failed to read the file');
    }
  };
  useFileDrop((files) => {
    const [first] = files;
    if (files.length > 1) notify.warning(`${files.length} files were given. Choose one file at a time.`);
    else if (first) void openFile(first);
  }, !isBusy);
  usePaste((event) => {
    if ((event.clipboardData?.files.length ?? 0) > 0 || isDialogOpen()) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target?.closest('input, textarea')) return;
    const pasted = readClipboard(clipboardOf(event.clipboardData));
    if (!pasted) return;
    event.preventDefault();
    const read = pasted.hiddenRows > 0 ? hiddenRowsText(pasted.hiddenRows) : '';
    try {
      acceptSource(makeSource('Pasted rows', pasted.table, true), read);
    } catch (error) {
      notify.error(error instanceof Error ? error : 'Failed to read the rows', 'Failed to read the rows');
    }
  });

  const shown = file ? (isReady ? preview.data : undefined) : statement.data;
  const status = file
    ? {
        isLoading: preview.isPending && preview.data === undefined,
        isFetching: preview.isPending,
        error: preview.error ? { text: preview.error.message } : undefined,
        onRetry: compareAgain,
      }
    : { ...gridStatusOf(statement, 'Failed to fetch the statement’s lines'), isLoading: statement.isLoading };

  return (
    <Page
      fill
      title={screens.bankAnswer.name}
      aside={
        file && <p className="min-w-0 truncate text-muted">{[file.name, readAsText].filter(Boolean).join(' · ')}</p>
      }
      actions={
        <>
          <Link to={screens.bankLines.path}>At the bank</Link>
          <Link to={screens.bankAnswers.path}>Accepted answers</Link>
        </>
      }
    >
      {sheetDialog}
      <input
        ref={inputRef}
        type="file"
        aria-label="File of the bank"
        className="hidden"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          target.value = '';
          if (chosen) void openFile(chosen);
        }}
      />
      {accounts.error && (
        <FailureAlert
          error={accounts.error}
          fallback="Failed to fetch the bank accounts"
          onRetry={() => void accounts.refetch()}
          isRetrying={accounts.isFetching}
        />
      )}
      <PrintOnly>{accountOptions.find(({ value }) => value === accountId)?.label}</PrintOnly>
      <section aria-label="Account and file" data-print="hide" className="flex flex-wrap items-end gap-3">
        <div className="w-64">
          <Select
            label="Account"
            reserve={false}
            value={accountId}
            options={accountOptions}
            onValueChange={(next) => setUrl({ account: next }, { replace: true })}
          />
        </div>
        <Button
          icon={<FileUp size={14} aria-hidden />}
          busy={isBusy}
          keys="O"
          onClick={() => inputRef.current?.click()}
        >
          Choose a file …
        </Button>
        {file && <Button onClick={() => setFile(undefined)}>Show the statement’s lines</Button>}
        <p className="max-w-prose text-muted">
          Choose or drop the statement of the account or the bank’s reverse file. Or copy two columns, reference or
          account and UTR, and press Ctrl+V.
        </p>
      </section>
      {file && answers && <AnswerColumns file={file} read={answers} onChange={setFile} />}
      {file && answers && !canCompare(file.mapping) && (
        <Alert tone="info" title="Choose the column of the reference or account, and the column of the UTR or status" />
      )}
      {answers && answers.bad.length > 0 && (
        <Alert tone="warn" title={`${countText(answers.bad.length, 'row')} cannot be read`}>
          <ul className="max-h-32 overflow-y-auto">
            {answers.bad.slice(0, 200).map(({ row, reason }) => (
              <li key={row}>
                Row {row}: {reason}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <Proposals
        key={file ? `file ${fileNo}` : accountId}
        proposals={knownAccounts && !file && accountId === '' ? none : shown?.data}
        counts={shown?.counts ?? noCounts}
        status={status}
        source={file ? file.source : 'statement'}
        fileName={file?.name ?? ''}
        bankAccountId={accountId}
        empty={
          file
            ? 'No row of the file could be compared.'
            : accountId === ''
              ? knownAccounts?.length === 0
                ? noAccount
                : 'Choose an account, or bring in the bank’s answer.'
              : 'Every line of the statements is accepted or set aside. Bring in the next statement.'
        }
        choose={() => inputRef.current?.click()}
        chooseReason={isBusy ? 'A file is being read' : undefined}
        onAccepted={compareAgain}
      />
    </Page>
  );
}
