import { useCallback, useRef } from 'react';
import { canRevokeReport, reasonOf } from '../../../shared/access.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { SharedReport } from '../../../shared/contract/shared-reports.ts';
import { sharedReports } from '../../api/resources.ts';
import { confirm } from '../../shell/confirm.tsx';
import { notify } from '../../shell/toast.ts';

/** Ends a link, once the person has seen whose it is; its owner finds nothing behind it from then on. */
export function useRevoke(): (report: SharedReport) => void {
  const { mutate } = sharedReports.useRevoke({
    onSuccess: ({ data }) => {
      // It may have run out while the question stood on the screen.
      if (data.status === 'revoked') notify.success(`The link sent to ${data.ownerName} no longer works`);
      else notify.info(reasonOf(canRevokeReport(data)) ?? '');
    },
    onError: (error) => notify.error(error, 'Failed to revoke the link'),
    onSettled: () => {
      isUnderWay.current = false;
    },
  });
  const isUnderWay = useRef(false);

  return useCallback(
    (report: SharedReport) => {
      const reason = reasonOf(canRevokeReport(report));
      if (reason) {
        notify.warning(reason, { kind: reason, many: () => reason });
        return;
      }
      if (isUnderWay.current) return;
      void confirm({
        title: `Revoke the link sent to ${report.ownerName}?`,
        body: <Question report={report} />,
        confirmLabel: 'Revoke link',
        danger: true,
      }).then((yes) => {
        if (!yes) return;
        isUnderWay.current = true;
        mutate({ params: { id: report.id } });
      });
    },
    [mutate],
  );
}

function Question({ report }: { report: SharedReport }) {
  return (
    <>
      <p>
        The link to <strong className="wrap-anywhere">{report.fileName}</strong>, good until{' '}
        {formatDateTime(report.expiresAt)}, stops working at once. This cannot be undone.
      </p>
      <p className="mt-2 text-muted">A copy that was downloaded already stays with the owner.</p>
    </>
  );
}
