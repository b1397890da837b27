import { useCallback } from 'react';
import { canRevokeReport, reasonOf } from '../../../shared/access.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { SharedReport } from '../../../shared/contract/shared-reports.ts';
import { sharedReports } from '../../api/resources.ts';
import { confirm } from '../../feedback/confirm.tsx';
import { notify } from '../../feedback/toast.ts';

/** Ends a link after a question that names its owner; it opens nothing from then on. */
export function useRevoke(): (report: SharedReport) => void {
  const { mutateAsync: send } = sharedReports.useRevoke({
    onSuccess: ({ data }) => {
      // It may have run out while the question was on the screen.
      if (data.status === 'revoked') notify.success(`The link sent to ${data.ownerName} no longer works`);
      else notify.info(reasonOf(canRevokeReport(data)) ?? '');
    },
  });
  return useCallback(
    (report: SharedReport) =>
      void confirm({
        title: `Revoke the link sent to ${report.ownerName}?`,
        body: <Question report={report} />,
        confirmLabel: 'Revoke link',
        danger: true,
        act: () => send({ params: { id: report.id } }),
        failed: 'Failed to revoke the link',
      }),
    [send],
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
