import { clsx } from 'clsx';
import { formatINR } from '../../../shared/calc/money.ts';
import { exclusionCount, selectedAmount, selectedCount, type Selection } from '../../../shared/calc/selection.ts';
import { buttonOf, type Action } from '../../actions/registry.ts';
import { Button } from '../../ui/button.tsx';

interface SelectionBarProps {
  actions: Record<'selectPage' | 'selectAll' | 'clear' | 'markSelected' | 'markAll', Action>;
  /** Which of the two payments is under way. */
  paying: 'selected' | 'matching' | undefined;
  /** Why the selection is too large to be sent. */
  limit: string | undefined;
}

/** The scope of the selection in words: "on this page" is never mistaken for "all that match" (expectation 28). */
function scopeText(selection: Selection<unknown>): string {
  const count = selectedCount(selection).toLocaleString('en-IN');
  const amount = formatINR(selectedAmount(selection));
  if (selection.mode !== 'allMatching') return `${count} selected, ${amount}`;
  const excluded = exclusionCount(selection);
  const total = selection.matching.count.toLocaleString('en-IN');
  if (excluded === 0) return `${count} selected, ${amount} (all ${total} matching)`;
  return `${count} selected, ${amount} (all ${total} matching, ${excluded.toLocaleString('en-IN')} excluded)`;
}

/** What is selected, read out as it changes; it stands under the grid, where the eye is while selecting. */
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

export function SelectionBar({ actions, paying, limit }: SelectionBarProps) {
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-2">
      {(['selectPage', 'selectAll', 'clear'] as const).map((name) => (
        <Button key={name} size="sm" {...buttonOf(actions[name])}>
          {actions[name].label}
        </Button>
      ))}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <Button size="sm" variant="primary" {...buttonOf(actions.markSelected)} busy={paying === 'selected'}>
          {actions.markSelected.label}
        </Button>
        <Button size="sm" {...buttonOf(actions.markAll)} busy={paying === 'matching'}>
          {actions.markAll.label}
        </Button>
      </span>
      {limit !== undefined && (
        <p role="alert" className="w-full text-xs text-danger">
          {limit}
        </p>
      )}
    </div>
  );
}
