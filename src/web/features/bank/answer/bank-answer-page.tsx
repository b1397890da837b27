import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { FileUp } from 'lucide-react';
import { countText } from '../../../../shared/calc/count-text.ts';
import { readAnswers } from '../../../../shared/bank-answers/read-answers.ts';
import { bankAccounts } from '../../../resources/bank-accounts.ts';
import { bankAnswers } from '../../../resources/bank-answers.ts';
import { tables } from '../../../resources/tables.ts';
import { QueryFailure } from '../../../kit/feedback/failure-alert.tsx';
import { gridStatusOf } from '../../../kit/feedback/grid-status.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { idValue } from '../../../kit/filters/filter-values.ts';
import { useUrlState } from '../../../kit/filters/url-state.ts';
import { today } from '../../../kit/forms/day-field.tsx';
import { screens } from '../../../screens.ts';
import { clipboardOf, readClipboard, usePaste } from '../../../kit/sheet/clipboard.ts';
import { Page } from '../../../kit/ui/page.tsx';
import { FileInput } from '../../../kit/ui/file-input.tsx';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { PrintOnly } from '../../../kit/ui/printing.ts';
import { Select } from '../../../kit/ui/select-field.tsx';
import { isDialogOpen } from '../../../kit/ui/dialog-stack.ts';
import { useFileDrop } from '../../../kit/ui/use-file-drop.ts';
import { hiddenRowsText, isTableName, readAs } from '../../../../shared/reading/tables.ts';
import type { TableSheet } from '../../../../shared/contract/tables.ts';
import { useSheetChoice } from '../../../kit/sheet/choose-sheet.tsx';
import { SavedAgain, useSavedAgain } from '../../../kit/sheet/saved-again.tsx';
import { AnswerColumns } from './answer-columns.tsx';
import { canCompare, makeSource, withChoicesOf, type BankFile, type StatementFile } from './answer-source.ts';
import { rememberColumns } from './column-memory.ts';
import { Proposals } from './proposals.tsx';
import { StatementSection } from './statement-section.tsx';
import { UnreadRows } from './unread-rows.tsx';

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

/** The sheets as statements, where each of them is one: those of April and of May. Else none. */
function statementsOf(fileName: string, sheets: readonly TableSheet[], accountId: string): StatementFile[] {
  const found = sheets.flatMap(({ name, rows }) => {
    const source = makeSource(`${fileName} (${name})`, rows, false, accountId);
    return source.kind === 'statement' ? [source] : [];
  });
  return found.length === sheets.length ? found : [];
}

/**
 * /accounting/bank/answer: compares a reverse file, pasted rows or a statement with the lines that were sent. Nothing
 * is accepted before the user has seen it (docs/specification.md §25.2).
 */
