import { formatINR } from '../../../shared/calc/money.ts';
import { exclusionCount, selectedAmount, selectedCount, type Selection } from '../../../shared/calc/selection.ts';
import { buttonOf, type Action } from '../../actions/registry.ts';
import { Button } from '../../ui/button.tsx';

interface SelectionBarProps {
  selection: Selection<unknown>;
  actions: Record<'selectPage' | 'selectAll' | 'clear' | 'markSelected' | 'markAll', Action>;
  isPaying: boolean;
}

/** The scope of the selection in words: "on this page" is never mistaken for "all that match". */
function scopeText(selection: Selection<unknown>): string {
  const count = selectedCount(selection).toLocaleString('en-IN');
  const amount = formatINR(selectedAmount(selection));
  if (selection.mode !== 'allMatching') return `${count} selected, ${amount}`;
  const excluded = exclusionCount(selection);
  const total = selection.matching.count.toLocaleString('en-IN');
  if (excluded === 0) return `All ${total} matching selected, ${amount}`;
  return `${count} selected (all ${total} matching, ${excluded.toLocaleString('en-IN')} excluded), ${amount}`;
}

export function SelectionBar({ selection, actions, isPaying }: SelectionBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {(['selectPage', 'selectAll', 'clear'] as const).map((name) => (
        <Button key={name} size="sm" {...buttonOf(actions[name])}>
          {actions[name].label}
        </Button>
      ))}
      <p role="status" className="nums min-w-0 flex-1 truncate px-1 font-medium">
        {scopeText(selection)}
      </p>
      <Button size="sm" variant="primary" {...buttonOf(actions.markSelected)} busy={isPaying}>
        {actions.markSelected.label}
      </Button>
      <Button size="sm" {...buttonOf(actions.markAll)} busy={isPaying}>
        {actions.markAll.label}
      </Button>
    </div>
  );
}
