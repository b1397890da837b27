import { lazy, useRef, useState, type KeyboardEvent } from 'react';
import { LateDialog } from '../../actions/late-dialog.tsx';
import { formatINR, sum } from '../../../shared/calc/money.ts';
import type { HsdMatchRow, HsdMismatchRow, HsdNotFoundRow } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdChanged, HsdTotal, HsdUploadResult } from '../../../shared/contract/hsd-verification.ts';
import { useHsdAcceptActions, useHsdSheetActions } from '../../actions/hsd-verification.ts';
import { buttonOf } from '../../actions/registry.ts';
import { call } from '../../api/client.ts';
import { hsdVerification } from '../../api/hsd-verification.ts';
import { useFileDownload } from '../../feedback/use-file-download.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { dispatchKey, useKeyHelp, type KeyTable } from '../../ui/key-table.ts';
import { StatCard } from '../../ui/stat-card.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import {
  MatchesTable,
  MismatchTable,
  NotFoundTable,
  pageOf,
  VerifiedTable,
  type PagePlace,
  type ResultKind,
  type ResultsPlace,
  type TableHandle,
} from './result-tables.tsx';
import { useAcceptance, type AcceptedLine } from './use-acceptance.ts';
import type { useMatchSelection } from './use-match-selection.ts';

interface ResultsTabProps {
  result: HsdUploadResult;
  fileName: string;
  matches: readonly HsdMatchRow[];
  /** How many of them Verify would take, and what it found to be another than the file was compared with. */
  pending: number;
  changed: readonly HsdChanged[];
  place: ResultsPlace;
  onPlace: (place: ResultsPlace) => void;
  choice: ReturnType<typeof useMatchSelection>;
  mismatches: readonly HsdMismatchRow[];
  notFound: readonly HsdNotFoundRow[];
  /** true: done, and said so. */
  onAccept: (lines: AcceptedLine[], reason: string) => Promise<boolean>;
}

/** Besides those of the tabs and of the tables. */
export const resultKeys = {
  toTable: { keys: '↓', label: 'From a kind of results into its table' },
} as const satisfies KeyTable;

/**
 * What the file says against the books: cards, what could not be read, and the four kinds of rows
 * (docs/specification.md §11.1).
 */
export function ResultsTab(props: ResultsTabProps) {
  const { result, fileName, matches, pending, changed, place, onPlace, choice, mismatches, notFound } = props;
  const acceptance = useAcceptance(place.kind, mismatches, notFound, props.onAccept);
  const table = useRef<TableHandle>(null);
  const { results } = result;
  const placeOf = (kind: ResultKind) => ({
    ref: table,
    place: place.pages[kind],
    onPlace: (next: PagePlace) => onPlace({ ...place, pages: { ...place.pages, [kind]: next } }),
  });
  useKeyHelp('Results', resultKeys);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof Element) || event.target.role !== 'tab') return;
    if (dispatchKey(resultKeys, event, { toTable: () => table.current?.focusFirstRow() })) event.preventDefault();
  };
  const { alreadyVerified } = results.discrepancies;
  const acceptFooter = <AcceptBar count={acceptance.chosen.length} onAccept={acceptance.ask} />;

  return (
    <>
      {acceptance.asked && (
        <LateDialog>
          <AcceptDialog
            rows={acceptance.asked}
            isBusy={acceptance.isBusy}
            onAccept={(lines, reason) => void acceptance.accept(lines, reason)}
            onClose={acceptance.close}
          />
        </LateDialog>
      )}
      <Cards result={result} fileName={fileName} />
      {result.detail && <Sheet uploadId={result.detail.uploadId} pumpName={result.detail.petrolPump?.name} />}
      <ChangedSince changed={changed} pending={pending} />
      <Totals totals={result.detail?.totals ?? []} />
      <ProcessingErrors errors={result.processingErrors} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the keys of the tabs inside */}
      <div onKeyDown={onKeyDown} className="flex min-h-80 flex-1 flex-col">
        <Tabs
          fill
          follow
          label="Kinds of results"
          value={place.kind}
          onValueChange={(kind) => onPlace({ ...place, kind })}
          tabs={[
            {
              value: 'matches',
              label: <TabLabel text="Valid Matches" count={matches.length} />,
              content: (
                <MatchesTable
                  {...placeOf('matches')}
                  matches={matches}
                  selection={choice.selection}
                  footer={<Chosen {...choice} />}
                />
              ),
            },
            {
              value: 'mismatches',
              label: <TabLabel text="Amount Mismatches" count={mismatches.length} />,
              content: (
                <MismatchTable
                  {...placeOf('mismatches')}
                  mismatches={mismatches}
                  selection={acceptance.mismatchSelection}
                  footer={acceptFooter}
                />
              ),
            },
            {
              value: 'verified',
              label: <TabLabel text="Already Verified" count={alreadyVerified.length} />,
              content: <VerifiedTable {...placeOf('verified')} results={results} />,
            },
            {
              value: 'notFound',
              label: <TabLabel text="TP Not Found" count={notFound.length} />,
              content: (
                <NotFoundTable
                  {...placeOf('notFound')}
                  rows={notFound}
                  selection={acceptance.nearSelection}
                  onOpen={acceptance.openOne}
                  footer={acceptFooter}
                />
              ),
            },
          ]}
        />
      </div>
    </>
  );
}

