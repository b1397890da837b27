import { useState } from 'react';
import { canMarkAllMatching, nothingMatches, reasonOf } from '../../../../shared/access.ts';
import { formatCount } from '../../../../shared/calc/count-text.ts';
import type { FileFormat } from '../../../../shared/calc/file-names.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import { exclusionCount, pageCount, selectPage } from '../../../../shared/calc/selection.ts';
import type { StatementFilters } from '../../../../shared/contract/bank-statement.ts';
import { bankStatement } from '../../../resources/bank-statement.ts';
import { useBankStatementActions, type BankStatementCommands } from '../bank-statement-actions.ts';
import { call } from '../../../kit/api/client.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { fileMessages, useFileDownload } from '../../../kit/feedback/file-download.tsx';
import { payableOwner } from './payment-plan.ts';
import { noFigures, type useStatement } from './use-statement.ts';

type Commands = Pick<
  BankStatementCommands,
  | 'selectAll'
  | 'markSelected'
  | 'markAll'
  | 'expandAll'
  | 'collapseAll'
  | 'refresh'
  | 'downloadExcel'
  | 'downloadCsv'
  | 'findOwner'
  | 'hold'
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
  /** Why no file can be downloaded at the moment. */
  fileReason: string | undefined;
}

/** The screen's commands, each with the reason why it is disabled. */
export function useStatementActions(parts: StatementActionParts) {
  const { statement, choose, clear, byKey, waiting, refusal, isAwaited, limitText, fileReason, ...commands } = parts;
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
    fileReason: fileReason ?? (noMatch && nothingToWrite),
  });
}

/** Shown when the statement has no challans (docs/specification.md §15.5). */
const nothingToWrite = 'No data available for CSV generation';

/**
 * Downloads the statement of all matching owners, not only of the page (docs/specification.md §10.7). The server names the
 * file.
 */
export function useStatementFile(filters: StatementFilters, totalChallans: number) {
  const { progress, start, cancel } = useFileDownload();
  const [format, setFormat] = useState<FileFormat>('csv');
  const download = (wanted: FileFormat): void => {
    if (totalChallans === 0) {
      notify.error(nothingToWrite);
      return;
    }
    setFormat(wanted);
    start({
      get: (options) =>
        wanted === 'xlsx'
          ? call(bankStatement.calls.exportXlsx, { query: { ...filters, format: wanted } }, options)
          : call(bankStatement.calls.exportCsv, { query: { ...filters, format: wanted } }, options),
      total: totalChallans,
      countsLines: wanted === 'csv',
      fallbackName: `bank_statement.${wanted}`,
      ...fileMessages[wanted],
      ...(wanted === 'csv' && { notSaved: 'Failed to download CSV file' }),
    });
  };
  return { download, progress: progress && { ...progress, format }, cancel };
}
