import { useCallback, useRef, useState } from 'react';
import type { OwnerReportInput } from '../../../shared/contract/accounting.ts';
import { accounting } from '../../api/accounting.ts';
import { isApiError, networkError } from '../../api/api-error.ts';
import { notify } from '../../feedback/toast.ts';
import { isWhatsappUrl, openTab, showWhatsapp } from '../../feedback/whatsapp-tab.ts';

/** The default when the server says nothing (docs/specification.md §15.4). */
const reportFailed = 'Failed to generate CSV report';
const reportFailedAgain = 'Failed to generate CSV report. Please try again.';

/**
 * docs/specification.md §15.4 in its order: the two codes, then the server's own sentence, then the default. A server
 * that said nothing has failed; where none answered, trying again may help.
 */
function shareFailure(error: unknown): string {
  if (!isApiError(error)) return reportFailedAgain;
  if (error.code === 'NO_DATA_FOUND') return 'No challans found for the specified criteria';
  if (error.code === 'INVALID_REQUEST') return error.text ?? 'Invalid request data';
  if (error.status === 0 || error.text === networkError) return reportFailedAgain;
  return error.text ?? reportFailed;
}

/** Send to WhatsApp (docs/specification.md §9.4). The owner's number and the message come with the server's address. */
export function useShare() {
  const { mutateAsync } = accounting.useShareOnWhatsapp();
  const isRunning = useRef(false);
  const [isSending, setSending] = useState(false);

  const share = useCallback(
    async (report: OwnerReportInput): Promise<void> => {
      if (isRunning.current) return;
      isRunning.current = true;
      const tab = openTab('The report is being prepared…');
      setSending(true);
      try {
        const answer = accounting.calls.shareOnWhatsapp.answer.safeParse(await mutateAsync({ body: report }));
        if (!answer.success || !isWhatsappUrl(answer.data.data.whatsappUrl)) {
          tab?.close();
          notify.error(reportFailed);
          return;
        }
        const { whatsappUrl, ownerName, recordCount } = answer.data.data;
        const sent = `CSV report sent to ${ownerName} (${recordCount.toLocaleString('en-IN')} challans)`;
        showWhatsapp(tab, whatsappUrl, { ready: 'The report is ready', sent });
      } catch (error) {
        tab?.close();
        tell(error);
      } finally {
        isRunning.current = false;
        setSending(false);
      }
    },
    [mutateAsync],
  );
  return { share, isSending };
}

function tell(error: unknown): void {
  // The session has ended: where one signs in again says so.
  if (isApiError(error, 'UNAUTHORIZED')) return;
  if (isApiError(error, 'INVALID_REQUEST')) {
    // oxlint-disable-next-line no-console -- docs/specification.md §15.4 wants the hint logged
    console.warn('The report was refused as an invalid request. Reset the filters and try again.');
  }
  notify.error(shareFailure(error));
}
