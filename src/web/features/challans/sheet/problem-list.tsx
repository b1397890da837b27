import type { ReactNode } from 'react';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { unknownNouns } from '../../master-data/index.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { formatCount } from '../../../../shared/calc/count-text.ts';
import { sheetLabels } from './sheet-columns.ts';
import type { ProblemKind, SheetSpot, SheetSummary, UnknownName } from './sheet-summary.ts';

interface ProblemListProps {
  summary: SheetSummary;
  onGo: (spot: SheetSpot) => void;
  onCreate: (name: UnknownName) => void;
  onMap: (name: UnknownName) => void;
}

const maxShown = 100;

const countOf = (kinds: readonly ProblemKind[]): number => kinds.reduce((sum, { count }) => sum + count, 0);

/** How many problems of each sort there are: '2 mistakes'. */
export const problemCounts = ({ errors, unknown, twins, warnings }: SheetSummary): string[] =>
  [
    [countOf(errors), 'mistake', 'mistakes'] as const,
    [unknown.length, 'name not found', 'names not found'] as const,
    [twins.length, 'row that may already exist', 'rows that may already exist'] as const,
    [countOf(warnings), 'warning', 'warnings'] as const,
  ].flatMap(([count, one, many]) => (count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : many}`]));

/**
 * The list below the sheet: mistakes and warnings by kind, unknown names, and rows that may already exist as
 * challans. Below, so that it takes no column out of sight.
 */
export function ProblemList({ summary, onGo, onCreate, onMap }: ProblemListProps) {
  const { errors, warnings, unknown, twins } = summary;
  if (problemCounts(summary).length === 0) return null;
  return (
    <aside
      aria-label="Problems"
      className="grid max-h-[30%] shrink-0 auto-cols-fr gap-x-6 gap-y-2 overflow-y-auto rounded-lg border border-line bg-surface px-3 py-2 shadow-card lg:grid-flow-col"
    >
      <ProblemKinds title="Mistakes" kinds={errors} onGo={onGo}>
        <CircleAlert size={14} aria-hidden className="mt-0.5 shrink-0 text-danger" />
      </ProblemKinds>
      {unknown.length > 0 && (
        <ProblemSection title="Not found" count={unknown.length} hidden={unknown.length - maxShown}>
          {unknown.slice(0, maxShown).map((name) => (
            <li key={`${name.kind} ${name.text}`} className="py-1">
              <GoToButton onGo={() => onGo(name.first)} count={name.count}>
                <span className="text-muted">{unknownNouns[name.kind]}</span> {name.text}
              </GoToButton>
              <span className="mt-1 flex gap-1.5">
                <Button
                  size="sm"
                  onClick={() => onCreate(name)}
                  aria-label={`Create ${unknownNouns[name.kind]} ${name.text}`}
                >
                  Create …
                </Button>
                <Button
                  size="sm"
                  onClick={() => onMap(name)}
                  aria-label={`Map ${unknownNouns[name.kind]} ${name.text} to another`}
                >
                  Map to …
                </Button>
              </span>
            </li>
          ))}
        </ProblemSection>
      )}
      {twins.length > 0 && (
        <ProblemSection title="May already exist" count={twins.length} hidden={twins.length - maxShown}>
          {twins.slice(0, maxShown).map(({ row, texts, stored }) => (
            <li key={row} className="py-1">
              <GoToButton onGo={() => onGo({ row, column: 'tpNo' })}>
                Row {row + 1}: {texts.join('. ')}
              </GoToButton>
              {stored.map(({ id, challanNumber }) => (
                // Opens in a new tab, so that the typed rows stay on the screen.
                <a
                  key={id}
                  href={`/challans/edit/${id}`}
                  target="_blank"
                  rel="noopener"
                  className="mr-2 font-medium text-primary underline underline-offset-2"
                >
                  {challanNumber}
                </a>
              ))}
            </li>
          ))}
        </ProblemSection>
      )}
      <ProblemKinds title="Warnings" kinds={warnings} onGo={onGo}>
        <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      </ProblemKinds>
    </aside>
  );
}

interface ProblemSectionProps {
  title: string;
  count: number;
  /** The number of entries that are not listed; 0 or less means none. */
  hidden?: number;
  children: ReactNode;
}

function ProblemSection({ title, count, hidden = 0, children }: ProblemSectionProps) {
  return (
    <section aria-label={title}>
      <h2 className="text-xs font-semibold text-muted">
        {title} <span className="nums">({formatCount(count)})</span>
      </h2>
      <ul className="divide-y divide-line">{children}</ul>
      {hidden > 0 && <p className="text-muted">and {hidden} more</p>}
    </section>
  );
}

interface ProblemKindsProps {
  title: string;
  kinds: readonly ProblemKind[];
  onGo: (spot: SheetSpot) => void;
  children: ReactNode;
}

function ProblemKinds({ title, kinds, onGo, children: icon }: ProblemKindsProps) {
  if (kinds.length === 0) return null;
  return (
    <ProblemSection title={title} count={countOf(kinds)}>
      {kinds.map(({ column, text, count, first }) => (
        <li key={`${column} ${text}`} className="flex gap-1.5 py-1">
          {icon}
          <GoToButton onGo={() => onGo(first)} count={count}>
            {!text.toLowerCase().includes(sheetLabels[column].toLowerCase().replace(/ \(.*\)$/, '')) && (
              <span className="text-muted">{sheetLabels[column]}: </span>
            )}
            {text}
          </GoToButton>
        </li>
      ))}
    </ProblemSection>
  );
}

function GoToButton({ onGo, count, children }: { onGo: () => void; count?: number; children: ReactNode }) {
  return (
    <button type="button" className="min-w-0 rounded text-left wrap-anywhere hover:underline" onClick={onGo}>
      {children}
      {count !== undefined && <span className="nums text-muted"> ({formatCount(count)})</span>}
    </button>
  );
}
