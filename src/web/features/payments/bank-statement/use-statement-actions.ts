import { canMarkAllMatching, nothingMatches, reasonOf } from '../../../../shared/access.ts';
import { formatCount } from '../../../../shared/calc/count-text.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import { exclusionCount, pageCount, selectPage } from '../../../../shared/calc/selection.ts';
import type { StatementFilters } from '../../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../../resources/bank-statement.ts';
import { useBankStatementActions, type BankStatementCommands } from '../bank-statement-actions.ts';
import { call } from '../../../kit/api/client.ts';
import { fileMessages } from '../../../kit/feedback/file-download.tsx';
import { useTableFiles } from '../../../kit/feedback/table-files.tsx';
import { payableOwner } from './payment-plan.ts';
import { noFigures, type useStatement } from './use-statement.ts';

const { calls } = bankStatement;

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
    scope: 'Bank statement',
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