export function BankAnswerPage() {
  const [{ account }, setUrl] = useUrlState(urlShape);
  const [opened, setOpened] = useState<BankFile>();
  /** The file that it was read from; undefined: rows that were pasted. */
  const [openedFile, setOpenedFile] = useState<File>();
  const isSavedAgain = useSavedAgain(opened && openedFile);
  /** How many files were opened: another one of the same name is another list of rows. */
  const [fileNo, setFileNo] = useState(0);
  /** The sheets of a file, each a statement, that are brought in after the one that is open. */
  const [waiting, setWaiting] = useState<readonly StatementFile[]>([]);
  /** What the file was read as, in one line. */
  const [readAsText, setReadAsText] = useState('');
  const { chooseSheet, dialog: sheetDialog } = useSheetChoice();
  const inputRef = useRef<HTMLInputElement>(null);
  const chooseRef = useRef<HTMLButtonElement>(null);
  const show = (next: BankFile | undefined): void => {
    // What had the focus may belong to the file that was shown.
    if (next?.kind !== opened?.kind) chooseRef.current?.focus();
    setOpened(next);
  };
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
  const file = opened?.kind === 'answers' ? opened : undefined;
  const statement = bankAnswers.useProposals(
    { query: { bankAccountId: accountId } },
    { enabled: accountId !== '' && !opened },
  );
  const readTable = tables.useRead();
  const preview = bankAnswers.usePreview();
  const isBusy = readTable.isPending;

  const answers = useMemo(() => file && readAnswers(file.rows, file.mapping, file, today()), [file]);
  const { mutate: compare } = preview;
  const compareAgain = (): void => {
    if (answers && isReady) compare({ body: { rows: answers.rows } });
  };
  const isReady = file !== undefined && canCompare(file) && (answers?.rows.length ?? 0) > 0;
  useEffect(() => {
    if (!file || !answers || !isReady) return;
    if (file.isChosen) rememberColumns({ kind: 'answers', accountId }, file.mapping, file.statuses);
    compare({ body: { rows: answers.rows } });
  }, [file, answers, isReady, accountId, compare]);

  const acceptSource = (
    found: BankFile,
    read: string,
    more: readonly StatementFile[] = [],
    from: File | undefined = undefined,
  ): void => {
    setReadAsText(read);
    setWaiting(more);
    setOpened(from && isSavedAgain && opened ? withChoicesOf(found, opened) : found);
    setOpenedFile(from);
    setFileNo((before) => before + 1);
    if (found.kind === 'statement' && accountId === '' && knownAccounts)
      notify.warning('Choose the account of this statement');
  };
  const openFile = async (chosen: File): Promise<void> => {
    try {
      // A bank may name its files by a serial number (CLIENT2711.001). What they are is read from their content.
      const file = isTableName(chosen.name) ? chosen : new File([chosen], `${chosen.name}.txt`);
      const { kind, sheets } = (await readTable.mutateAsync({ file })).data;
      const [first, ...more] = sheets.length > 1 ? statementsOf(chosen.name, sheets, accountId) : [];
      if (first) {
        acceptSource(first, `${countText(sheets.length, 'sheet')}, each a statement`, more, chosen);
        return;
      }
      const at = await chooseSheet(chosen.name, sheets);
      const sheet = at === undefined ? undefined : sheets[at];
      if (at === undefined || !sheet) return;
      acceptSource(makeSource(chosen.name, sheet.rows, false, accountId), readAs(kind, sheets, at), none, chosen);
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
      acceptSource(makeSource('Pasted rows', pasted.table, true, accountId), read);
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
        opened && <p className="min-w-0 truncate text-muted">{[opened.name, readAsText].filter(Boolean).join(' · ')}</p>
      }
      actions={
        <>
          <Link to={screens.bankLines.path}>At the bank</Link>
          <Link to={screens.bankAnswers.path}>Accepted answers</Link>
        </>
      }
    >
      {sheetDialog}
      <FileInput inputRef={inputRef} label="File of the bank" onFile={(file) => void openFile(file)} />
      <QueryFailure query={accounts} fallback="Failed to fetch the bank accounts" />
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
          ref={chooseRef}
          icon={<FileUp size={14} aria-hidden />}
          busy={isBusy}
          keys="O"
          onClick={() => inputRef.current?.click()}
        >
          Choose a file …
        </Button>
        {file && <Button onClick={() => show(undefined)}>Show the statement’s lines</Button>}
        <p className="max-w-prose text-muted">
          Choose or drop the statement of the account or the bank’s reverse file. Or copy two columns, reference or
          account and UTR, and press Ctrl+V.
        </p>
      </section>
      {isSavedAgain && <SavedAgain onReadAgain={() => inputRef.current?.click()} />}
      {file && answers && <AnswerColumns file={file} read={answers} onChange={show} />}
      {answers && answers.bad.length > 0 && (
        <Alert tone="warn" title={`${countText(answers.bad.length, 'row')} cannot be read`}>
          <UnreadRows rows={answers.bad} />
        </Alert>
      )}
      {opened?.kind === 'statement' ? (
        <StatementSection
          key={`file ${fileNo}`}
          file={opened}
          account={knownAccounts?.find(({ id }) => id === accountId)}
          choose={() => inputRef.current?.click()}
          onChange={show}
          onClose={() => show(undefined)}
          onDone={() => {
            const [next, ...more] = waiting;
            if (next) acceptSource(next, readAsText, more, openedFile);
            else show(undefined);
            setUrl({ account: accountId }, { replace: true });
          }}
        />
      ) : (
        <Proposals
          key={file ? `file ${fileNo}` : accountId}
          proposals={(file ? !isReady : knownAccounts && accountId === '') ? none : shown?.data}
          counts={shown?.counts ?? noCounts}
          status={status}
          source={file ? file.source : 'statement'}
          fileName={file?.name ?? ''}
          bankAccountId={accountId}
          empty={
            file
              ? 'Nothing is compared yet. See above what is missing.'
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
      )}
    </Page>
  );
}
