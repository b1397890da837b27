import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { canDeleteTag, reasonOf } from '../../../shared/access.ts';
import type { Tag } from '../../../shared/contract/tags.ts';
import { tags } from '../../api/resources.ts';
import { RecordView } from '../../filters/record-view.tsx';
import { Facts, orNotProvided } from '../../shell/facts.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { StatCard } from '../../ui/stat-card.tsx';

interface TagUsageDialogProps {
  id: string;
  /** As the list shows it: there at once. */
  row: Tag | undefined;
  placeFocus: () => boolean;
  onClose: () => void;
  onEdit: (tag: Tag) => void;
  onRemove: (tag: Tag) => void;
}

/** Check Usage (part 1 §2), with the whole description, which is cut in the table. */
export function TagUsageDialog({ id, row, placeFocus, onClose, onEdit, onRemove }: TagUsageDialogProps) {
  const query = tags.useGet({ params: { id } });
  const first = useRef<HTMLDivElement>(null);
  const tag = query.data?.data ?? row;
  // Challans come and go without touching the tag: never an answer of earlier.
  const usage = tags.useUsage({ params: { id } }, { staleTime: 0 });
  const challans = usage.data?.data.usage.totalChallans;
  return (
    <RecordView
      title={tag ? `Usage Statistics: ${tag.name}` : 'Usage Statistics'}
      noun="tag"
      history={{ noun: 'tag', id }}
      query={query}
      failed="Failed to fetch tags"
      first={first}
      placeFocus={placeFocus}
      onClose={onClose}
      onEdit={() => tag && onEdit(tag)}
      onRemove={() => tag && onRemove(tag)}
      removeReason={tag && challans !== undefined ? reasonOf(canDeleteTag(tag, challans)) : undefined}
    >
      {tag && (
        <div className="grid gap-5">
          <Usage tag={tag} query={usage} />
          <Facts
            ref={first}
            label="Tag"
            groups={[
              {
                title: 'Tag',
                facts: [
                  {
                    label: 'Name',
                    value: (
                      <span className="cd-value">
                        <span aria-hidden className="cd-dot" style={{ backgroundColor: tag.color }} />
                        {tag.name}
                      </span>
                    ),
                  },
                  { label: 'Color', value: tag.color },
                  { label: 'Description', value: orNotProvided(tag.description) },
                  { label: 'Created', value: formatDateTime(tag.createdAt) },
                  { label: 'Updated', value: formatDateTime(tag.updatedAt) },
                ],
              },
            ]}
          />
        </div>
      )}
    </RecordView>
  );
}

function Usage({ tag, query }: { tag: Tag; query: ReturnType<typeof tags.useUsage> }) {
  const usage = query.data?.data.usage;
  if (query.error && !query.isFetching) {
    return (
      <Alert
        title="Failed to load usage statistics"
        actions={
          <Button size="sm" onClick={() => void query.refetch()}>
            Retry
          </Button>
        }
      >
        There was an error fetching the usage data. Please try again.
      </Alert>
    );
  }
  const shown = (count: number | undefined) => count?.toLocaleString('en-IN');
  return (
    <section aria-label="Usage statistics" aria-busy={query.isFetching || undefined}>
      <div className="flex gap-3">
        <StatCard label="Total Challans" value={shown(usage?.totalChallans)} />
        <StatCard label="Paid Challans" value={shown(usage?.paidChallans)} tone="good" />
        <StatCard label="Unpaid Challans" value={shown(usage?.unpaidChallans)} />
      </div>
      <p className="mt-2 min-h-5 text-muted">
        {usage &&
          (usage.canDelete
            ? 'No challan uses this tag: it can be deleted.'
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
