import { useMemo, useState } from 'react';
import { Copy, Eye, Users } from 'lucide-react';
import { ownerCardColumns } from '../../../shared/columns/owner-columns.ts';
import type { OwnerCard } from '../../../shared/contract/owners.ts';
import { useCopyOwnersActions } from '../../actions/copy-owners.ts';
import { buttonOf } from '../../actions/registry.ts';
import { owners } from '../../api/resources.ts';
import { useRecordGrid } from '../../filters/record-grid.ts';
import { RecordList } from '../../filters/record-list.tsx';
import { recordShape, slowSearchMs, useRecordPlace } from '../../filters/record-place.ts';
import { useRecordRows } from '../../filters/record-rows.ts';
import { useOpenRecord } from '../../filters/record-screen.tsx';
import type { RowAction } from '../../grid/grid-types.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { CardView } from './card-view.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import { useCopySelection } from './use-copy-selection.ts';

const keyOf = (row: OwnerCard): string => row.id;

/** /owners/copy (part 1 §2): other businesses' owners, to be copied with their trucks. */
export function CopyOwnersPage() {
  const [url, setUrl] = useUrlState(recordShape);
  const place = useRecordPlace('copy-owners', url, setUrl, slowSearchMs);
  const { page, limit, search } = place;
  const grid = useRecordGrid<OwnerCard>('an owner');
  const query = owners.useListAllSystem({ query: { page, limit, search } });
  const list = useRecordRows({
    query,
    rows: query.data?.data,
    pagination: query.data?.pagination,
    failed: 'Failed to fetch system owners',
    onPage: place.onPage,
  });
  const { rows } = list;
  const { chosen, selection, clear } = useCopySelection(rows);
  const [isAsking, setAsking] = useState(false);
  const { open, close, placeFocus } = useOpenRecord({ grid, rows, keyOf, openId: url.open, setUrl });
  const card = rows?.find(({ id }) => id === url.open);

  const actions = useCopyOwnersActions({
    count: chosen.length,
    copy: () => setAsking(true),
    copyReason: chosen.length === 0 ? 'Select the owners to copy first' : undefined,
    clear,
    focusSearch: grid.focusSearch,
  });
  const rowActions = useMemo<RowAction<OwnerCard>[]>(
    () => [
      {
        id: 'view',
        label: 'View',
        icon: <Eye size={15} aria-hidden />,
        keys: 'Enter',
        run: (row) => open({ open: row.id }),
      },
    ],
    [open],
  );
  const trucks = chosen.reduce((count, { trucksCount }) => count + trucksCount, 0);

  return (
    <RecordList<OwnerCard>
      title="Copy Owners"
      noun="owners"
      memoryKey="copy-owners"
      columns={ownerCardColumns}
      keyOf={keyOf}
      place={place}
      list={list}
      grid={grid}
      isPaged
      searchHint="Owner name, truck number or business"
      buttons={
        <Button variant="primary" icon={<Copy size={14} aria-hidden />} {...buttonOf(actions.copy)}>
          {actions.copy.label}
        </Button>
      }
      emptyTitle="No owners to copy"
      emptyIcon={<Users size={18} aria-hidden />}
      emptyText="Owners of other businesses appear here, to be copied into your own list."
      rowActions={rowActions}
      onOpen={(row) => open({ open: row.id })}
      selection={selection}
      footer={
        <>
          <p role="status" className="nums min-w-0 truncate text-xs text-muted">
            {chosen.length > 0 && (
              <>
                <b className="text-ink">{chosen.length} selected</b> · {trucks} {trucks === 1 ? 'truck' : 'trucks'}
              </>
            )}
          </p>
          {chosen.length > 0 && (
            <Button size="sm" variant="ghost" keys="Esc" onClick={clear}>
              Clear
            </Button>
          )}
        </>
      }
    >
      {url.open !== '' && (
        <CardView
          card={card}
          isLoading={rows === undefined}
          isChosen={card !== undefined && selection.stateOf(card) === 'all'}
          onToggle={(row) => selection.setRows([row], selection.stateOf(row) !== 'all')}
          placeFocus={placeFocus}
          onClose={close}
        />
      )}
      {isAsking && (
        <CopyDialog
          chosen={chosen}
          onClose={() => setAsking(false)}
          onDone={(isSaid) => {
            clear();
            if (isSaid) setAsking(false);
          }}
        />
      )}
    </RecordList>
  );
}