/** Whose bill it is, and what of it goes back to the pump. */
function Sheet({ uploadId, pumpName }: { uploadId: string; pumpName: string | undefined }) {
  const { progress, start, cancel } = useFileDownload();
  const calls = hsdVerification.calls;
  const { sheet, pdf } = useHsdSheetActions({
    download: (format) =>
      start({
        get: (options) =>
          call(
            format === 'pdf' ? calls.exportDiscrepanciesPdf : calls.exportDiscrepancies,
            { params: { id: uploadId } },
            options,
          ),
        total: 0,
        countsLines: false,
        fallbackName: `hsd_discrepancies.${format}`,
        done: 'Discrepancy sheet downloaded successfully',
        failed: 'Failed to download the discrepancy sheet',
        cancelled: 'Download cancelled',
      }),
    isRunning: progress !== undefined,
    cancel,
  });
  return (
    <div className="flex shrink-0 items-center justify-between gap-3">
      <p className="min-w-0 truncate text-muted">
        {pumpName === undefined ? 'Not of one petrol pump: not in the pump ledger' : `Bill of ${pumpName}`}
      </p>
      <span className="flex shrink-0 gap-2">
        <Button size="sm" {...buttonOf(pdf)}>
          {pdf.label}
        </Button>
        <Button size="sm" {...buttonOf(sheet)}>
          {sheet.label}
        </Button>
      </span>
    </div>
  );
}

/** Seldom needed. */
const AcceptDialog = lazy(async () => ({ default: (await import('./accept-dialog.tsx')).AcceptDialog }));

/** Below a table whose rows can be accepted although they differ. */
function AcceptBar({ count, onAccept }: { count: number; onAccept: () => void }) {
  const { accept } = useHsdAcceptActions({
    accept: onAccept,
    acceptReason: count === 0 ? 'Select rows to accept first' : undefined,
  });
  return (
    <>
      <p role="status" className="nums min-w-0 truncate text-xs text-muted">
        {count > 0 && <b className="text-ink">{inIndia(count)} selected</b>}
      </p>
      <Button size="sm" {...buttonOf(accept)}>
        {accept.label}
      </Button>
    </>
  );
}

const shownTotals = 5;

/** The bill's own sums, which are no rows of it. */
function Totals({ totals }: { totals: readonly HsdTotal[] }) {
  if (totals.length === 0) return null;
  const isRight = totals.every(({ amount, rowsAmount }) => amount === null || amount === rowsAmount);
  return (
    <Alert
      tone={isRight ? 'info' : 'warn'}
      className="shrink-0"
      title={`${totals.length === 1 ? '1 row of totals' : `${inIndia(totals.length)} rows of totals`}, not compared`}
    >
      <ul className="nums list-none">
        {totals.slice(0, shownTotals).map(({ row, text, amount, rowsAmount }) => (
          <li key={row}>
            Row {row}: {text} {amount !== null && formatINR(amount)}
            {amount !== null && amount !== rowsAmount && `; the rows above come to ${formatINR(rowsAmount)}`}
          </li>
        ))}
        {totals.length > shownTotals && <li>and {inIndia(totals.length - shownTotals)} more</li>}
      </ul>
    </Alert>
  );
}

const inIndia = (count: number): string => count.toLocaleString('en-IN');

function TabLabel({ text, count }: { text: string; count: number }) {
  return (
    <>
      {text} <span className="nums ml-1 rounded-full bg-sunken px-1.5 py-0.5 text-xs text-muted">{inIndia(count)}</span>
    </>
  );
}

function Cards({ result, fileName }: Pick<ResultsTabProps, 'result' | 'fileName'>) {
  const { amountMismatch, alreadyVerified, tpNotFound } = result.results.discrepancies;
  const setAside = result.totalRecords - result.validRecords;
  const kinds = [
    `${inIndia(amountMismatch.length)} amount`,
    `${inIndia(alreadyVerified.length)} verified`,
    `${inIndia(tpNotFound.length)} not found`,
  ];
  return (
    <div className="flex shrink-0 gap-3">
      <StatCard
        label="Total Records"
        value={inIndia(result.totalRecords)}
        detail={<span title={fileName}>{fileName}</span>}
      />
      <StatCard
        label="Valid Records"
        value={inIndia(result.validRecords)}
        detail={setAside > 0 ? `${inIndia(setAside)} set aside` : 'All rows were compared'}
      />
      <StatCard
        label="Valid Matches"
        tone="good"
        value={inIndia(result.summary.validMatches)}
        detail={formatINR(sum(result.results.validMatches.map(({ challanAmount }) => challanAmount)))}
      />
      <StatCard
        label="Discrepancies"
        tone={result.summary.totalDiscrepancies > 0 ? 'danger' : 'plain'}
        value={inIndia(result.summary.totalDiscrepancies)}
        detail={<span title={kinds.join(' · ')}>{kinds.join(' · ')}</span>}
      />
    </div>
  );
}

