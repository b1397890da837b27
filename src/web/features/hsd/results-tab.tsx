import { lazy, useRef, type KeyboardEvent } from 'react';
import { LazyDialog } from '../../kit/actions/lazy-dialog.tsx';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatINR, sum } from '../../../shared/calc/money.ts';
import type { HsdMatchRow, HsdMismatchRow, HsdNotFoundRow } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdChanged, HsdUploadResult } from '../../../shared/contract/hsd-verification.ts';
import { hsdAcceptCommands, hsdSheetCommands } from './hsd-verification-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { call } from '../../kit/api/client.ts';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import { useFileDownload } from '../../kit/feedback/file-download.tsx';
import { SelectionFooter } from '../../kit/grid/selection-footer.tsx';
import { dispatchKey, useKeyHelp, type KeyTable } from '../../kit/ui/key-table.ts';
import { StatCard } from '../../kit/ui/stat-card.tsx';
import { Tabs } from '../../kit/ui/tabs.tsx';
import { BillTotals, ChangedSince, ProcessingErrors } from './results-alerts.tsx';
import {
  LookedUp,
  matchResults,
  mismatchResults,
  notFoundResults,
  pageOf,
  ResultsTable,
  verifiedResults,
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
  /** How many matches Verify would send, and the challans that it found changed after the file was compared. */
  pending: number;
  changed: readonly HsdChanged[];
  place: ResultsPlace;
  onPlace: (place: ResultsPlace) => void;
  choice: ReturnType<typeof useMatchSelection>;
  mismatches: readonly HsdMismatchRow[];
  notFound: readonly HsdNotFoundRow[];
  /** Resolves to true if it succeeded. */
  onAccept: (lines: AcceptedLine[], reason: string) => Promise<boolean>;
}

/** The keys of the results, besides those of tabs and tables. */
export const resultKeys = {
  toTable: { keys: '↓', label: 'Move from a results tab into its table' },
} as const satisfies KeyTable;

/**
 * Compares the file with the challans: stat cards, rows that could not be read, and the four kinds of results
 * (docs/specification.md §11.1).
 */
export function ResultsTab(props: ResultsTabProps) {
  const { result, fileName, matches, pending, changed, place, onPlace, choice, mismatches, notFound } = props;
  const acceptance = useAcceptance(place.kind, mismatches, notFound, props.onAccept);
  const table = useRef<TableHandle>(null);
  const tablePlace = (kind: ResultKind) => ({
    ref: table,
    place: place.pages[kind],
    onPlace: (next: PagePlace) => onPlace({ ...place, pages: { ...place.pages, [kind]: next } }),
  });
  useKeyHelp('Results', resultKeys);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof Element) || event.target.role !== 'tab') return;
    if (dispatchKey(resultKeys, event, { toTable: () => table.current?.focusFirstRow() })) event.preventDefault();
  };
  const { alreadyVerified } = result.results.discrepancies;
  const acceptFooter = <AcceptBar count={acceptance.chosen.length} onAccept={acceptance.openDialog} />;

  return (
    <>
      {acceptance.rowsToAccept && (
        <LazyDialog>
          <AcceptDialog
            rows={acceptance.rowsToAccept}
            isBusy={acceptance.isBusy}
            onAccept={(lines, reason) => void acceptance.accept(lines, reason)}
            onClose={acceptance.closeDialog}
          />
        </LazyDialog>
      )}
      <Cards result={result} fileName={fileName} />
      {result.detail && <p className="-mt-1 shrink-0 text-muted">{result.detail.readAs}</p>}
      {result.detail && (
        <DiscrepancySheet uploadId={result.detail.uploadId} pumpName={result.detail.petrolPump?.name} />
      )}
      <ChangedSince changed={changed} pending={pending} />
      <BillTotals totals={result.detail?.totals ?? []} />
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
                <ResultsTable
                  {...tablePlace('matches')}
                  of={matchResults}
                  rows={matches}
                  selection={choice.selection}
                  footer={
                    <SelectionFooter
                      count={choice.chosen.length}
                      details={` · ${formatINR(choice.chosenAmount)}`}
                      onClear={choice.clear}
                    />
                  }
                />
              ),
            },
            {
              value: 'mismatches',
              label: <TabLabel text="Amount Mismatches" count={mismatches.length} />,
              content: (
                <ResultsTable
                  {...tablePlace('mismatches')}
                  of={mismatchResults}
                  rows={mismatches}
                  selection={acceptance.mismatchSelection}
                  footer={acceptFooter}
                />
              ),
            },
            {
              value: 'verified',
              label: <TabLabel text="Already Verified" count={alreadyVerified.length} />,
              content: <ResultsTable {...tablePlace('verified')} of={verifiedResults} rows={alreadyVerified} />,
            },
            {
              value: 'notFound',
              label: <TabLabel text="TP Not Found" count={notFound.length} />,
              content: (
                <ResultsTable
                  {...tablePlace('notFound')}
                  of={notFoundResults}
                  rows={notFound}
                  selection={acceptance.nearSelection}
                  onOpen={acceptance.openOne}
                  footer={
                    <>
                      <LookedUp count={notFound.length} />
                      {acceptFooter}
                    </>
                  }
                />
              ),
            },
          ]}
        />
      </div>
    </>
  );
}

