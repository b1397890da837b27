import { useId } from 'react';
import { Button } from '../ui/button.tsx';
import { buttonOf, useActions, type Action } from './registry.ts';

interface ConfirmButtonProps {
  label: string;
  run: () => void;
  variant?: 'primary' | 'danger';
  busy?: boolean;
  disabledReason?: string | undefined;
  /** Why the button, but not its key, is disabled for the moment: `run` ignores the key. */
  blocked?: string | undefined;
  calls?: Action['calls'];
  /** The dialog saves what was typed: Ctrl+S does so too. */
  isSave?: boolean;
}

export const confirmKey = 'Ctrl+Enter';

/** The button that confirms a dialog, and its key. Render it inside the dialog, so that the key belongs to that dialog. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, run, variant = 'primary', busy, disabledReason, blocked, calls, isSave } = props;
  const id = useId();
  const keys = isSave ? [confirmKey, 'Ctrl+S'] : confirmKey;
  const action: Action = { id: `confirm${id}`, label, keys, run, calls, disabledReason, scope: 'Dialog' };
  useActions([action]);
  const button = buttonOf(action);
  return (
    <Button variant={variant} busy={busy} {...button} disabledReason={button.disabledReason ?? blocked}>
      {label}
    </Button>
  );
}

interface ConfirmButtonsProps extends ConfirmButtonProps {
  onCancel: () => void;
  /** The label of the button that cancels. */
  cancel?: string;
}

/** The footer of a dialog that asks: cancel, and confirm. */
export function ConfirmButtons({ onCancel, cancel = 'Cancel', ...confirm }: ConfirmButtonsProps) {
  return (
    <>
      <Button onClick={onCancel}>{cancel}</Button>
      <ConfirmButton {...confirm} />
    </>
  );
}
