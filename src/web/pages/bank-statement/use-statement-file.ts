import { useState } from 'react';
import type { FileFormat } from '../../../shared/calc/file-names.ts';
import type { StatementFilters } from '../../../shared/contract/bank-statement.ts';
import { contract } from '../../../shared/contract/index.ts';
import { call } from '../../api/client.ts';
import { notify } from '../../feedback/toast.ts';
import { useFileDownload } from '../../feedback/use-file-download.ts';

/** Said when the statement has no challans (docs/specification.md §15.5). */
export const nothingToWrite = 'No data available for CSV generation';

const sentences = {
  csv: {
    done: 'CSV file downloaded successfully',
    failed: 'Failed to download CSV',
    notSaved: 'Failed to download CSV file',
    cancelled: 'CSV download cancelled',
  },
  xlsx: {
    done: 'Excel file downloaded successfully',
    failed: 'Failed to download Excel file',
    cancelled: 'Excel download cancelled',
  },
};

/**
 * The statement of all matching owners as a file (docs/specification.md §10.7), whatever page is shown; the server
 * names it.
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
          ? call(contract.bankStatement.exportXlsx, { query: { ...filters, format: wanted } }, options)
          : call(contract.bankStatement.exportCsv, { query: { ...filters, format: wanted } }, options),
      total: totalChallans,
      countsLines: wanted === 'csv',
      fallbackName: `bank_statement.${wanted}`,
      ...sentences[wanted],
    });
  };
  return { download, progress: progress && { ...progress, format }, cancel };
}
