import { useCallback, type ReactNode } from 'react';
import type { TallyExport } from '../../../shared/contract/tally.ts';
import { useActions, type Action } from '../../kit/actions/registry.ts';
import { call } from '../../kit/api/client.ts';
import { DownloadStatus, useFileDownload } from '../../kit/feedback/file-download.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { tally } from '../../resources/tally.ts';

/** Downloads a file for Tally: of vouchers, or without one of the ledgers that Tally does not have yet. */
export function useTallyFile(): { download: (file?: TallyExport) => void; status: ReactNode } {
  const { progress, start, cancel } = useFileDownload();
  const download = useCallback(
    (file?: TallyExport) =>
      start({
        get: (options) =>
          file
            ? call(tally.calls.download, { params: { id: file.id } }, options)
            : call(tally.calls.masters, {}, options),
        total: undefined,
        countsLines: false,
        fallbackName: file ? `tally_${file.number}.xml` : 'tally_masters.xml',
        done: file ? `${file.number} downloaded successfully` : 'Masters file downloaded successfully',
        failed: 'Failed to download the Tally file',
        cancelled: 'Download cancelled',
      }),
    [start],
  );
  return { download, status: <DownloadStatus label="Tally file" progress={progress} onCancel={cancel} /> };
}

/** The key and the button that read the masters of Tally, in the form of the ledgers. */
export function useReadMastersAction(choose: () => void): Action {
  const action: Action = {
    id: 'tally.read-masters',
    label: 'Read Masters of Tally',
    keys: 'Alt+R',
    scope: 'Dialog',
    calls: tally.calls.updateSettings,
    run: choose,
  };
  useActions([action]);
  return action;
}

export const notCertified = (
  <Alert tone="warn" title="Not certified by Tally" className="mb-3">
    The file follows Tally&rsquo;s public documentation; nobody has certified it. Import it into a copy of the company
    first.
  </Alert>
);
