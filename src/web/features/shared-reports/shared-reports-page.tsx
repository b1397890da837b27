import { useCallback, useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FileText, Link2Off } from 'lucide-react';
import { canRevokeReport, reasonOf } from '../../../shared/access.ts';
import { sharedReportColumns } from '../../../shared/columns/shared-report-columns.ts';
import type { SharedReport } from '../../../shared/contract/shared-reports.ts';
import { sharedReports } from '../../resources/shared-reports.ts';
import type { CellSpec } from '../../kit/grid/grid-types.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { confirm } from '../../kit/feedback/confirm.tsx';
import { notify } from '../../kit/feedback/toast.ts';

/** Shortens file names for narrow windows: all of them start with the same words. */
const shortName = (fileName: string): string => fileName.replace(/^owner_challans_report_/, '…');
const cells: Readonly<Record<string, CellSpec<SharedReport>>> = {
  fileName: {
    render: ({ fileName }) => (
      <span className="cd-clip" title={fileName}>
        {shortName(fileName)}
      </span>
    ),
    text: ({ fileName }) => fileName,
  },
};

/** Revokes a link after a confirmation that names the owner. A revoked link opens nothing. */
function useRevoke(): (report: SharedReport) => void {
  const { mutateAsync: send } = sharedReports.useRevoke({
    onSuccess: ({ data }) => {
      // The link may have expired while the confirmation was open.
      if (data.status === 'revoked') notify.success(`The link sent to ${data.ownerName} no longer works`);
      else notify.info(reasonOf(canRevokeReport(data)) ?? '');
    },
  });
  return useCallback(
    (report: SharedReport) =>
      void confirm({
        title: `Revoke the link sent to ${report.ownerName}?`,
        body: <RevokeQuestion report={report} />,
        confirmLabel: 'Revoke link',
        danger: true,
        act: () => send({ params: { id: report.id } }),
        failed: 'Failed to revoke the link',
      }),
    [send],
  );
}

function RevokeQuestion({ report }: { report: SharedReport }) {
  return (
    <>
      <p>
        The link to <strong className="wrap-anywhere">{report.fileName}</strong>, valid until{' '}
        {formatDateTime(report.expiresAt)}, will stop working at once. This cannot be undone.
      </p>
      <p className="mt-2 text-muted">A copy that the owner has already downloaded is not affected.</p>
    </>
  );
}

/** /accounting/shared-reports: lists the reports that were sent to owners as links. A link can be revoked early. */
export const SharedReportsPage = recordScreen<SharedReport>({
  screen: 'sharedReports',
  noun: ['report', 'shared reports'],
  columns: sharedReportColumns,
  useRows: ({ page, limit }) => pageOf(sharedReports.useList({ query: { page, limit } })),
  failed: { list: 'Failed to fetch shared reports' },
  empty: {
    text: 'Reports sent to owners on WhatsApp are listed here, with the file and how long its link works. You can revoke a link earlier.',
    actions: <Link to="/accounting">Open Accounting</Link>,
  },
  useMore: () => {
    const navigate = useNavigate();
    const revoke = useRevoke();
    const openOwner = useCallback(
      ({ ownerId }: SharedReport) => void navigate(`/accounting/owner/${ownerId}/challans`),
      [navigate],
    );
    const rowCommands = useMemo(
      () => [
        {
          id: 'open',
          label: "Open the owner's challans",
          icon: <FileText size={15} aria-hidden />,
          keys: 'Enter',
          run: openOwner,
        },
        {
          id: 'revoke',
          label: 'Revoke link',
          icon: <Link2Off size={15} aria-hidden />,
          keys: 'R',
          calls: sharedReports.calls.revoke,
          run: revoke,
          disabledReason: (report: SharedReport) => reasonOf(canRevokeReport(report)),
        },
      ],
      [openOwner, revoke],
    );
    return { cells, rowCommands, onOpen: openOwner };
  },
});
