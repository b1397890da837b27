import { Link, Navigate, useLocation } from 'react-router-dom';
import { adminLoginInput } from '../../shared/contract/session.ts';
import { LoginForm } from './login-form.tsx';
import { LoginFrame } from './login-frame.tsx';
import { landingAfter } from '../screens.ts';
import { useSession } from './session.ts';
import { SignedInNotice } from './signed-in-notice.tsx';
import { signInAdmin } from './sign-in.ts';

/** /adminlogin */
export function AdminLoginPage() {
  const session = useSession();
  const location = useLocation();
  if (session?.role === 'admin') return <Navigate to={landingAfter(location.state?.from, 'admin')} replace />;
  return (
    <LoginFrame
      title="Admin sign in"
      footer={
        <Link to="/login" state={location.state}>
          Regular Login
        </Link>
      }
    >
      {session && <SignedInNotice session={session} />}
      <LoginForm
        schema={adminLoginInput}
        signIn={signInAdmin}
        fallback="Invalid admin credentials"
        submitLabel="Sign in"
      />
    </LoginFrame>
  );
}
