import { useCallback } from 'react';
import { contract } from '../../../shared/contract/index.ts';
import { call } from '../../api/client.ts';
import { useFileDownload } from '../../feedback/use-file-download.ts';
import { toExportFilters, type ListFilters } from './list-state.ts';

/** Export CSV (docs/specification.md §8.1): every matching row, not the page. */
export function useExport() {
  const { progress, start: startFile, cancel } = useFileDownload();
  const start = useCallback(
    (filters: ListFilters, total: number) =>
      startFile({
        get: (options) => call(contract.challans.exportCsv, { body: { filters: toExportFilters(filters) } }, options),
        total,
        fallbackName: 'challans.csv',
        done: 'CSV export completed successfully!',
        failed: 'Failed to export CSV. Please try again.',
        cancelled: 'CSV export cancelled',
      }),
    [startFile],
  );
  return { progress, start, cancel };
}
