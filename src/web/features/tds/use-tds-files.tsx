import { useCallback, type ReactNode } from 'react';
import { Download, FileSpreadsheet } from 'lucide-react';
import type { FileFormat } from '../../../shared/calc/file-names.ts';
import type { QueryInput } from '../../../shared/contract/define.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import type { Action } from '../../kit/actions/registry.ts';
import { call } from '../../kit/api/client.ts';
import { tds } from '../../resources/tds.ts';
import { DownloadStatus, fileMessages, useFileDownload } from '../../kit/feedback/file-download.tsx';

const registerFiles = { csv: tds.calls.exportCsv, xlsx: tds.calls.exportXlsx };
type FileCall =
  | typeof tds.calls.exportCsv
  | typeof tds.calls.exportReturnCsv
  | typeof tds.calls.exportXlsx
  | typeof tds.calls.exportReturnXlsx;

/**
 * Downloads the deductions of a filter as a file, one line for each: those of the register, which both of its screens offer, or
 * the working for the return.
 */
export function useTdsFiles(
  scope: string,
  query: QueryInput<typeof tds.calls.exportCsv>,
  count: number,
  calls: Readonly<Record<FileFormat, FileCall>> = registerFiles,
): { actions: Action[]; buttons: ReactNode; status: ReactNode } {
  const { progress, start, cancel } = useFileDownload();
  const download = useCallback(
    (format: FileFormat) =>
      start({
        get: (options) => call(calls[format], { query }, options),
        total: count,
        countsLines: format === 'csv',
        fallbackName: `tds.${format}`,
        ...fileMessages[format],
      }),
    [start, query, count, calls],
  );
  const id = scope.toLowerCase().replaceAll(' ', '-');
  const csv: Action = {
    id: `${id}.csv`,
    label: 'Download CSV',
    keys: 'Ctrl+E',
    scope,
    words: 'export file',
    run: () => download('csv'),
  };
  const excel: Action = {
    id: `${id}.excel`,
    label: 'Download Excel',
    keys: 'Ctrl+Shift+E',
    scope,
    words: 'export file xlsx',
    run: () => download('xlsx'),
  };
  return {
    actions: [csv, excel],
    buttons: (
      <>
        <ActionButton action={csv} icon={Download} />
        <ActionButton action={excel} icon={FileSpreadsheet} />
      </>
    ),
    status: <DownloadStatus label="TDS file" progress={progress} onCancel={cancel} />,
  };
}
