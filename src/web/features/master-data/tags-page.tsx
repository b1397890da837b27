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
import { recordScreen, type RecordViewProps } from '../../kit/records/record-screen.tsx';
import { Link } from 'react-router-dom';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { factsOf, timesOf } from '../../kit/records/facts.tsx';
import { EditFooter, recordDetails } from '../../kit/records/record-details.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';
import { formatCount } from '../../../shared/calc/count-text.ts';

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

const Details = recordDetails<Tag>({
  record: 'tag',
  title: (tag) => (tag ? `Usage Statistics: ${tag.name}` : 'Usage Statistics'),
  useRecord: (id) => tags.useGet({ params: { id } }),
  failed: 'Failed to fetch tags',
  facts: (tag) => [
    {
      title: 'Tag',
      facts: [
        ...factsOf(tagFields, tag, {
          name: (
            <span className="cd-value">
              <span aria-hidden className="cd-dot" style={{ backgroundColor: tag.color }} />
              {tag.name}
            </span>
          ),
        }),
        ...timesOf(tag),
      ],
    },
  ],
});

/** Check Usage (docs/specification.md §7.2). The details also show the whole description, which the table cuts. */
function TagUsage(props: RecordViewProps<Tag>) {
  const { id, calls, onEdit, onRemove, onClose } = props;
  // Never uses a cached answer: challans are added and removed without a change of the tag.
  const usage = tags.useUsage({ params: { id } }, { staleTime: 0 });
  const challans = usage.data?.data.usage.totalChallans;
  return (
    <Details
      {...props}
      renderAbove={(tag) => <UsageCards tag={tag} query={usage} />}
      renderFooter={(tag) => (
        <EditFooter
          record="tag"
          calls={calls}
          onEdit={() => onEdit(tag)}
          onRemove={() => onRemove(tag)}
          removeReason={challans === undefined ? undefined : reasonOf(canDeleteTag(tag, challans))}
          onClose={onClose}
        />
      )}
    />
  );
}

function UsageCards({ tag, query }: { tag: Tag; query: ReturnType<typeof tags.useUsage> }) {
  const usage = query.data?.data.usage;
  if (query.error && !query.isFetching) {
    return (
      <FailureAlert
        title="Failed to load usage statistics"
        error={query.error}
        fallback=""
        onRetry={() => void query.refetch()}
      >
        There was an error fetching the usage data. Please try again.
      </FailureAlert>
    );
  }
  const number = (count: number | undefined) => (count === undefined ? undefined : formatCount(count));
  return (
    <section aria-label="Usage statistics" aria-busy={query.isFetching || undefined}>
      <div className="flex gap-3">
        <StatCard label="Total Challans" value={number(usage?.totalChallans)} />
        <StatCard label="Paid Challans" value={number(usage?.paidChallans)} tone="good" />
        <StatCard label="Unpaid Challans" value={number(usage?.unpaidChallans)} />
      </div>
      <p className="mt-2 min-h-5 text-muted">
        {usage &&
          (usage.canDelete
            ? 'No challans use this tag. It can be deleted.'
            : reasonOf(canDeleteTag(tag, usage.totalChallans)))}{' '}
        {usage && usage.totalChallans > 0 && (
          <Link to={`/challans?tagId=${tag.id}`} className="underline">
            Show its challans
          </Link>
        )}
      </p>
    </section>
  );
}
