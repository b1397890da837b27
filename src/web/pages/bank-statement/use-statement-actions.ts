import { canMarkAllMatching, nothingMatches, reasonOf } from '../../../shared/access.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { exclusionCount, pageCount, selectPage } from '../../../shared/calc/selection.ts';
import { useBankStatementActions, type BankStatementCommands } from '../../actions/bank-statement.ts';
import type { useStatement } from './use-statement.ts';
import { nothingToWrite } from './use-statement-file.ts';

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
>;

interface StatementActionParts extends Commands {
  statement: ReturnType<typeof useStatement>;
  choose: ReturnType<typeof useStatement>['setSelection'];
  clear: () => boolean;
  /** Ctrl+A: the page first, then everything that matches. */
  byKey: (() => void) | undefined;
  /** Why nothing may be chosen or paid just now. */
  waiting: string | undefined;
  limitText: string | undefined;
  /** Why no file can be made just now. */
  fileReason: string | undefined;
}

/** The screen's commands with the reasons that stand against them. */
export function useStatementActions(parts: StatementActionParts) {
  const { statement, choose, clear, byKey, waiting, limitText, fileReason, ...commands } = parts;
  const { owners, matching, selection } = statement;
  const count = matching.count.toLocaleString('en-IN');
  const nothing = matching.count === 0 ? nothingMatches : undefined;
  return useBankStatementActions({
    ...commands,
    pageCount: pageCount(owners),
    matchingCount: matching.count,
    matchingText: `${count} · ${formatINR(matching.amount)}`,
    selectReason: waiting ?? nothing,
    selectPage: () => choose((before) => selectPage(before, owners)),
    selectByKey: () => byKey?.(),
    clear: () => void clear(),
    clearReason: selection.mode === 'none' ? 'Nothing is selected' : undefined,
    markReason: waiting ?? limitText,
    markAllReason: waiting ?? reasonOf(canMarkAllMatching(matching.count, exclusionCount(selection))),
    fileReason: fileReason ?? (nothing && nothingToWrite),
  });
}
