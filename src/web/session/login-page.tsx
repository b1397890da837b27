import { Link, Navigate, useLocation } from 'react-router-dom';
import { subadminLoginInput } from '../../shared/contract/session.ts';
import { getLastEnd } from '../api/session-store.ts';
import { Alert } from '../ui/alert.tsx';
import { LoginForm } from './login-form.tsx';
import { LoginFrame } from './login-frame.tsx';
import { landingAfter } from '../screens.ts';
import { useSession } from './session.ts';
import { SignedInNotice } from './signed-in-notice.tsx';
import { signInSubadmin } from './sign-in.ts';

/** /login: the sub-admins' sign-in, and where every unknown path ends. */
export function LoginPage() {
  const session = useSession();
  const location = useLocation();
  const from: unknown = location.state?.from;
  if (session?.role === 'subadmin') return <Navigate to={landingAfter(from, 'subadmin')} replace />;
  const end = getLastEnd();
  return (
    <LoginFrame
      title="Sign in"
      footer={
        <Link to="/adminlogin" state={location.state}>
          Admin Login
        </Link>
      }
    >
      {session && <SignedInNotice session={session} />}
      {!session && end !== null && end !== 'logout' && (
        <Alert tone="info" title="Your session has ended" className="mb-4">
          Sign in to go on where you were. What you were typing is kept.
        </Alert>
      )}
      <LoginForm
        schema={subadminLoginInput}
        signIn={signInSubadmin}
        fallback="Invalid subadmin credentials"
        submitLabel="Sign in"
      />
    </LoginFrame>
  );
}
