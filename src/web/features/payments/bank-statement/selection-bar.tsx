import { clsx } from 'clsx';
import { challansText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatINR, isZero } from '../../../../shared/calc/money.ts';
import { exclusionCount, selectedAmount, selectedCount, type Selection } from '../../../../shared/calc/selection.ts';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { buttonOf, type Action } from '../../../kit/actions/registry.ts';
import type { StatementFilters, StatementSummary } from '../../../../shared/contract/bank-statement.ts';
import { statementFilters } from '../../../../shared/filters/challan-filters.ts';
import { textsOfFilter } from '../../../../shared/filters/filter-texts.ts';
import { FilterWords } from '../../filters/index.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { negativeText } from './mark-paid-parts.tsx';
import type { WaitingSelection } from './use-kept-statement-selection.ts';

interface SelectionBarProps {
  actions: Record<'selectPage' | 'selectAll' | 'clear' | 'markSelected' | 'markAll', Action>;
  /** Which of the two payments is under way. */
  paying: 'selected' | 'matching' | undefined;
  hasSelection: boolean;
  /** The summary of everything that matches. */
  summary: StatementSummary | undefined;
  /** Why the selection is too large to be sent. */
  limit: string | undefined;
}

/**
 * The scope of the selection in words: "on this page" is never mistaken for "all that match"
 * (docs/specification.md §10.2).
 */
function scopeText(selection: Selection<unknown>): string {
  const count = formatCount(selectedCount(selection));
  const amount = formatINR(selectedAmount(selection));
  if (selection.mode !== 'allMatching') return `${count} selected, ${amount}`;
  const excluded = exclusionCount(selection);
  const total = formatCount(selection.matching.count);
  if (excluded === 0) return `${count} selected, ${amount} (all ${total} matching)`;
  return `${count} selected, ${amount} (all ${total} matching, ${formatCount(excluded)} excluded)`;
}

/** The selection in words, announced when it changes. It is shown under the grid. */
export function SelectionText({ selection }: { selection: Selection<unknown> }) {
  return (
    <p
      role="status"
      className={clsx('nums min-w-0 truncate', selection.mode === 'none' ? 'text-muted' : 'font-medium')}
    >
      {scopeText(selection)}
    </p>
  );
}

export function SelectionBar({ actions, paying, hasSelection, summary, limit }: SelectionBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {/* Not printed. The notes below are, because they explain the sums. */}
      <div data-print="hide" className="contents">
        {(['selectPage', 'selectAll', 'clear'] as const).map((name) => (
          <Button key={name} size="sm" {...buttonOf(actions[name])}>
            {actions[name].label}
          </Button>
        ))}
        <span className="ml-auto flex flex-wrap items-center gap-2">
          <ActionButton
            action={actions.markSelected}
            size="sm"
            variant={hasSelection ? 'primary' : 'secondary'}
            busy={paying === 'selected'}
          />
          <ActionButton action={actions.markAll} size="sm" busy={paying === 'matching'} />
        </span>
      </div>
      {summary !== undefined && (
        <div className="flex w-full flex-wrap gap-x-6 gap-y-1 text-xs text-warn empty:hidden">
          {summary.negativeOwnerCount > 0 && <p>{negativeText(summary)}. A payment leaves them out.</p>}
          {summary.heldCount > 0 && (
            <p>
              {challansText(summary.heldCount)} on hold, {formatINR(summary.heldAmount)}: never selected, and not paid.
            </p>
          )}
          {!isZero(summary.deductedAmount) && (
            <p>{formatINR(summary.deductedAmount)} carried from earlier payments is deducted.</p>
          )}
        </div>
      )}
      {limit !== undefined && (
        <p role="alert" data-print="hide" className="w-full text-xs text-danger">
          {limit}
        </p>
      )}
    </div>
  );
}

interface KeptNoticeProps {
  kept: WaitingSelection;
  onRetry: () => void;
  onDiscard: () => void;
  onShow: (filters: StatementFilters) => void;
}

/** Announces a selection that was left on this screen: it is being checked, could not be, or was made under another filter. */
export function KeptNotice({ kept, onRetry, onDiscard, onShow }: KeptNoticeProps) {
  const what = `${challansText(kept.count)}, ${formatINR(kept.amount)}`;
  if (kept.state === 'checking') {
    return (
      <p role="status" className="text-xs text-muted">
        Checking your earlier selection of {what}…
      </p>
    );
  }
  const isFailed = kept.state === 'failed';
  return (
    <Alert
      tone={isFailed ? 'danger' : 'info'}
      title={isFailed ? `Your earlier selection (${what}) could not be checked` : `You left a selection of ${what}`}
      actions={
        <>
          <Button size="sm" onClick={isFailed ? onRetry : () => onShow(kept.filters)}>
            {isFailed ? 'Retry' : 'Show It'}
          </Button>
          <Button size="sm" variant="ghost" onClick={onDiscard}>
            Discard It
          </Button>
        </>
      }
    >
      {!isFailed && Object.keys(kept.filters).length === 0 && 'It was made without a filter.'}
      {!isFailed && Object.keys(kept.filters).length > 0 && (
        <>
          It was made under another filter:{' '}
          <FilterWords table={statementFilters} filters={textsOfFilter(statementFilters, kept.filters)} />.
        </>
      )}
    </Alert>
  );
}
