import { useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ChartColumn, Tags as TagsIcon } from 'lucide-react';
import { canDeleteTag, reasonOf } from '../../../shared/access.ts';
import { tagColumns } from '../../../shared/columns/tag-columns.ts';
import { tagSortKeys, type Tag } from '../../../shared/contract/tags.ts';
import { useTagActions } from '../../actions/tags.ts';
import { tags } from '../../api/resources.ts';
import { useRecordGrid } from '../../filters/record-grid.ts';
import { RecordList } from '../../filters/record-list.tsx';
import { recordShape, sortShape, useRecordPlace, useRecordSort } from '../../filters/record-place.ts';
import { useRecordRows } from '../../filters/record-rows.ts';
import { useRecordScreen } from '../../filters/record-screen.tsx';
import { TagFormDialog } from '../../forms/tag-form-dialog.tsx';
import type { CellSpec, RowAction } from '../../grid/grid-types.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { Alert } from '../../ui/alert.tsx';
import { TagUsageDialog } from './tag-usage-dialog.tsx';
import { usePageError } from './use-page-error.ts';

const shape = { ...recordShape, ...sortShape(tagSortKeys, 'name', 'asc') };
const keyOf = (row: Tag): string => row.id;
const descriptionCut = tagColumns.find(({ key }) => key === 'description')?.cutAt ?? Infinity;

/** The description as the columns cut it, the whole of it in the title (part 1 §9). */
const cells: Readonly<Record<string, CellSpec<Tag>>> = {
  description: {
    render: ({ description }) => {
      const signs = [...description];
      const isCut = signs.length > descriptionCut;
      return (
        <span className="cd-clip" {...(isCut && { title: description })}>
          {isCut ? `${signs.slice(0, descriptionCut).join('')}…` : description}
        </span>
      );
    },
    text: ({ description }) => description,
  },
};

/** /tags (part 1 §2). */
export function TagsPage() {
  const [url, setUrl] = useUrlState(shape);
  const place = useRecordPlace('tags', url, setUrl);
  const { page, limit, search } = place;
  const { sortBy, sortOrder } = url;
  const { sort, onSort } = useRecordSort(tagSortKeys, url, setUrl);
  const grid = useRecordGrid<Tag>('a tag');
  const error = usePageError();

  const query = tags.useList({ query: { page, limit, search, sortBy, sortOrder } });
  const list = useRecordRows({
    query,
    rows: query.data?.data,
    pagination: query.data?.pagination,
    failed: place.isSearch ? 'Failed to search tags' : 'Failed to fetch tags',
    onPage: place.onPage,
    tell: error.tell,
  });
  const client = useQueryClient();
  const { mutateAsync: send } = tags.useRemove();
  const screen = useRecordScreen<Tag>({
    keepAs: 'tags',
    grid,
    rows: list.rows,
    keyOf,
    openId: url.open,
    setUrl,
    removal: {
      send,
      question: ({ name }) => ({
        title: `Delete tag "${name}"?`,
        body: 'Are you sure you want to delete this tag? This action cannot be undone.',
      }),
      refusal: async (tag) => {
        const asked = tags.usageOptions({ params: { id: tag.id } });
        const { data } = await client.fetchQuery({ ...asked, staleTime: 0, retry: false });
        return reasonOf(canDeleteTag(tag, data.usage.totalChallans));
      },
      done: 'Tag deleted successfully',
      failed: 'Failed to delete tag',
      // Behind an open dialog the page's own place is not in sight.
      ...(url.open === '' && { tell: error.tell }),
    },
  });
  const { show } = screen;
  const actions = useTagActions({
    create: screen.create,
    edit: () => grid.onRow(screen.edit),
    remove: () => grid.onRow(screen.remove),
    checkUsage: () => grid.onRow(show),
    focusSearch: grid.focusSearch,
  });
  const rowActions = useMemo<RowAction<Tag>[]>(
    () => [
      {
        id: 'usage',
        label: 'Check Usage',
        icon: <ChartColumn size={15} aria-hidden />,
        keys: 'U',
        run: show,
      },
      ...screen.rowActions,
    ],
    [show, screen.rowActions],
  );

  return (
    <RecordList<Tag>
      title="Tags"
      noun="tags"
      memoryKey="tags"
      columns={tagColumns}
      keyOf={keyOf}
      place={place}
      list={list}
      grid={grid}
      isPaged
      searchHint="Tag name"
      create={actions.create}
      emptyIcon={<TagsIcon size={18} aria-hidden />}
      emptyText="Tags sort challans: by plant, by party, by month, as your books need it."
      notice={
        error.text !== undefined && (
          <Alert
            title={error.text}
            onClose={() => {
              error.clear();
              // The button that had the focus goes with the alert.
              grid.focusSearch();
            }}
          />
        )
      }
      sort={sort}
      onSort={onSort}
      cells={cells}
      rowActions={rowActions}
      onOpen={show}
      isMuted={screen.isMuted}
    >
      {url.open !== '' && (
        <TagUsageDialog
          key={url.open}
          id={url.open}
          row={screen.openRow}
          onEdit={screen.edit}
          onRemove={screen.remove}
          {...screen.view}
        />
      )}
      {screen.form && <TagFormDialog tag={screen.form.row} {...screen.formProps} />}
    </RecordList>
  );
}
