import { columnsInCells } from '../../../shared/contract/fields.ts';
import { useCallback, useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { canDeleteTag, reasonOf } from '../../../shared/access.ts';
import { tagColumns } from '../../../shared/columns/record-columns.ts';
import { tags } from '../../resources/tags.ts';
import { tagFields, tagSortKeys, type Tag } from '../../../shared/contract/tags.ts';
import { TagFormDialog } from './tag-form-dialog.tsx';
import type { CellSpec } from '../../kit/grid/grid-types.ts';
import { orderOf } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { RecordBulkDialog } from './lazy-parts.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { TagUsage } from './tag-usage.tsx';

const maxDescriptionLength = tagColumns.find(({ key }) => key === 'description')?.cutAt ?? Infinity;

/**
 * Shows the description cut at the length of its column, and the whole text as tooltip (docs/specification.md §7.2).
 */
const cells: Readonly<Record<string, CellSpec<Tag>>> = {
  description: {
    render: ({ description }) => {
      const characters = [...description];
      const isCut = characters.length > maxDescriptionLength;
      return (
        <span className="cd-clip" {...(isCut && { title: description })}>
          {isCut ? `${characters.slice(0, maxDescriptionLength).join('')}…` : description}
        </span>
      );
    },
    text: ({ description }) => description,
  },
};

/** /tags (docs/specification.md §7.2). */
export const TagsPage = recordScreen<Tag>({
  screen: 'tags',
  noun: ['tag', 'tags'],
  columns: tagColumns,
  sorts: { keys: tagSortKeys, by: 'name' },
  search: { hint: 'Tag name' },
  useRows: (ask) => {
    const { page, limit, search } = ask;
    return pageOf(tags.useList({ query: { page, limit, search, ...orderOf(tagSortKeys, 'name', ask) } }));
  },
  failed: { list: 'Failed to fetch tags', search: 'Failed to search tags' },
  hasPageErrors: true,
  empty: {
    importKind: 'tags',
    text: 'Tags group challans, for example by plant, party or month.',
  },
  views: { view: TagUsage },
  cells: {
    columns: columnsInCells(tagFields),
    load: () => import('./record-cells.tsx').then((part) => part.TagCells),
  },
  form: { addLabel: 'Add New Tag', Dialog: TagFormDialog },
  calls: tags.calls,
  removal: {
    useSend: tags.useRemove,
    question: ({ name }) => ({
      title: `Delete tag "${name}"?`,
      body: 'Are you sure you want to delete this tag? This action cannot be undone.',
    }),
    useRefusal: () => {
      const client = useQueryClient();
      return async (tag) => {
        const asked = tags.usageOptions({ params: { id: tag.id } });
        const { data } = await client.fetchQuery({ ...asked, staleTime: 0, retry: false });
        return reasonOf(canDeleteTag(tag, data.usage.totalChallans));
      };
    },
    done: 'Tag deleted successfully',
    failed: 'Failed to delete tag',
  },
  bulk: { resource: 'tags', Dialog: RecordBulkDialog, nameOf: ({ name }) => name, fields: ['color'] },
  useMore: ({ open }) => {
    const show = useCallback(({ id }: Tag) => open(id), [open]);
    const rowCommands = useMemo(
      () => [{ id: 'usage', label: 'Check Usage', icon: <ChartColumn size={15} aria-hidden />, keys: 'U', run: show }],
      [show],
    );
    return { cells, rowCommands };
  },
});
