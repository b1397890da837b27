import { useEffect, useState, type FormEvent } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ApiError } from '../../kit/api/api-error.ts';
import { queryClient } from '../../kit/api/query-client.ts';
import { getSession, subscribeSession } from '../../kit/api/session-store.ts';
import { FailureAlert, QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { secondStep } from '../../resources/second-step.ts';
import { SecondStepSetUp } from '../../features/profile/index.ts';
import { OverScreens } from './over-screens.tsx';
import { signOut } from './sign-out.ts';

/** What is being asked, by the code of the refusal: calls that are refused meanwhile wait for the same answer. */
const asking = new Map<string, Promise<void>>();

/**
 * Asks the user for what a call was refused without: to confirm who they are, or to set up a second step. Resolves when it is
 * done, so that the call can be made again. Rejects with the refusal when the user does not want to, or the session ends.
 */
export function ask(refusal: ApiError): Promise<void> {
  const { code } = refusal;
  const now = asking.get(code) ?? show(refusal).finally(() => asking.delete(code));
  asking.set(code, now);
  return now;
}

function show(refusal: ApiError): Promise<void> {
  const host = document.body.appendChild(document.createElement('div'));
  // Its own root: it is over all screens, and belongs to none.
  const root = createRoot(host);
  const token = getSession()?.token;
  return new Promise<void>((resolve, reject) => {
    const end = (settle: () => void): void => {
      unsubscribe();
      root.unmount();
      host.remove();
      settle();
    };
    const onDone = (): void => end(resolve);
    const onCancel = (): void => end(() => reject(refusal));
    const unsubscribe = subscribeSession(() => {
      if (getSession()?.token !== token) onCancel();
    });
    root.render(
      <QueryClientProvider client={queryClient}>
        {refusal.code === 'SECOND_STEP_MISSING' ? (
          <SetUpFirst onDone={onDone} />
        ) : (
          <ConfirmAgain onDone={onDone} onCancel={onCancel} />
        )}
      </QueryClientProvider>,
    );
  });
}

/** The one screen of who lacks a second step that is demanded (docs/specification.md §28.8). */
function SetUpFirst({ onDone }: { onDone: () => void }) {
  return (
    <OverScreens
      isWide
      title="Set up your second step"
      text="It is demanded of you: from now on, signing in asks for a code of your phone after the password."
    >
      <SecondStepSetUp onDone={onDone} />
      <Button className="mt-2 h-9 w-full" onClick={signOut}>
        Logout
      </Button>
    </OverScreens>
  );
}

/** Asks again who the user is (docs/specification.md §28.9). */
function ConfirmAgain({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const state = secondStep.useGet({});
  return (
    <OverScreens
      title="Confirm that it is you"
      text="Before this is done, and not again for 10 minutes."
      onEscape={onCancel}
    >
      {state.isPending && <Spinner label="Loading" />}
      <QueryFailure query={state} fallback="Failed to load" />
      {state.data && <ProofForm by={state.data.data.isOn ? 'code' : 'password'} onDone={onDone} />}
      <Button className="mt-2 h-9 w-full" onClick={onCancel}>
        Cancel
      </Button>
    </OverScreens>
  );
}

function ProofForm({ by, onDone }: { by: 'code' | 'password'; onDone: () => void }) {
  const [value, setValue] = useState('');
  const [field, setField] = useState<HTMLInputElement | null>(null);
  const confirm = secondStep.useConfirmAgain({
    onSuccess: onDone,
    onError: () => {
      setValue('');
      field?.focus();
    },
  });
  useEffect(() => field?.focus(), [field]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (value.trim() === '') field?.focus();
    else if (!confirm.isPending) confirm.mutate({ body: { [by]: value } });
  };
  return (
    <form className="grid gap-1" noValidate onSubmit={submit}>
      {confirm.error && <FailureAlert className="mb-3" error={confirm.error} fallback="Failed to confirm" />}
      <input type="email" autoComplete="username" value={getSession()?.user.email ?? ''} readOnly hidden />
      <TextField
        ref={setField}
        label={by === 'code' ? 'Code of your app, or a recovery code' : 'Password'}
        type={by === 'code' ? 'text' : 'password'}
        name={by}
        autoComplete={by === 'code' ? 'one-time-code' : 'current-password'}
        required
        value={value}
        onValueChange={setValue}
      />
      <Button type="submit" variant="primary" className="mt-2 h-9 w-full" busy={confirm.isPending}>
        Confirm
      </Button>
    </form>
  );
}
