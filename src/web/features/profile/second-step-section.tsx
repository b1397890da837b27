import { useState } from 'react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { confirm } from '../../kit/feedback/confirm.tsx';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { secondStep } from '../../resources/second-step.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondStepSetUp } from './second-step-set-up.tsx';

const purpose =
  'After the password, signing in asks for a code of an authenticator app on your phone. Who learns your password cannot sign in with it alone.';

/** The own second step at sign-in, with what can be done about it (docs/specification.md §28.8). */
export function SecondStepSection() {
  const query = secondStep.useGet({});
  const state = query.data?.data;
  const [opened, setOpened] = useState<'set-up' | readonly string[]>();
  const close = (): void => setOpened(undefined);
  const { mutateAsync: turnOff } = secondStep.useTurnOff({});
  const { mutateAsync: renewCodes } = secondStep.useRenewCodes({});

  const askTurnOff = async (): Promise<void> => {
    const isDone = await confirm({
      title: 'Turn your second step off?',
      body: 'Signing in asks for the password alone. Your recovery codes end.',
      confirmLabel: 'Turn Off',
      danger: true,
      act: () => turnOff({}),
      failed: 'Failed to turn the second step off',
    });
    if (isDone) notify.success('Your second step is off');
  };
  const askRenew = async (): Promise<void> => {
    let codes: readonly string[] | undefined;
    await confirm({
      title: 'Make new recovery codes?',
      body: 'Those that you have do not work any more.',
      confirmLabel: 'Make New Codes',
      act: async () => {
        codes = (await renewCodes({})).data.recoveryCodes;
      },
      failed: 'Failed to make new recovery codes',
    });
    setOpened(codes);
  };
  return (
    <section
      aria-labelledby="second-step"
      className="rounded-lg border border-line bg-surface px-5 pt-3 pb-4 shadow-card"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="mr-auto">
          <h2 id="second-step" className="font-semibold">
            Second Step at Sign-in
          </h2>
          <p className="text-xs text-muted">{purpose}</p>
        </div>
        {state && !state.isOn && <Button onClick={() => setOpened('set-up')}>Set Up Second Step</Button>}
        {state?.isOn && (
          <>
            <Button onClick={() => void askRenew()}>New Recovery Codes</Button>
            <Button
              disabledReason={
                state.isDemanded ? 'A second step is demanded of you, so it cannot be turned off.' : undefined
              }
              onClick={() => void askTurnOff()}
            >
              Turn Off
            </Button>
          </>
        )}
      </div>
      <QueryFailure className="mt-3" query={query} fallback="Failed to load the second step" />
      {state && (
        <p className="mt-2">
          {state.isOn
            ? `On since ${formatDateTime(state.since ?? '')}. ${state.codesLeft} recovery codes left.`
            : 'Off.'}
        </p>
      )}
      {opened === 'set-up' && (
        <Dialog title="Set Up Second Step" description={purpose} onClose={close}>
          <SecondStepSetUp onDone={close} />
        </Dialog>
      )}
      {typeof opened === 'object' && (
        <Dialog title="New Recovery Codes" onClose={close}>
          <RecoveryCodes codes={opened} onDone={close} />
        </Dialog>
      )}
    </section>
  );
}
