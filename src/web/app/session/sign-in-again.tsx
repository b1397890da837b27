import { createPortal } from 'react-dom';
import { endSession, type Session } from '../../kit/api/session-store.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { LoginForm } from './login-form.tsx';
import { OverScreens } from './over-screens.tsx';
import { signInProps } from './sign-in.ts';

/** The sign-in over the screens whose session has expired. */
export function SignInAgain({ session, hasRefusedWrite }: { session: Session; hasRefusedWrite: boolean }) {
  return createPortal(
    <OverScreens title="Your session has ended" text="Sign in again to continue. This screen stays as you left it.">
      {hasRefusedWrite && (
        <Alert tone="warn" title="Your last change was not saved" className="mb-4">
          Sign in, then make the change again.
        </Alert>
      )}
      <LoginForm email={session.user.email} {...signInProps[session.role]} submitLabel="Sign in" />
      <Button className="mt-2 h-9 w-full" onClick={() => endSession('expired')}>
        Use another account
      </Button>
    </OverScreens>,
    document.body,
  );
}
