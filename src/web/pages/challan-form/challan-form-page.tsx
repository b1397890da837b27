import { useEffect, useLayoutEffect } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { isApiError } from '../../api/api-error.ts';
import { challans } from '../../api/challans.ts';
import { Page } from '../../shell/page.tsx';
import { notify } from '../../feedback/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton, useDelayed } from '../../ui/skeleton.tsx';
import { ChallanForm } from './challan-form.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';

/** /challans/create and /challans/edit/{id}; each challan has a form of its own. */
export function ChallanFormPage() {
  const { id } = useParams();
  const location = useLocation();
  const copyFrom = copiedId(location.state);
  if (id) return <EditForm key={id} id={id} />;
  if (copyFrom) return <CopyForm key={`${copyFrom} ${location.key}`} id={copyFrom} />;
  return <ChallanForm key="new" />;
}

/** A list's "duplicate" comes with `{ state: { copyFrom: id } }`. */
function copiedId(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('copyFrom' in state)) return undefined;
  return typeof state.copyFrom === 'string' ? state.copyFrom : undefined;
}

/** As it is stored now: an older copy of the cache would be refused on saving as somebody else's change. */
const freshly = { staleTime: 0, refetchOnMount: 'always', refetchOnWindowFocus: false } as const;

function EditForm({ id }: { id: string }) {
  const query = challans.useGet({ params: { id } }, freshly);
  if (query.data && query.isFetchedAfterMount) return <ChallanForm stored={query.data.data} />;
  if (query.error) return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading title="Edit Challan" />;
}

function CopyForm({ id }: { id: string }) {
  const query = challans.useGet({ params: { id } }, { staleTime: 60_000, refetchOnWindowFocus: false });
  const { error } = query;
  useEffect(() => {
    if (error) notify.error(error, 'Challan not found');
  }, [error]);
  if (query.isPending) return <Loading title="Create Challans" />;
  return <ChallanForm copyFrom={query.data?.data} />;
}

function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isGone = isApiError(error, 'NOT_FOUND') || isApiError(error, 'INVALID_ID');
  return (
    <Page title="Edit Challan">
      {isGone ? (
        <EmptyState title="Challan not found" actions={<Link to="/challans">Back to Challans</Link>}>
          It may have been deleted, or the address is not complete.
        </EmptyState>
      ) : (
        <FailureAlert error={error} fallback="Failed to fetch challans" onRetry={onRetry} />
      )}
    </Page>
  );
}

/** Keys that would type, move on or save: the form they are meant for is not there yet, and nothing else may take them. */
const isForForm = (event: KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey
    ? event.code === 'KeyS' || event.key === 'Enter'
    : !event.altKey && (event.key.length === 1 || event.key === 'Enter');

function Loading({ title }: { title: string }) {
  const isLate = useDelayed(true);
  // With the drawing: a key between it and an effect would go to the screen.
  useLayoutEffect(() => {
    const swallow = (event: KeyboardEvent): void => {
      // Buttons and fields around the form, and dialogs over it, keep their keys. The heading has the focus until the form comes.
      const isElsewhere = !(event.target instanceof Element) || !event.target.matches('body, main, h1');
      if (isElsewhere || !isForForm(event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', swallow, true);
    return () => window.removeEventListener('keydown', swallow, true);
  }, []);
  return (
    <Page title={title}>
      <div role="status" className="grid gap-3">
        <span className="sr-only">Loading the challan</span>
        {isLate && ['h-56', 'h-60', 'h-36'].map((height) => <Skeleton key={height} className={`${height} w-full`} />)}
      </div>
    </Page>
  );
}
