import { useCallback, useRef, useState } from 'react';
import type { OwnerReportInput } from '../../../shared/contract/accounting.ts';
import { accounting } from '../../api/accounting.ts';
import { isApiError, networkError } from '../../api/api-error.ts';
import { notify } from '../../feedback/toast.ts';

/** The default when the server says nothing (docs/specification.md §15.4). */
const reportFailed = 'Failed to generate CSV report';
const reportFailedAgain = 'Failed to generate CSV report. Please try again.';

/** docs/specification.md §9.4: this very host over https, and nothing that only looks like it. */
export function isWhatsappUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, username, password } = new URL(text);
  return protocol === 'https:' && host === 'wa.me' && username === '' && password === '';
}

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

/**
 * A tab of its own, opened in the click itself, since one that is opened after an answer is taken for advertising and
 * blocked (docs/specification.md §9.4). What it will show must not reach back to this one.
 */
function openTab(): Window | null {
  const tab = window.open('about:blank', '_blank');
  if (!tab) return null;
  tab.opener = null;
  tab.document.title = 'WhatsApp';
  tab.document.body.textContent = 'The report is being prepared…';
  return tab;
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
      const tab = openTab();
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
        // Blocked all the same, or closed while the report was made: a click on a link is always allowed.
        if (!tab || tab.closed) {
          notify.link('The report is ready, but the browser did not open WhatsApp.', {
            label: 'Open WhatsApp',
            href: whatsappUrl,
            onFollow: () => notify.success(sent),
          });
          return;
        }
        tab.location.replace(whatsappUrl);
        notify.success(sent);
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
