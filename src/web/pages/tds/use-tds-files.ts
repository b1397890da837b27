import { useCallback } from 'react';
import type { FileFormat } from '../../../shared/calc/file-names.ts';
import type { QueryInput } from '../../../shared/contract/define.ts';
import type { Action } from '../../actions/registry.ts';
import { call } from '../../api/client.ts';
import { tds } from '../../api/tds.ts';
import { useFileDownload, type DownloadProgress } from '../../feedback/use-file-download.ts';

const calls = { csv: tds.calls.exportCsv, xlsx: tds.calls.exportXlsx };
const words = { csv: ['CSV', 'CSV file'], xlsx: ['Excel file', 'Excel file'] } as const;

/** The deductions of a filter as a file, one line for each: the same file from both screens. */
export function useTdsFiles(
  scope: string,
  query: QueryInput<typeof tds.calls.exportCsv>,
  count: number,
): { actions: { csv: Action; excel: Action }; progress: DownloadProgress | undefined; cancel: () => void } {
  const { progress, start, cancel } = useFileDownload();
  const download = useCallback(
    (format: FileFormat) => {
      const [short, long] = words[format];
      start({
        get: (options) => call(calls[format], { query }, options),
        total: count,
        countsLines: format === 'csv',
        fallbackName: `tds.${format}`,
        done: `${long} downloaded successfully`,
        failed: `Failed to download ${short}`,
        cancelled: `${short} download cancelled`,
      });
    },
    [start, query, count],
  );
  const id = scope.toLowerCase().replaceAll(' ', '-');
  return {
    progress,
    cancel,
    actions: {
      csv: {
        id: `${id}.csv`,
        label: 'Download CSV',
        keys: 'Ctrl+E',
        scope,
        words: 'export file',
        run: () => download('csv'),
      },
      excel: {
        id: `${id}.excel`,
        label: 'Download Excel',
        keys: 'Ctrl+Shift+E',
        scope,
        words: 'export file xlsx',
        run: () => download('xlsx'),
      },
    },
  };
}
