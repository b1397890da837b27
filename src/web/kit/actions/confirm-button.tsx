import { useId } from 'react';
import { Button } from '../ui/button.tsx';
import { useActions } from './registry.ts';

interface ConfirmButtonProps {
  label: string;
  run: () => void;
  variant?: 'primary' | 'danger';
  busy?: boolean;
  disabledReason?: string | undefined;
  /** Why the button, but not its key, is disabled for the moment: `run` ignores the key. */
  blocked?: string | undefined;
  /** The dialog saves what was typed: Ctrl+S does so too. */
  isSave?: boolean;
}

export const confirmKey = 'Ctrl+Enter';

/** The button that confirms a dialog, and its key. Render it inside the dialog, so that the key belongs to that dialog. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, run, variant = 'primary', busy, disabledReason, blocked, isSave } = props;
  const id = useId();
  const keys = isSave ? [confirmKey, 'Ctrl+S'] : confirmKey;
  useActions([{ id: `confirm${id}`, label, keys, run, disabledReason, scope: 'Dialog' }]);
  return (
    <Button variant={variant} keys={confirmKey} busy={busy} disabledReason={disabledReason ?? blocked} onClick={run}>
      {label}
    </Button>
  );
}
