import { useEffect, useState, type FormEvent } from 'react';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { secondStep } from '../../resources/second-step.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/**
 * Sets up a second step at sign-in (docs/specification.md §28.8): the secret as a picture and as text, a code that confirms it,
 * and the recovery codes, which are shown once.
 */
export function SecondStepSetUp({ onDone }: { onDone: () => void }) {
  const { mutate: begin, data: begun, error: beginError, isPending: isBeginning } = secondStep.useBegin({});
  const confirm = secondStep.useConfirm({
    onError: () => {
      setCode('');
      field?.focus();
    },
  });
  const [code, setCode] = useState('');
  const [field, setField] = useState<HTMLInputElement | null>(null);
  useEffect(() => begin({}), [begin]);
  useEffect(() => field?.focus(), [field]);

  if (confirm.data) return <RecoveryCodes codes={confirm.data.data.recoveryCodes} onDone={onDone} />;
  if (!begun)
    return beginError ? (
      <FailureAlert error={beginError} fallback="Failed to begin" onRetry={() => begin({})} isRetrying={isBeginning} />
    ) : (
      <Spinner label="Making a secret" />
    );
  const { secret, qr } = begun.data;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (code.trim() === '') field?.focus();
    else if (!confirm.isPending) confirm.mutate({ body: { code } });
  };
  return (
    <form className="grid gap-4 sm:grid-cols-[auto_1fr]" noValidate onSubmit={submit}>
      {/* Dark on white in both themes: cameras read nothing else reliably. */}
      <svg
        role="img"
        aria-label="QR code of the secret"
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        shapeRendering="crispEdges"
        className="size-48 rounded bg-white"
      >
        <path d={qr.path} fill="#000" />
      </svg>
      <div className="grid content-start gap-2">
        <p>
          Scan the picture with an authenticator app, such as Aegis, Google Authenticator or Microsoft Authenticator.
        </p>
        <p>
          Without a camera, type this into the app:
          <br />
          <span className="font-mono font-medium break-words select-all">{secret}</span>
        </p>
        {confirm.error && <FailureAlert error={confirm.error} fallback="Failed to check the code" />}
        <TextField
          ref={setField}
          label="Code that the app shows"
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          maxLength={40}
          value={code}
          onValueChange={setCode}
        />
        <Button type="submit" variant="primary" className="h-9" busy={confirm.isPending}>
          Turn On
        </Button>
      </div>
    </form>
  );
}
