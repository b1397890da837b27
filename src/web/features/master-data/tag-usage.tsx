import { Link } from 'react-router-dom';
import { canDeleteTag, reasonOf } from '../../../shared/access.ts';
import { tagFields, type Tag } from '../../../shared/contract/tags.ts';
import { tags } from '../../resources/tags.ts';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { factsOf, timesOf } from '../../kit/records/facts.tsx';
import { EditFooter, recordDetails } from '../../kit/records/record-details.tsx';
import type { RecordViewProps } from '../../kit/records/record-screen.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';
import { formatCount } from '../../../shared/calc/count-text.ts';

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
export function TagUsage(props: RecordViewProps<Tag>) {
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
