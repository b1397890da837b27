import type { ReactNode } from 'react';
import { Moon, Sun } from 'lucide-react';
import { IconButton, Button } from '../../kit/ui/button.tsx';
import { defaultBrand, useSession } from '../../kit/api/use-session.ts';
import { toggleTheme, useTheme } from '../../kit/ui/theme.ts';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import { type Session, getLastEnd } from '../../kit/api/session-store.ts';
import { homeOf, landingAfter } from './landing.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { signInProps } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { LoginForm } from './login-form.tsx';

/** The page around a form for who is not signed in. */
export function LoginFrame({ title, children, footer }: { title: string; children: ReactNode; footer: ReactNode }) {
  const theme = useTheme();
  return (
    <main className="relative grid min-h-full place-items-center bg-canvas p-6">
      <div className="absolute top-4 right-4">
        <IconButton
          label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
          icon={theme === 'dark' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
          onClick={toggleTheme}
        />
      </div>
      <div className="w-full max-w-88">
        <p className="mb-6 flex items-center justify-center gap-2.5 text-base font-semibold">
          <img src="/favicon.svg" alt="" className="size-7" />
          {defaultBrand}
        </p>
        <section className="rounded-xl border border-line bg-surface p-6 shadow-card">
          <h1 className="mb-4 text-lg font-semibold">{title}</h1>
          {children}
        </section>
        <div className="mt-4 text-center text-muted">{footer}</div>
      </div>
    </main>
  );
}

/** Shown on the sign-in page of the other role: says who is signed in, and offers to continue or to sign out. */
function SignedInNotice({ session }: { session: Session }) {
  const navigate = useNavigate();
  return (
    <Alert
      tone="info"
      className="mb-4"
      title={`You are signed in as ${session.user.email} (${session.role})`}
      actions={
        <>
          <Button size="sm" onClick={() => void navigate(homeOf(session.role))}>
            Continue
          </Button>
          <Button size="sm" onClick={signOut}>
            Sign out
          </Button>
        </>
      }
    >
      Signing in below ends this session.
    </Alert>
  );
}

/** /login: the sign-in of sub-admins. Every unknown path redirects here. */
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
          Sign in to continue where you left off. What you typed is kept.
        </Alert>
      )}
      <LoginForm {...signInProps.subadmin} submitLabel="Sign in" />
    </LoginFrame>
  );
}

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
      <LoginForm {...signInProps.admin} submitLabel="Sign in" />
    </LoginFrame>
  );
}