function Chosen({ chosen, chosenAmount, clear }: ReturnType<typeof useMatchSelection>) {
  return (
    <>
      <p role="status" className="nums min-w-0 truncate text-xs text-muted">
        {chosen.length > 0 && (
          <>
            <b className="text-ink">{inIndia(chosen.length)} selected</b> · {formatINR(chosenAmount)}
          </>
        )}
      </p>
      {chosen.length > 0 && (
        <Button size="sm" variant="ghost" keys="Esc" onClick={clear}>
          Clear
        </Button>
      )}
    </>
  );
}

/** The page of matches on the screen: what the heading's box selects. */
export const shownMatches = (matches: readonly HsdMatchRow[], place: ResultsPlace): readonly HsdMatchRow[] =>
  pageOf(matches, place.pages.matches);

/** More lines than anybody reads would only slow the screen down; the table's Status marks each of them. */
const shownChanges = 100;

function whatChanged({ matchedAmount, challanAmount, tpNo, hasOtherTp, hasOtherPump }: HsdChanged): string {
  const parts = [
    ...(matchedAmount === challanAmount
      ? []
      : [`HSD amount ${formatINR(matchedAmount)} → ${formatINR(challanAmount)}`]),
    ...(hasOtherTp ? [`TP No is ${tpNo} now`] : []),
    ...(hasOtherPump ? ['another petrol pump, or none'] : []),
  ];
  return parts.join('; ');
}

/**
 * Challans that were changed after the file was compared with them: a press of Verify found them and verified nothing. The
 * rest is one more press away.
 */
function ChangedSince({ changed, pending }: { changed: readonly HsdChanged[]; pending: number }) {
  if (changed.length === 0) return null;
  const isOne = changed.length === 1;
  const rest =
    pending === 0
      ? ''
      : pending === 1
        ? 'The one other match is as it was and can be verified now. '
        : `The ${inIndia(pending)} other matches are as they were and can be verified now. `;
  return (
    <Alert
      className="shrink-0"
      title={`${inIndia(changed.length)} ${isOne ? 'challan has' : 'challans have'} changed since the file was compared and ${isOne ? 'is' : 'are'} not verified`}
    >
      <p>
        {rest}Upload the file again to compare {isOne ? 'it' : 'them'} again.
      </p>
      <ul
        aria-label="Changed since the file was compared"
        // Reached by Tab, so that the keyboard can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls needs the focus for it
        tabIndex={0}
        className="mt-1 max-h-17 list-none overflow-y-auto rounded pr-2"
      >
        {changed.slice(0, shownChanges).map((one) => (
          <li key={one.challanId}>
            {one.challanNumber}: {whatChanged(one)}
          </li>
        ))}
        {changed.length > shownChanges && (
          <li>and {inIndia(changed.length - shownChanges)} more, marked in the table</li>
        )}
      </ul>
    </Alert>
  );
}

/** More lines than anybody reads at once would only slow the screen down. */
const shownErrors = 200;

/** Rows of the file that were set aside, one sentence each (docs/specification.md §11.1). */
function ProcessingErrors({ errors }: { errors: readonly string[] }) {
  const [isOpen, setOpen] = useState(true);
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = isWhole ? errors : errors.slice(0, shownErrors);
  const count = errors.length.toLocaleString('en-IN');
  if (errors.length === 0) return null;
  return (
    <Alert
      tone="warn"
      className="shrink-0"
      title={
        <span className="flex items-center justify-between gap-3">
          Processing Errors ({count})
          <Button size="sm" variant="ghost" className="-my-1" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        </span>
      }
    >
      {isOpen && (
        <ul
          ref={list}
          aria-label="Processing Errors"
          // Reached by Tab, so that the keyboard can scroll it.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls needs the focus for it
          tabIndex={0}
          // A little more than three lines: half of the fourth shows that there is more.
          className="max-h-17 list-none overflow-y-auto rounded pr-2"
        >
          {shown.map((text, index) => (
            <li key={`${index}-${text}`}>{text}</li>
          ))}
          {shown.length < errors.length && (
            <li className="py-1">
              <Button
                size="sm"
                onClick={() => {
                  // The button goes away with the act; the list keeps the keyboard.
                  list.current?.focus();
                  setWhole(true);
                }}
              >
                Show all {count}
              </Button>
            </li>
          )}
        </ul>
      )}
    </Alert>
  );
}
