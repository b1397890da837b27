import { formatCount } from '../../../shared/calc/count-text.ts';
import { bankStatement } from '../../resources/bank-statement.ts';
import { groupAction } from '../challans/index.ts';
import { challans } from '../../resources/challans.ts';
import { selectRowsAction, useActionTable } from '../../kit/actions/registry.ts';

/** The commands of the bank statement as data (docs/keyboard.md §8). */
const scope = 'Bank statement';
const { calls } = bankStatement;

export interface BankStatementCommands {
  pageCount: number;
  matchingCount: number;
  /** Count and amount of everything that matches: '1,284 · ₹12,34,567.00'. */
  matchingText: string;
  selectPage: () => void;
  selectAll: () => void;
  /** Ctrl+A: the first press selects the page, the second selects everything that matches. */
  selectByKey: () => void;
  selectReason: string | undefined;
  clear: () => void;
  clearReason: string | undefined;
  markSelected: () => void;
  markReason: string | undefined;
  markAll: () => void;
  markAllReason: string | undefined;
  expandAll: () => void;
  collapseAll: () => void;
  refresh: () => void;
  findOwner: () => void;
  group: () => void;
  /** Puts the owner or challan of the focused row on hold, or releases it. */
  hold: () => void;
}

export function useBankStatementActions(commands: BankStatementCommands) {
  const hasSelection = commands.clearReason === undefined;
  const actions = useActionTable(scope, {
    selectPage: {
      id: 'statement.page',
      label: `Select Page (${formatCount(commands.pageCount)})`,
      needsRows: true,
      disabledReason: commands.selectReason,
      run: commands.selectPage,
    },
    selectAll: {
      id: 'statement.all',
      label: `Select All Matching (${formatCount(commands.matchingCount)})`,
      needsRows: true,
      disabledReason: commands.selectReason,
      run: commands.selectAll,
    },
    clear: {
      id: 'statement.clear',
      label: 'Clear Selection',
      // Without a selection Escape is left alone: there is nothing to clear.
      keys: hasSelection ? 'Esc' : undefined,
      notWhileTyping: true,
      disabledReason: commands.clearReason,
      run: commands.clear,
    },
    // It stays enabled while nothing is selected: pressing it says what to do first (docs/specification.md §15.5).
    markSelected: {
      id: 'statement.mark',
      label: 'Mark Selected as Paid',
      keys: 'M',
      needsRows: true,
      words: 'pay payment',
      calls: calls.markPaid,
      disabledReason: commands.markReason,
      run: commands.markSelected,
    },
    // It does not wait for rows: it pays what its label says at the click, not what the label says later.
    markAll: {
      id: 'statement.mark-all',
      label: `Mark All Matching as Paid (${commands.matchingText})`,
      words: 'pay payment',
      calls: calls.markMatchingPaid,
      disabledReason: commands.markAllReason,
      run: commands.markAll,
    },
    expandAll: {
      id: 'statement.expand',
      label: 'Expand All',
      keys: '*',
      needsRows: true,
      run: commands.expandAll,
    },
    collapseAll: { id: 'statement.collapse', label: 'Collapse All', needsRows: true, run: commands.collapseAll },
    refresh: { id: 'statement.refresh', label: 'Refresh', keys: 'R', words: 'reload', run: commands.refresh },
    hold: {
      id: 'statement.hold',
      label: 'Put on hold or release',
      keys: 'H',
      needsRows: true,
      words: 'wait reason',
      calls: challans.calls.setHold,
      run: commands.hold,
    },
    findOwner: {
      id: 'statement.owner',
      label: 'Filter by owner',
      keys: '/',
      words: 'search find',
      run: commands.findOwner,
    },
    // After a payment B makes its bank file.
    group: groupAction('statement', 'Shift+B', commands.group),
    selectByKey: {
      ...selectRowsAction('statement', scope, commands.selectByKey),
      disabledReason: commands.selectReason,
    },
  });
  // Ctrl+A selects the page only on the first press, but the Select Page button shows the key anyway.
  return { ...actions, selectPage: { ...actions.selectPage, keys: actions.selectByKey.keys } };
}
