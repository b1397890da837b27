import { lazy, Suspense, useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import type { z } from 'zod';
import type { AccountRole } from '../../../shared/contract/define.ts';
import { holdCommandsDuring } from '../../kit/actions/held-keys.ts';
import { errorText, isApiError, requestIdOf } from '../../kit/api/api-error.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { RequestId } from '../../kit/ui/request-id.tsx';
import { PasswordField } from '../../kit/ui/password-field.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import type { Credentials } from './sign-in.ts';

/** Only who has a second step needs it. */
const CodeForm = lazy(() => import('./code-form.tsx'));

interface LoginFormProps {
  role: AccountRole;
  /** The account whose session continues. The form then asks for the password only. */
  email?: string;
  /** The schema of the contract, whose messages the form shows. */
  schema: z.ZodType<Credentials>;
  signIn: (credentials: Credentials) => Promise<void>;
  /** The message if the server gave none (docs/specification.md §2.3). */
  fallback: string;
  submitLabel: string;
}

type Field = keyof Credentials;

/** Checks a field when it loses the focus (docs/specification.md §2.3), and shows a failed sign-in in an alert. */
export function LoginForm({ role, email: fixedEmail, schema, signIn, fallback, submitLabel }: LoginFormProps) {
  const [values, setValues] = useState<Credentials>({ email: fixedEmail ?? '', password: '' });
  const [touched, setTouched] = useState<Partial<Record<Field, boolean>>>({});
  const [failure, setFailure] = useState<{ text: string; requestId: string | undefined }>();
  const [isBusy, setBusy] = useState(false);
  /** The password was right and a code is wanted: what goes with it. */
  const [codeToken, setCodeToken] = useState<string>();
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  useLayoutEffect(() => (email.current ?? password.current)?.focus(), []);

  const problems = problemsOf(schema, values);
  const errorOf = (field: Field): string | undefined => (touched[field] ? problems[field] : undefined);
  const change = (field: Field) => (value: string) => setValues((before) => ({ ...before, [field]: value }));
  const leave = (field: Field) => () => setTouched((before) => ({ ...before, [field]: true }));

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setTouched({ email: true, password: true });
    if (problems.email) return email.current?.focus();
    if (problems.password) return password.current?.focus();
    setFailure(undefined);
    setBusy(true);
    const focusedBefore = document.activeElement;
    try {
      // Screens that wait behind this form handle their own keys as soon as it closes.
      await (fixedEmail === undefined ? holdCommandsDuring(signIn(values)) : signIn(values));
    } catch (error) {
      // A failed sign-in never redirects (docs/specification.md §2.3). The password has to be typed again, the email stays.
      if (isApiError(error) && error.code === 'SECOND_STEP_WANTED')
        return setCodeToken((error.data as { token: string }).token);
      const text = error instanceof Error && error.name === 'Error' ? error.message : errorText(error, fallback);
      setFailure({ text, requestId: requestIdOf(error) });
      // A user who is already typing again, or has moved to another field, is not interrupted.
      setValues((before) => (before.password === values.password ? { ...before, password: '' } : before));
      setTouched({});
      const focused = document.activeElement;
      if (focused === focusedBefore || focused === document.body) password.current?.focus();
    } finally {
      setBusy(false);
    }
    return undefined;
  };

  const closeFailure = (): void => {
    setFailure(undefined);
    // The alert disappears with the button that has the focus.
    password.current?.focus();
  };

  if (codeToken !== undefined) {
    const back = (): void => {
      setCodeToken(undefined);
      setValues((before) => ({ ...before, password: '' }));
      setTouched({});
    };
    return (
      <Suspense>
        <CodeForm of={role} token={codeToken} isOver={fixedEmail !== undefined} onBack={back} />
      </Suspense>
    );
  }
  return (
    <form className="grid gap-1" noValidate onSubmit={(event) => void submit(event)}>
      {failure && (
        <Alert title="Login Failed" className="mb-3" onClose={closeFailure}>
          <p>{failure.text}</p>
          <RequestId id={failure.requestId} />
        </Alert>
      )}
      {fixedEmail === undefined ? (
        <TextField
          ref={email}
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          value={values.email}
          onValueChange={change('email')}
          onBlur={leave('email')}
          error={errorOf('email')}
        />
      ) : (
        <>
          <p className="mb-3 font-medium break-words">{fixedEmail}</p>
          {/* Password managers look for the user name beside the password. */}
          <input type="email" name="email" autoComplete="username" value={fixedEmail} readOnly hidden />
        </>
      )}
      <PasswordField
        ref={password}
        label="Password"
        name="password"
        autoComplete="current-password"
        value={values.password}
        onValueChange={change('password')}
        onBlur={leave('password')}
        error={errorOf('password')}
      />
      <Button type="submit" variant="primary" className="mt-2 h-9 w-full" busy={isBusy}>
        {submitLabel}
      </Button>
    </form>
  );
}

function problemsOf(schema: z.ZodType<Credentials>, values: Credentials): Partial<Record<Field, string>> {
  const result = schema.safeParse(values);
  const found: Partial<Record<Field, string>> = {};
  for (const { path, message } of result.error?.issues ?? []) {
    const field = path[0];
    if (field === 'email' || field === 'password') found[field] ??= message;
  }
  return found;
}
