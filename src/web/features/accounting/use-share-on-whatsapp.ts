import { useCallback, useRef, useState } from 'react';
import type { OwnerReportInput } from '../../../shared/contract/accounting.ts';
import { accounting } from '../../resources/accounting.ts';
import { isApiError, networkError } from '../../kit/api/api-error.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { isWhatsappUrl, openWhatsappTab, showWhatsapp } from '../../kit/feedback/whatsapp-tab.ts';
import { formatCount } from '../../../shared/calc/count-text.ts';

/** The default texts if the server gives no message (docs/specification.md §15.4). */
const failedText = 'Failed to generate CSV report';
const failedRetryText = 'Failed to generate CSV report. Please try again.';

/**
 * The message of a failure, in the order of docs/specification.md §15.4: the two error codes, the message of the
 * server, the default. If no server answered, the text asks to try again, since that may help.
 */
function shareFailure(error: unknown): string {
  if (!isApiError(error)) return failedRetryText;
  if (error.code === 'NO_DATA_FOUND') return 'No challans found for the specified criteria';
  if (error.code === 'INVALID_REQUEST') return error.text ?? 'Invalid request data';
  if (error.status === 0 || error.text === networkError) return failedRetryText;
  return error.text ?? failedText;
}

/**
 * Sends the report on WhatsApp (docs/specification.md §9.4). The address from the server contains the owner's number
 * and the message.
 */
export function useShareOnWhatsapp() {
  const { mutateAsync } = accounting.useShareOnWhatsapp();
  const isRunning = useRef(false);
  const [isSending, setSending] = useState(false);

  const share = useCallback(
    async (report: OwnerReportInput): Promise<void> => {
      if (isRunning.current) return;
      isRunning.current = true;
      const tab = openWhatsappTab('The report is being prepared…');
      setSending(true);
      try {
        const answer = accounting.calls.shareOnWhatsapp.answer.safeParse(await mutateAsync({ body: report }));
        if (!answer.success || !isWhatsappUrl(answer.data.data.whatsappUrl)) {
          tab?.close();
          notify.error(failedText);
          return;
        }
        const { whatsappUrl, ownerName, recordCount } = answer.data.data;
        const sent = `CSV report sent to ${ownerName} (${formatCount(recordCount)} challans)`;
        showWhatsapp(tab, whatsappUrl, { ready: 'The report is ready', sent });
      } catch (error) {
        tab?.close();
        showFailure(error);
      } finally {
        isRunning.current = false;
        setSending(false);
      }
    },
    [mutateAsync],
  );
  return { share, isSending };
}

function showFailure(error: unknown): void {
  // The session has ended, and the sign-in page says so.
  if (isApiError(error, 'UNAUTHORIZED')) return;
  if (isApiError(error, 'INVALID_REQUEST')) {
    // oxlint-disable-next-line no-console -- docs/specification.md §15.4 requires the log
    console.warn('The report was refused as an invalid request. Reset the filters and try again.');
  }
  notify.error(shareFailure(error));
}
