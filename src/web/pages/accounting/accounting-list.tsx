import { useCallback, useMemo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Eye, FileText, Share2, Users } from 'lucide-react';
import { accountingOwnerColumns } from '../../../shared/columns/accounting-columns.ts';
import { ownerSortKeys, type OwnerListItem } from '../../../shared/contract/owners.ts';
import { useAccountingActions } from '../../actions/accounting.ts';
import { buttonOf } from '../../actions/registry.ts';
import { useOwnerRows } from '../../filters/owner-record.ts';
import { useRecordGrid } from '../../filters/record-grid.ts';
import { RecordList } from '../../filters/record-list.tsx';
import { recordShape, sortShape, useRecordPlace, useRecordSort } from '../../filters/record-place.ts';
import { useOpenRecord } from '../../filters/record-screen.tsx';
import { rangeText } from '../../grid/grid-footer.tsx';
import type { RowAction } from '../../grid/grid-types.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { OwnerDetails } from './owner-details.tsx';
import { useFetchChallans } from './use-fetch-challans.ts';

const shape = { ...recordShape, ...sortShape(ownerSortKeys, 'name', 'asc') };
const keyOf = (row: OwnerListItem): string => row.owner.id;

/** Part 2 §2.3. */
const resultText = (count: number, term: string): string =>
  count === 0
    ? `No owners found matching "${term}"`
    : `Found ${count.toLocaleString('en-IN')} owner(s) matching "${term}"`;

/** The owners in pages, or what a search finds, which is not paged (part 2 §2.3). */
export function AccountingList() {
  const navigate = useNavigate();
  const [url, setUrl] = useUrlState(shape);
  const place = useRecordPlace('accounting', url, setUrl);
  const { isSearch } = place;
  const { sort, onSort } = useRecordSort(ownerSortKeys, url, setUrl);
  const grid = useRecordGrid<OwnerListItem>('an owner');
  const { list, totals } = useOwnerRows(place, url);
  const { rows, totalCount } = list;
  const { open, close, placeFocus } = useOpenRecord({ grid, rows, keyOf, openId: url.open, setUrl });
  const { fetchChallans, goingTo } = useFetchChallans();

  const view = useCallback((row: OwnerListItem) => open({ open: keyOf(row) }), [open]);
  const toChallans = useCallback((row: OwnerListItem) => void fetchChallans(keyOf(row)), [fetchChallans]);
  const actions = useAccountingActions({
    focusSearch: grid.focusSearch,
    fetchChallans: () => grid.onRow(toChallans),
    sharedReports: () => void navigate('/accounting/shared-reports'),
  });
  const rowActions = useMemo<RowAction<OwnerListItem>[]>(
    () => [
      { id: 'view', label: 'View details', icon: <Eye size={15} aria-hidden />, keys: 'Enter', run: view },
      {
        id: 'challans',
        label: 'Fetch Challans',
        icon: <FileText size={14} aria-hidden />,
        keys: 'C',
        showLabel: true,
        run: toChallans,
      },
    ],
    [view, toChallans],
  );
  const isMuted = useCallback((row: OwnerListItem) => keyOf(row) === goingTo, [goingTo]);
  const shown = rows?.length ?? 0;

  return (
    <RecordList<OwnerListItem>
      title="Accounting Management"
      noun="owners"
      memoryKey="accounting"
      columns={accountingOwnerColumns}
      keyOf={keyOf}
      place={place}
      list={list}
      grid={grid}
      isPaged={!isSearch}
      searchHint="Name, contact number or truck number"
      resultText={resultText}
      buttons={
        <Button icon={<Share2 size={14} aria-hidden />} {...buttonOf(actions.sharedReports)}>
          {actions.sharedReports.label}
        </Button>
      }
      emptyIcon={<Users size={18} aria-hidden />}
      emptyText="Owners are added under Owners; what each is owed for its challans is then found here."
      emptyActions={<Link to="/owners">Go to Owners</Link>}
      sort={isSearch ? undefined : sort}
      onSort={isSearch ? undefined : onSort}
      totals={totals}
      rowActions={rowActions}
      onOpen={view}
      isMuted={isMuted}
      footer={
        isSearch && shown > 0 ? (
          <p className="nums ml-auto text-xs">
            {rangeText({ page: 1, limit: shown, totalCount, noun: 'owners' })}
            {shown < totalCount && '; type more to narrow'}
          </p>
        ) : undefined
      }
    >
      {url.open !== '' && (
        <OwnerDetails
          key={url.open}
          id={url.open}
          row={rows?.find((row) => keyOf(row) === url.open)}
          placeFocus={placeFocus}
          onClose={close}
          isGoing={goingTo === url.open}
          onFetchChallans={() => void fetchChallans(url.open)}
        />
      )}
    </RecordList>
  );
}
