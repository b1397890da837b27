import type { StatementFilters } from '../../../shared/contract/bank-statement.ts';
import { contract } from '../../../shared/contract/index.ts';
import { call } from '../../api/client.ts';
import { notify } from '../../shell/toast.ts';
import { useFileDownload } from '../../shell/use-file-download.ts';

/** Part 2 §8, client guards. */
export const nothingToWrite = 'No data available for CSV generation';

/** The statement of all matching owners as a file (part 2 §2.5), whatever page is shown; the server names it (ruling 39). */
export function useStatementCsv(filters: StatementFilters, totalChallans: number) {
  const { progress, start, cancel } = useFileDownload();
  const download = (): void => {
    if (totalChallans === 0) {
      notify.error(nothingToWrite);
      return;
    }
    start({
      get: (options) => call(contract.bankStatement.exportCsv, { query: { ...filters, format: 'csv' } }, options),
      total: totalChallans,
      fallbackName: 'bank_statement.csv',
      done: 'CSV file downloaded successfully',
      failed: 'Failed to download CSV',
      notSaved: 'Failed to download CSV file',
      cancelled: 'CSV download cancelled',
    });
  };
  return { download, progress, cancel };
}
