import { useActions, type Action } from './registry.ts';

/** The commands of the bank statement as data (design, keyboard.md). */
const scope = 'Bank statement';
const nothing = (): void => undefined;
const byGrid = { scope, inPalette: false, handledElsewhere: true, run: nothing } as const;

export interface BankStatementCommands {
  pageCount: number;
  matchingCount: number;
  /** '1,284 · ₹12,34,567.00' of everything that matches. */
  matchingText: string;
  selectPage: () => void;
  selectAll: () => void;
  clear: () => void;
  clearReason: string | undefined;
  markSelected: () => void;
  markAll: () => void;
  markAllReason: string | undefined;
  expandAll: () => void;
  collapseAll: () => void;
  refresh: () => void;
  downloadCsv: () => void;
  findOwner: () => void;
}

export function useBankStatementActions(commands: BankStatementCommands) {
  const count = (n: number): string => n.toLocaleString('en-IN');
  const nothingUnpaid = commands.matchingCount === 0 ? 'There are no unpaid challans' : undefined;
  const actions = {
    selectPage: {
      id: 'statement.page',
      label: `Select Page (${count(commands.pageCount)})`,
      keys: 'Ctrl+A',
      scope,
      handledElsewhere: true,
      disabledReason: nothingUnpaid,
      run: commands.selectPage,
    },
    selectAll: {
      id: 'statement.all',
      label: `Select All Matching (${count(commands.matchingCount)})`,
      scope,
      disabledReason: nothingUnpaid,
      run: commands.selectAll,
    },
    clear: {
      id: 'statement.clear',
      label: 'Clear Selection',
      keys: 'Esc',
      scope,
      handledElsewhere: true,
      disabledReason: commands.clearReason,
      run: commands.clear,
    },
    // Not disabled while nothing is selected: pressing it says what to do first (part 2 §8, client guards).
    markSelected: {
      id: 'statement.mark',
      label: 'Mark Selected as Paid',
      keys: 'M',
      scope,
      words: 'pay payment',
      run: commands.markSelected,
    },
    markAll: {
      id: 'statement.mark-all',
      label: `Mark All Matching as Paid (${commands.matchingText})`,
      scope,
      words: 'pay payment',
      disabledReason: commands.markAllReason,
      run: commands.markAll,
    },
    expandAll: {
      id: 'statement.expand',
      label: 'Expand All',
      keys: '*',
      scope,
      handledElsewhere: true,
      run: commands.expandAll,
    },
    collapseAll: { id: 'statement.collapse', label: 'Collapse All', scope, run: commands.collapseAll },
    refresh: { id: 'statement.refresh', label: 'Refresh', keys: 'R', scope, words: 'reload', run: commands.refresh },
    csv: {
      id: 'statement.csv',
      label: 'Download CSV',
      keys: 'Ctrl+E',
      scope,
      words: 'export file excel',
      run: commands.downloadCsv,
    },
    findOwner: {
      id: 'statement.owner',
      label: 'Filter by owner',
      keys: '/',
      scope,
      words: 'search find',
      run: commands.findOwner,
    },
    toggle: { id: 'statement.toggle', label: 'Select the challan, or all of an owner', keys: 'Space', ...byGrid },
    range: { id: 'statement.range', label: 'Select several rows', keys: ['Shift+↓', 'Shift+↑'], ...byGrid },
    open: { id: 'statement.open', label: 'Expand and collapse an owner', keys: ['→', '←'], ...byGrid },
    twice: { id: 'statement.twice', label: 'Press Ctrl+A again: select all matching', keys: 'Ctrl+A', ...byGrid },
    pages: { id: 'statement.pages', label: 'Previous and next page', keys: ['Alt+PgUp', 'Alt+PgDn'], ...byGrid },
  } satisfies Record<string, Action>;
  useActions(Object.values(actions));
  return actions;
}

/** The confirming key of each step of the payment dialog. */
export function useMarkPaidActions(command: { label: string; run: () => void; reason: string | undefined }): void {
  useActions([
    {
      id: 'mark-paid.confirm',
      label: command.label,
      keys: 'Ctrl+Enter',
      scope: 'Mark as paid',
      disabledReason: command.reason,
      run: command.run,
    },
  ]);
}
