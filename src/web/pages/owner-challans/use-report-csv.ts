import { contract } from '../../../shared/contract/index.ts';
import { call } from '../../api/client.ts';
import { useFileDownload } from '../../feedback/use-file-download.ts';
import type { OwnerReportInput } from '../../../shared/contract/accounting.ts';

/** Download CSV (docs/specification.md §9.3): every matching challan; the server names the file. */
export function useReportCsv() {
  const { progress, start, cancel } = useFileDownload();
  const download = (report: OwnerReportInput, total: number): void =>
    start({
      get: (options) => call(contract.accounting.exportCsv, { body: report }, options),
      total,
      fallbackName: 'owner_challans_report.csv',
      done: 'CSV download initiated successfully',
      failed: 'Failed to download CSV',
      notSaved: 'Failed to download CSV file',
      cancelled: 'CSV download cancelled',
    });
  return { download, progress, cancel };
}
