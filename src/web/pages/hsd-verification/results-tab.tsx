import { useRef, type KeyboardEvent } from 'react';
import { formatINR, sum } from '../../../shared/calc/money.ts';
import type { HsdMatchRow } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdChanged, HsdUploadResult } from '../../../shared/contract/hsd-verification.ts';
import { Button } from '../../ui/button.tsx';
import { dispatchKey, useKeyHelp, type KeyTable } from '../../ui/key-table.ts';
import { StatCard } from '../../ui/stat-card.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ChangedSince } from './changed-since.tsx';
import { pageOf, type PagePlace, type ResultKind, type ResultsPlace } from './local-pages.ts';
import { ProcessingErrors } from './processing-errors.tsx';
import { MatchesTable, MismatchTable, NotFoundTable, VerifiedTable, type TableHandle } from './result-tables.tsx';
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
  const { result, fileName, matches, pending, changed, place, onPlace, choice } = props;
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
  const { amountMismatch, alreadyVerified, tpNotFound } = results.discrepancies;

  return (
    <>
      <Cards result={result} fileName={fileName} />
      <ChangedSince changed={changed} pending={pending} />
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
              label: <TabLabel text="Amount Mismatches" count={amountMismatch.length} />,
              content: <MismatchTable {...placeOf('mismatches')} results={results} />,
            },
            {
              value: 'verified',
              label: <TabLabel text="Already Verified" count={alreadyVerified.length} />,
              content: <VerifiedTable {...placeOf('verified')} results={results} />,
            },
            {
              value: 'notFound',
              label: <TabLabel text="TP Not Found" count={tpNotFound.length} />,
              content: <NotFoundTable {...placeOf('notFound')} results={results} />,
            },
          ]}
        />
      </div>
    </>
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
