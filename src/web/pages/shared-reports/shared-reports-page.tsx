import { useCallback, useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FileText, Link2Off } from 'lucide-react';
import { canRevokeReport, reasonOf } from '../../../shared/access.ts';
import { sharedReportColumns } from '../../../shared/columns/shared-report-columns.ts';
import type { SharedReport } from '../../../shared/contract/shared-reports.ts';
import { sharedReports } from '../../api/shared-reports.ts';
import type { CellSpec } from '../../grid/grid-types.ts';
import { pageOf } from '../../records/record-rows.ts';
import { recordScreen } from '../../records/record-screen.tsx';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { confirm } from '../../feedback/confirm.tsx';
import { notify } from '../../feedback/toast.ts';

/** Every name begins with the same words, which would be all that is left of it in a narrow window. */
const shownName = (fileName: string): string => fileName.replace(/^owner_challans_report_/, '…');
const cells: Readonly<Record<string, CellSpec<SharedReport>>> = {
  fileName: {
    render: ({ fileName }) => (
      <span className="cd-clip" title={fileName}>
        {shownName(fileName)}
      </span>
    ),
    text: ({ fileName }) => fileName,
  },
};

/** Ends a link after a question that names its owner; it opens nothing from then on. */
function useRevoke(): (report: SharedReport) => void {
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

/** /accounting/shared-reports: what was sent to owners by link, and how to end a link early. */
export const SharedReportsPage = recordScreen<SharedReport>({
  screen: 'sharedReports',
  noun: ['report', 'shared reports'],
  columns: sharedReportColumns,
  useRows: ({ page, limit }) => pageOf(sharedReports.useList({ query: { page, limit } })),
  failed: { list: 'Failed to fetch shared reports' },
  empty: {
    text: 'Reports that are sent to owners by WhatsApp are listed here: who got which file, until when its link works, and a way to end it earlier.',
    actions: <Link to="/accounting">Go to Accounting</Link>,
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
          run: revoke,
          disabledReason: (report: SharedReport) => reasonOf(canRevokeReport(report)),
        },
      ],
      [openOwner, revoke],
    );
    return { cells, rowCommands, onOpen: openOwner };
  },
});
