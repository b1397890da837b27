import { canMarkAllMatching, nothingMatches, reasonOf } from '../../../shared/access.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { exclusionCount, pageCount, selectPage } from '../../../shared/calc/selection.ts';
import type { StatementFilters } from '../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../resources/bank-statement.ts';
import { groupCommand } from '../challans/index.ts';
import { challans } from '../../resources/challans.ts';
import { commandTable, selectRowsCommand, useCommands } from '../../kit/actions/registry.ts';
import { call } from '../../kit/api/client.ts';
import { fileMessages } from '../../kit/feedback/file-download.tsx';
import { useTableFiles } from '../../kit/feedback/table-files.tsx';
import { payableOwner } from './bank-statement/payment-plan.ts';
import { noFigures, type useStatement } from './bank-statement/use-statement.ts';

/** The commands of the bank statement as data (docs/keyboard.md §8). */
const scope = 'Bank statement';
const { calls } = bankStatement;

export const bankStatementCommands = commandTable(scope, {
  selectPage: { id: 'statement.page', label: 'Select Page', needsRows: true },
  selectAll: { id: 'statement.all', label: 'Select All Matching', needsRows: true },
  clear: { id: 'statement.clear', label: 'Clear Selection', keys: 'Esc', notWhileTyping: true },
  // It stays enabled while nothing is selected: pressing it says what to do first (docs/specification.md §15.5).
  markSelected: {
    id: 'statement.mark',
    label: 'Mark Selected as Paid',
    keys: 'M',
    needsRows: true,
    words: 'pay payment',
    calls: calls.markPaid,
  },
  // It does not wait for rows: it pays what its label says at the click, not what the label says later.
  markAll: {
    id: 'statement.mark-all',
    label: 'Mark All Matching as Paid',
    words: 'pay payment',
    calls: calls.markMatchingPaid,
  },
  expandAll: { id: 'statement.expand', label: 'Expand All', keys: '*', needsRows: true },
  collapseAll: { id: 'statement.collapse', label: 'Collapse All', needsRows: true },
  refresh: { id: 'statement.refresh', label: 'Refresh', keys: 'R', words: 'reload' },
  hold: {
    id: 'statement.hold',
    label: 'Put on hold or release',
    keys: 'H',
    needsRows: true,
    words: 'wait reason',
    calls: challans.calls.setHold,
  },
  findOwner: { id: 'statement.owner', label: 'Filter by owner', keys: '/', words: 'search find' },
  // After a payment B makes its bank file.
  group: groupCommand('statement', 'Shift+B'),
  selectByKey: selectRowsCommand('statement'),
});

type Own =
  'selectAll' | 'markSelected' | 'markAll' | 'expandAll' | 'collapseAll' | 'refresh' | 'findOwner' | 'hold' | 'group';

interface StatementActionParts extends Readonly<Record<Own, () => void>> {
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
  const { statement, choose, clear, byKey, waiting, refusal, isAwaited, limitText, ...own } = parts;
  const { matching, selection, summary } = statement;
  const owners = statement.owners.map(payableOwner);
  const due = summary?.payment ?? noFigures;
  const dueText = `${formatCount(due.count)} · ${formatINR(due.amount)}`;
  const noMatch = !isAwaited && matching.count === 0 ? nothingMatches : undefined;
  const selectReason = refusal ?? noMatch;
  const negative = { challans: summary?.negativeChallanCount ?? 0, owners: summary?.negativeOwnerCount ?? 0 };
  const isNothingSelected = selection.mode === 'none';
  const actions = useCommands(bankStatementCommands, {
    ...own,
    selectPage: {
      label: `Select Page (${formatCount(pageCount(owners))})`,
      disabledReason: selectReason,
      run: () => choose((before) => selectPage(before, owners)),
    },
    selectAll: {
      label: `Select All Matching (${formatCount(matching.count)})`,
      disabledReason: selectReason,
      run: own.selectAll,
    },
    selectByKey: { disabledReason: selectReason, run: () => byKey?.() },
    clear: {
      // Without a selection Escape is left alone: there is nothing to clear.
      ...(isNothingSelected && { keys: undefined, disabledReason: 'Nothing is selected' }),
      run: () => void clear(),
    },
    markSelected: { disabledReason: selectReason ?? limitText, run: own.markSelected },
    markAll: {
      label: `Mark All Matching as Paid (${dueText})`,
      disabledReason: waiting ?? reasonOf(canMarkAllMatching(due.count, exclusionCount(selection), negative)),
      run: own.markAll,
    },
  });
  // Ctrl+A selects the page only on the first press, but the Select Page button shows the key anyway.
  return { ...actions, selectPage: { ...actions.selectPage, keys: actions.selectByKey.keys } };
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
