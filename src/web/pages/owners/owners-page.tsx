import { useSession } from '../../shell/session.ts';
import { AuthenticationRequired } from '../../shell/authentication-required.tsx';
import { OwnerList } from './owner-list.tsx';

/** /owners (part 1 §2). */
export function OwnersPage() {
  if (!useSession()) {
    return <AuthenticationRequired title="Owners" text="Please log in to access owner management." />;
  }
  return <OwnerList />;
}
