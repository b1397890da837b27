import { canMarkAllMatching, nothingMatches, reasonOf } from '../../../shared/access.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { exclusionCount, pageCount, selectPage } from '../../../shared/calc/selection.ts';
import type { StatementFilters } from '../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../resources/bank-statement.ts';
import { groupAction } from '../challans/index.ts';
import { challans } from '../../resources/challans.ts';
import { selectRowsAction, useActionTable } from '../../kit/actions/registry.ts';
import { call } from '../../kit/api/client.ts';
import { fileMessages } from '../../kit/feedback/file-download.tsx';
import { useTableFiles } from '../../kit/feedback/table-files.tsx';
import { payableOwner } from './bank-statement/payment-plan.ts';
import { noFigures, type useStatement } from './bank-statement/use-statement.ts';

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

type Commands = Pick<
  BankStatementCommands,
  'selectAll' | 'markSelected' | 'markAll' | 'expandAll' | 'collapseAll' | 'refresh' | 'findOwner' | 'hold' | 'group'
>;

interface StatementActionParts extends Commands {
  statement: ReturnType<typeof useStatement>;
  choose: ReturnType<typeof useStatement>['setSelection'];
  clear: () => boolean;
  /** What Ctrl+A does: select the page, and the second time everything that matches. */
  byKey: (() => void) | undefined;
  /** Why nothing can be paid without a dialog at the moment: also that the statement is being loaded. */
  waiting: string | undefined;
  /** Why nothing can be selected or paid until the user has corrected something. */
  refusal: string | undefined;
  /** The statement is being loaded, so the commands wait for it. */
  isAwaited: boolean;
  limitText: string | undefined;
}

/** The screen's commands, each with the reason why it is disabled. */
export function useStatementActions(parts: StatementActionParts) {
  const { statement, choose, clear, byKey, waiting, refusal, isAwaited, limitText, ...commands } = parts;
  const { matching, selection, summary } = statement;
  const owners = statement.owners.map(payableOwner);
  const due = summary?.payment ?? noFigures;
  const noMatch = !isAwaited && matching.count === 0 ? nothingMatches : undefined;
  return useBankStatementActions({
    ...commands,
    pageCount: pageCount(owners),
    matchingCount: matching.count,
    matchingText: `${formatCount(due.count)} · ${formatINR(due.amount)}`,
    selectReason: refusal ?? noMatch,
    selectPage: () => choose((before) => selectPage(before, owners)),
    selectByKey: () => byKey?.(),
    clear: () => void clear(),
    clearReason: selection.mode === 'none' ? 'Nothing is selected' : undefined,
    markReason: refusal ?? noMatch ?? limitText,
    markAllReason:
      waiting ??
      reasonOf(
        canMarkAllMatching(due.count, exclusionCount(selection), {
          challans: summary?.negativeChallanCount ?? 0,
          owners: summary?.negativeOwnerCount ?? 0,
        }),
      ),
  });
}

/** Messages of the files (docs/specification.md §13.4). */
const messages = { ...fileMessages, csv: { ...fileMessages.csv, notSaved: 'Failed to download CSV file' } };

/** The files of the statement of all matching owners, not only of the page (docs/specification.md §10.7). */
export function useStatementFiles(filters: StatementFilters, count: number, disabledReason: string | undefined) {
  return useTableFiles({
    scope,
    id: 'statement',
    get: (format, options) =>
      format === 'xlsx'
        ? call(calls.exportXlsx, { query: { ...filters, format } }, options)
        : call(calls.exportCsv, { query: { ...filters, format } }, options),
    total: count,
    fallbackName: 'bank_statement',
    messages,
    calls: { xlsx: calls.exportXlsx, csv: calls.exportCsv },
    disabledReason,
    refusal: count === 0 ? nothingToWrite : undefined,
  });
}

/** Shown when the statement has no challans (docs/specification.md §15.5). */
export const nothingToWrite = 'No data available for CSV generation';
