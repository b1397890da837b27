import { useCallback, useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FileText, Link2Off } from 'lucide-react';
import { canRevokeReport, reasonOf } from '../../../shared/access.ts';
import { sharedReportColumns } from '../../../shared/columns/shared-report-columns.ts';
import type { SharedReport } from '../../../shared/contract/shared-reports.ts';
import { sharedReports } from '../../api/resources.ts';
import type { CellSpec } from '../../grid/grid-types.ts';
import { pageOf } from '../../records/record-rows.ts';
import { recordScreen } from '../../records/record-screen.tsx';
import { useRevoke } from './use-revoke.tsx';

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
