import { useCallback, useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FileText, Link2Off, Share2 } from 'lucide-react';
import { canRevokeReport, reasonOf } from '../../../shared/access.ts';
import { sharedReportColumns } from '../../../shared/columns/shared-report-columns.ts';
import type { SharedReport } from '../../../shared/contract/shared-reports.ts';
import { useSharedReportActions } from '../../actions/shared-reports.ts';
import { sharedReports } from '../../api/resources.ts';
import { limitValue } from '../../filters/filter-values.ts';
import { usePageSize } from '../../filters/page-size.ts';
import { useRecordGrid } from '../../filters/record-grid.ts';
import { useRecordRows } from '../../filters/record-rows.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { CellSpec, RowAction } from '../../grid/grid-types.ts';
import { Page } from '../../shell/page.tsx';
import { url, useUrlState } from '../../shell/url-state.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useRevoke } from './use-revoke.tsx';

const shape = {
  page: url.number(1),
  /** 0: as this account last chose it. */
  limit: limitValue(),
};
const keyOf = (row: SharedReport): string => row.id;

/** What every name begins with tells nothing apart, and would be all that is left of it in a narrow window. */
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

/** /accounting/shared-reports: what was sent to owners by link, and the way to end a link before its time. */
export function SharedReportsPage() {
  const navigate = useNavigate();
  const [state, setUrl] = useUrlState(shape);
  const { handle, table, onRow } = useRecordGrid<SharedReport>('a report');
  const { page } = state;
  const { limit, choose: chooseSize } = usePageSize('shared-reports', state.limit);
  const query = sharedReports.useList({ query: { page, limit } });
  const list = useRecordRows({
    query,
    rows: query.data?.data,
    pagination: query.data?.pagination,
    failed: 'Failed to fetch shared reports',
    onPage: (next, options) => setUrl({ page: next, limit }, options),
  });

  const revoke = useRevoke();
  const openOwner = useCallback(
    (row: SharedReport) => void navigate(`/accounting/owner/${row.ownerId}/challans`),
    [navigate],
  );
  const actions = useSharedReportActions({ revoke: () => onRow(revoke) });
  const revokeKeys = actions.revoke.keys;
  const rowActions = useMemo<RowAction<SharedReport>[]>(
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
        keys: revokeKeys,
        run: revoke,
        disabledReason: (row) => reasonOf(canRevokeReport(row)),
      },
    ],
    [openOwner, revoke, revokeKeys],
  );

  return (
    <Page fill title="Shared Reports">
      <div ref={table} className="flex min-h-0 flex-1 flex-col">
        <DataGrid<SharedReport>
          ref={handle}
          label="Shared Reports"
          memoryKey="shared-reports"
          columns={sharedReportColumns}
          rows={list.rows}
          keyOf={keyOf}
          status={list.isPlaceholder ? { ...list.status, isFetching: true } : list.status}
          empty={<Nothing />}
          pager={{
            page,
            limit,
            totalCount: list.totalCount,
            noun: 'shared reports',
            onPage: (next) => setUrl({ page: next, limit }),
            onLimit: (next) => setUrl({ limit: chooseSize(next), page: 1 }),
          }}
          cells={cells}
          rowActions={rowActions}
          onOpen={openOwner}
        />
      </div>
    </Page>
  );
}

function Nothing() {
  return (
    <EmptyState
      icon={<Share2 size={18} aria-hidden />}
      title="No shared reports yet"
      actions={<Link to="/accounting">Go to Accounting</Link>}
    >
      Reports that are sent to owners by WhatsApp are listed here: who got which file, until when its link works, and a
      way to end it earlier.
    </EmptyState>
  );
}
