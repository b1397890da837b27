import { useMemo } from 'react';
import { UserCog } from 'lucide-react';
import type { Column } from '../../../shared/columns/define.ts';
import { subadminColumns } from '../../../shared/columns/subadmin-columns.ts';
import type { Subadmin } from '../../../shared/contract/subadmins.ts';
import { useSubadminActions } from '../../actions/subadmins.ts';
import { subadmins } from '../../api/resources.ts';
import { idValue, limitValue } from '../../filters/filter-values.ts';
import { useRecordGrid } from '../../filters/record-grid.ts';
import { RecordList } from '../../filters/record-list.tsx';
import { useRecordPlace } from '../../filters/record-place.ts';
import { useRecordRows } from '../../filters/record-rows.ts';
import { useRecordScreen, viewAction } from '../../filters/record-screen.tsx';
import { url as address, useUrlState } from '../../shell/url-state.ts';
import { SubadminFormDialog } from './subadmin-form-dialog.tsx';
import { SubadminView } from './subadmin-view.tsx';
import { useActivation } from './use-activation.ts';

const shape = { page: address.number(1), limit: limitValue(), open: idValue() };
const keyOf = (row: Subadmin): string => row.id;

/** The status says it in a word; the switch beside it changes it (part 1 §2, Actions). */
const columns: readonly Column<Subadmin>[] = [
  ...subadminColumns,
  { key: 'active', label: 'Active', kind: 'flag', width: 76, value: (row) => row.isActive, words: ['Yes', 'No'] },
];

const question = ({ bannerName, email }: Subadmin) => ({
  title: `Delete subadmin "${bannerName}"?`,
  body: (
    <>
      <p>Are you sure you want to delete this subadmin?</p>
      {/* Ruling 5. */}
      <p className="mt-2 text-muted">
        The account can no longer sign in, and {email} stays taken. Its records are kept.
      </p>
    </>
  ),
});

/** /admin/subadmins (part 1 §2). */
export function SubadminsPage() {
  const [url, setUrl] = useUrlState(shape);
  // Part 1 §7: this list is paged only, nothing searches it.
  const place = useRecordPlace('subadmins', { ...url, search: '', searchPage: 1 }, ({ page, limit }, options) =>
    setUrl({ ...(page !== undefined && { page }), ...(limit !== undefined && { limit }) }, options),
  );
  const { page, limit } = place;
  const grid = useRecordGrid<Subadmin>('a subadmin');
  const query = subadmins.useList({ query: { page, limit } });
  const list = useRecordRows({
    query,
    rows: query.data?.data,
    pagination: query.data?.pagination,
    failed: 'Failed to fetch subadmins',
    onPage: place.onPage,
  });
  const { mutateAsync: send } = subadmins.useRemove();
  const screen = useRecordScreen<Subadmin>({
    keepAs: 'subadmins',
    grid,
    rows: list.rows,
    keyOf,
    openId: url.open,
    setUrl,
    removal: {
      send,
      question,
      done: 'Subadmin deleted successfully',
      failed: 'Failed to delete subadmin',
    },
  });
  const { cells, toggleActive } = useActivation();
  const { show, openRow } = screen;
  const actions = useSubadminActions({
    create: screen.create,
    edit: () => grid.onRow(screen.edit),
    remove: () => grid.onRow(screen.remove),
    toggleActive: () => grid.onRow(toggleActive),
  });
  const rowActions = useMemo(() => [viewAction(show), ...screen.rowActions], [show, screen.rowActions]);

  return (
    <RecordList<Subadmin>
      title="Subadmins"
      noun="subadmins"
      memoryKey="subadmins"
      columns={columns}
      keyOf={keyOf}
      place={place}
      list={list}
      grid={grid}
      isPaged
      create={actions.create}
      emptyIcon={<UserCog size={18} aria-hidden />}
      emptyText="Each business signs in with an account of its own and sees its own books only."
      cells={cells}
      rowActions={rowActions}
      onOpen={show}
      isMuted={screen.isMuted}
    >
      {url.open !== '' && (
        <SubadminView
          id={url.open}
          row={openRow}
          missing={list.rows && !openRow ? 'Subadmin not found' : undefined}
          onEdit={screen.edit}
          onRemove={screen.remove}
          {...screen.view}
        />
      )}
      {screen.form && <SubadminFormDialog subadmin={screen.form.row} {...screen.formProps} />}
    </RecordList>
  );
}
