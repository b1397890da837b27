import { useEffect, useLayoutEffect } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { canEditChallan, reasonOf } from '../../../../shared/access.ts';
import { isApiError } from '../../../kit/api/api-error.ts';
import { person } from '../../../kit/api/seat.ts';
import { challans } from '../../../resources/challans.ts';
import { Page } from '../../../kit/ui/page.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { Skeleton, useDelayed } from '../../../kit/ui/skeleton.tsx';
import { ChallanForm } from './challan-form.tsx';
import { readAgain } from '../../../kit/api/create-resource.ts';
import { FailureAlert } from '../../../kit/feedback/failure-alert.tsx';

/** /challans/create and /challans/edit/{id}. The keys give each challan a new form. */
export function ChallanFormPage() {
  const { id } = useParams();
  const location = useLocation();
  const copyFrom = copiedId(location.state);
  if (id) return <EditForm key={id} id={id} />;
  if (copyFrom) return <CopyForm key={`${copyFrom} ${location.key}`} id={copyFrom} />;
  return <ChallanForm key="new" />;
}

/** The id in the router state `{ copyFrom: id }`, which a list's "duplicate" sets. */
function copiedId(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('copyFrom' in state)) return undefined;
  return typeof state.copyFrom === 'string' ? state.copyFrom : undefined;
}

function EditForm({ id }: { id: string }) {
  const query = challans.useGet({ params: { id } }, { ...readAgain, refetchOnWindowFocus: false });
  if (query.data && query.isFetchedAfterMount) {
    const stored = query.data.data;
    const refusal = reasonOf(canEditChallan(person(), stored));
    return refusal ? <NotAllowed id={id} reason={refusal} /> : <ChallanForm stored={stored} />;
  }
  if (query.error) return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading title="Edit Challan" />;
}

function NotAllowed({ id, reason }: { id: string; reason: string }) {
  return (
    <Page title="Edit Challan">
      <EmptyState title={reason} actions={<Link to={`/challans?open=${id}`}>Show the challan</Link>} />
    </Page>
  );
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
          It may have been deleted, or the link is incomplete.
        </EmptyState>
      ) : (
        <FailureAlert error={error} fallback="Failed to fetch challans" onRetry={onRetry} />
      )}
    </Page>
  );
}

/** Whether a key types, moves on or saves. It is meant for the form, which is still loading, and nothing else may use it. */
const isForForm = (event: KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey
    ? event.code === 'KeyS' || event.key === 'Enter'
    : !event.altKey && (event.key.length === 1 || event.key === 'Enter');

function Loading({ title }: { title: string }) {
  const isLate = useDelayed(true);
  // A layout effect: a key pressed before a normal effect ran would reach the screen.
  useLayoutEffect(() => {
    const swallow = (event: KeyboardEvent): void => {
      // Buttons, fields and dialogs keep their keys. The heading has the focus until the form is loaded.
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
