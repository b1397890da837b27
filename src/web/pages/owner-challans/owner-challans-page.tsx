import { useEffect, useRef } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import { AuthenticationRequired } from '../../shell/authentication-required.tsx';
import { useSession } from '../../session/session.ts';
import { notify } from '../../feedback/toast.ts';
import { OwnerChallans } from './owner-challans.tsx';

/** docs/specification.md §9.2: a UUID, versions 1 to 5. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Why this screen cannot be shown with this address (docs/specification.md §15.5). */
function ownerIdProblem(ownerId: string): string | undefined {
  if (ownerId.trim() === '') return 'Owner ID is required';
  return uuid.test(ownerId) ? undefined : 'Invalid owner ID format';
}

/** /accounting/owner/{ownerId}/challans (docs/specification.md §9.2). */
export function OwnerChallansPage() {
  const session = useSession();
  const { ownerId = '', '*': rest = '' } = useParams();
  if (!session) {
    return <AuthenticationRequired title="Owner Challans" text="Please log in to access accounting management." />;
  }
  // Neither an owner's challans nor their address without the owner: as any other unknown path
  // (docs/specification.md §2.1).
  if (!/^\/*(challans)?\/*$/.test(rest)) return <Navigate to="/login" replace />;
  const problem = ownerIdProblem(ownerId);
  if (problem) return <WrongAddress problem={problem} />;
  // Another owner is another screen: nothing of the one before it stays.
  return <OwnerChallans key={ownerId} ownerId={ownerId} />;
}

function WrongAddress({ problem }: { problem: string }) {
  const isSaid = useRef(false);
  useEffect(() => {
    if (isSaid.current) return;
    isSaid.current = true;
    notify.error(problem);
  }, [problem]);
  return <Navigate to="/accounting" replace />;
}
