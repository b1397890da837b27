import { useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import type { AccountRole } from '../../../shared/contract/define.ts';
import { secondStep } from '../../../shared/contract/second-step.ts';
import { holdCommandsDuring } from '../../kit/actions/held-keys.ts';
import { isApiError } from '../../kit/api/api-error.ts';
import { call } from '../../kit/api/client.ts';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { device, startAdminSession, startSubadminSession } from './sign-in.ts';

interface CodeFormProps {
  of: AccountRole;
  /** Of the answer that wanted a code. */
  token: string;
  /** The screens behind handle their own keys as soon as the form closes. */
  isOver: boolean;
  /** Asks for the password again. */
  onBack: () => void;
}

/** The second step of a sign-in, for who has one (docs/specification.md §28.8): a code of the app or a recovery code. */
export default function CodeForm({ of: role, token, isOver, onBack }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);

  const signIn = async (): Promise<void> => {
    const body = { token, code };
    const options = { device: device() };
    if (role === 'admin') startAdminSession(await call(secondStep.signInAdmin, { body }, options));
    else startSubadminSession(await call(secondStep.signInSubadmin, { body }, options));
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    if (code.trim() === '') {
      field.current?.focus();
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await (isOver ? signIn() : holdCommandsDuring(signIn()));
    } catch (failure) {
      setError(failure);
      setBusy(false);
      setCode('');
      field.current?.focus();
    }
  };
  // The password has waited too long, and no code helps.
  const isLate = isApiError(error) && error.code === 'INVALID_CREDENTIALS';
  return (
    <form className="grid gap-1" noValidate onSubmit={(event) => void submit(event)}>
      {error !== undefined && (
        <FailureAlert className="mb-3" title="Login Failed" error={error} fallback="Failed to check the code" />
      )}
      {!isLate && (
        <>
          <p className="mb-3 text-muted">
            Type the six digits that your authenticator app shows now. Without your phone, type one of your recovery
            codes.
          </p>
          <TextField
            ref={field}
            label="Code"
            name="code"
            autoComplete="one-time-code"
            required
            maxLength={40}
            value={code}
            onValueChange={setCode}
          />
          <Button type="submit" variant="primary" className="mt-2 h-9 w-full" busy={isBusy}>
            Continue
          </Button>
        </>
      )}
      <Button className="mt-2 h-9 w-full" onClick={onBack}>
        Back
      </Button>
    </form>
  );
}