/** Names the petrol pump of the bill and offers the discrepancy sheet, which is sent back to the pump. */
function DiscrepancySheet({ uploadId, pumpName }: { uploadId: string; pumpName: string | undefined }) {
  const { progress, start, cancel } = useFileDownload();
  const calls = hsdVerification.calls;
  const download = (format: 'xlsx' | 'pdf'): void =>
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
    });
  const { sheet, pdf } = useCommands(hsdSheetCommands, {
    sheet: progress ? { label: 'Cancel the download', run: cancel } : () => download('xlsx'),
    pdf: { disabledReason: progress && 'A file is being downloaded', run: () => download('pdf') },
  });
  return (
    <div className="flex shrink-0 items-center justify-between gap-3">
      <p className="min-w-0 truncate text-muted">
        {pumpName === undefined
          ? 'This bill belongs to no single petrol pump, so it is not in the pump ledger.'
          : `Bill of ${pumpName}`}
      </p>
      <span className="flex shrink-0 gap-2">
        <ActionButton action={pdf} size="sm" />
        <ActionButton action={sheet} size="sm" />
      </span>
    </div>
  );
}

/** Loaded lazily, because it is seldom needed. */
const AcceptDialog = lazy(async () => ({ default: (await import('./accept-dialog.tsx')).AcceptDialog }));

/** Shown below a table whose rows can be accepted although they differ. */
function AcceptBar({ count, onAccept }: { count: number; onAccept: () => void }) {
  const { accept } = useCommands(hsdAcceptCommands, {
    accept: { disabledReason: count === 0 ? 'Select rows to accept first' : undefined, run: onAccept },
  });
  return (
    <>
      <SelectionFooter count={count} />
      <ActionButton action={accept} size="sm" />
    </>
  );
}

function TabLabel({ text, count }: { text: string; count: number }) {
  return (
    <>
      {text}{' '}
      <span className="nums ml-1 rounded-full bg-sunken px-1.5 py-0.5 text-xs text-muted">{formatCount(count)}</span>
    </>
  );
}

function Cards({ result, fileName }: Pick<ResultsTabProps, 'result' | 'fileName'>) {
  const { amountMismatch, alreadyVerified, tpNotFound } = result.results.discrepancies;
  const leftOut = result.totalRecords - result.validRecords;
  const kinds = [
    `${formatCount(amountMismatch.length)} amount`,
    `${formatCount(alreadyVerified.length)} verified`,
    `${formatCount(tpNotFound.length)} not found`,
  ];
  return (
    <div className="flex shrink-0 gap-3">
      <StatCard
        label="Total Records"
        value={formatCount(result.totalRecords)}
        detail={<span title={fileName}>{fileName}</span>}
      />
      <StatCard
        label="Valid Records"
        value={formatCount(result.validRecords)}
        detail={leftOut > 0 ? `${formatCount(leftOut)} left out` : 'All rows compared'}
      />
      <StatCard
        label="Valid Matches"
        tone="good"
        value={formatCount(result.summary.validMatches)}
        detail={formatINR(sum(result.results.validMatches.map(({ challanAmount }) => challanAmount)))}
      />
      <StatCard
        label="Discrepancies"
        tone={result.summary.totalDiscrepancies > 0 ? 'danger' : 'plain'}
        value={formatCount(result.summary.totalDiscrepancies)}
        detail={<span title={kinds.join(' · ')}>{kinds.join(' · ')}</span>}
      />
    </div>
  );
}

/** The matches on the current page: the checkbox in the table heading selects these. */
export const shownMatches = (matches: readonly HsdMatchRow[], place: ResultsPlace): readonly HsdMatchRow[] =>
  pageOf(matches, place.pages.matches);
