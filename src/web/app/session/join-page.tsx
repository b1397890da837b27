import { useEffect, useId, useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { useQuery } from '@tanstack/react-query';
import { joinInput, people as calls, seatTexts } from '../../../shared/contract/people.ts';
import type { AnswerOf } from '../../../shared/contract/define.ts';
import { seatNames } from '../../../shared/contract/seats.ts';
import { PasswordField } from '../../kit/ui/password-field.tsx';
import { holdCommandsDuring } from '../../kit/actions/held-keys.ts';
import { isApiError } from '../../kit/api/api-error.ts';
import { call } from '../../kit/api/client.ts';
import { useSession } from '../../kit/api/use-session.ts';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { FormField } from '../../kit/forms/form-field.tsx';
import { useRecordForm } from '../../kit/forms/record-form.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { homeOf } from './landing.ts';
import { LoginFrame } from './login-pages.tsx';
import CodeForm from './code-form.tsx';
import { device, startSubadminSession } from './sign-in.ts';
import { signOut } from './sign-out.ts';

type Link = AnswerOf<typeof calls.readLink>['data'];

/** The token behind the # of the address. It is taken out of the address, so that the history of the browser has no password. */
function useToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token;
}

/** /join: an invited person sets name and password, and is signed in (docs/specification.md §28.3). */
export function JoinPage() {
  const token = useToken();
  const session = useSession();
  // The session that was open when the link was opened. The one that begins here leaves the page.
  const [isSignedIn, setSignedIn] = useState(session !== null);
  const query = useQuery({
    queryKey: ['join', token],
    queryFn: ({ signal }) => call(calls.readLink, { body: { token } }, { signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const link = query.data?.data;
  const isGone = isApiError(query.error) && query.error.status >= 400 && query.error.status < 429;
  return (
    <LoginFrame title={link && !link.isNew ? 'Set a new password' : 'Join'} footer={null}>
      {query.isPending && <Spinner label="Reading the link" />}
      {query.error && (
        <FailureAlert
          error={query.error}
          title="This link cannot be used"
          fallback="Failed to read the link"
          onRetry={isGone ? undefined : () => void query.refetch()}
          isRetrying={query.isFetching}
        />
      )}
      {link && session && isSignedIn && (
        <Alert
          tone="info"
          title={`You are signed in as ${session.user.email}`}
          actions={
            <Button
              size="sm"
              onClick={() => {
                signOut();
                setSignedIn(false);
              }}
            >
              Sign out and continue
            </Button>
          }
        >
          This link is for {link.email}. To use it, sign out in this browser first.
        </Alert>
      )}
      {link && !(session && isSignedIn) && <JoinForm token={token} link={link} />}
    </LoginFrame>
  );
}

function JoinForm({ token, link }: { token: string; link: Link }) {
  const { business, email, name, seat, isNew } = link;
  const navigate = useNavigate();
  const about = useId();
  const [isBusy, setBusy] = useState(false);
  /** The password is set, and a code is wanted: what goes with it. */
  const [codeToken, setCodeToken] = useState<string>();
  const start = { values: { token, name, password: '' }, version: undefined };
  const record = useRecordForm(joinInput, start, { failureTitle: 'Error' });
  const { control } = record.form;
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input:not([hidden])')?.focus(), []);
  const join = async (body: { token: string; name: string; password: string }): Promise<void> => {
    setBusy(true);
    try {
      startSubadminSession(await holdCommandsDuring(call(calls.join, { body }, { device: device() })));
      await navigate(homeOf('subadmin'), { replace: true });
    } catch (error) {
      if (isApiError(error) && error.code === 'SECOND_STEP_WANTED') {
        setCodeToken((error.data as { token: string }).token);
        return;
      }
      record.showFailure(error, 'Failed to join');
      setBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    record.submit((values) => {
      if (!isBusy) void join(values);
    });
  };
  if (codeToken !== undefined)
    return (
      <CodeForm
        of="subadmin"
        token={codeToken}
        isOver={false}
        onBack={() => void navigate('/login', { replace: true })}
      />
    );
  return (
    <form ref={form} className="grid gap-1" noValidate onSubmit={submit} aria-describedby={about}>
      <p id={about} className="mb-3 text-muted">
        <strong className="text-ink">{business}</strong>
        <br />
        {email}
        <br />
        {seatNames[seat]}. {seatTexts[seat]}
      </p>
      {record.failure && <FailureAlert className="mb-3" isOfFields {...record.failure} />}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <FormField control={control} name="name">
        {(field) => <TextField {...field} label="Your Name" autoComplete="name" required maxLength={100} />}
      </FormField>
      <FormField control={control} name="password">
        {(field) => (
          <PasswordField {...field} label="Password" autoComplete="new-password" hint="At least 6 characters" />
        )}
      </FormField>
      <Button type="submit" variant="primary" className="mt-2 h-9 w-full" busy={isBusy}>
        {isNew ? 'Join' : 'Set Password'}
      </Button>
    </form>
  );
}
