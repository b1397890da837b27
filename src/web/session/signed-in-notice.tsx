import { Link } from 'react-router-dom';
import type { Session } from '../api/session-store.ts';
import { homeOf } from '../screens.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { signOut } from './sign-in.ts';

/** On a sign-in page of the other role: who is signed in in this browser; to go on as they are, or to sign out. */
export function SignedInNotice({ session }: { session: Session }) {
  const role = session.role === 'admin' ? 'admin' : 'subadmin';
  return (
    <Alert
      tone="info"
      className="mb-4"
      title={`You are signed in as ${session.user.email} (${role})`}
      actions={
        <>
          <Link
            to={homeOf(session.role)}
            className="flex h-7 items-center rounded-md border border-line bg-surface px-2.5 font-medium text-ink no-underline hover:bg-hover"
          >
            Continue
          </Link>
          <Button size="sm" onClick={signOut}>
            Sign out
          </Button>
        </>
      }
    >
      Signing in below ends that session in this browser.
    </Alert>
  );
}
