import { useCallback, useState } from 'react';
import type { StatementFilters } from '../../../shared/contract/bank-statement.ts';
import { contract } from '../../../shared/contract/index.ts';
import { call, saveFile } from '../../api/client.ts';
import { notify } from '../../shell/toast.ts';

/** The statement of all matching owners as a file (part 2 §2.5), whatever page is shown. */
export function useStatementCsv(filters: StatementFilters, totalChallans: number) {
  const [isBusy, setBusy] = useState(false);
  const download = useCallback(async () => {
    if (totalChallans === 0) return notify.error('No data available for CSV generation');
    setBusy(true);
    try {
      const file = await call(contract.bankStatement.exportCsv, { query: { ...filters, format: 'csv' } });
      saveFile(file, 'bank_statement.csv');
      notify.success('CSV file downloaded successfully');
    } catch (error) {
      notify.error(error, 'Failed to download CSV');
    } finally {
      setBusy(false);
    }
    return undefined;
  }, [filters, totalChallans]);
  return { download: () => void download(), isBusy };
}
