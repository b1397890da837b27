import { useId } from 'react';
import { Button } from '../ui/button.tsx';
import { useActions } from './registry.ts';

interface ConfirmButtonProps {
  label: string;
  run: () => void;
  variant?: 'primary' | 'danger';
  busy?: boolean;
  disabledReason?: string | undefined;
  /** The dialog saves what was typed: Ctrl+S does so too. */
  isSave?: boolean;
}

/** The button that confirms a dialog, and its key. Render it inside the dialog, so that the key belongs to that dialog. */
export function ConfirmButton({ label, run, variant = 'primary', busy, disabledReason, isSave }: ConfirmButtonProps) {
  const id = useId();
  const keys = isSave ? ['Ctrl+Enter', 'Ctrl+S'] : 'Ctrl+Enter';
  useActions([{ id: `confirm${id}`, label, keys, run, disabledReason, scope: 'Dialog' }]);
  return (
    <Button variant={variant} keys="Ctrl+Enter" busy={busy} disabledReason={disabledReason} onClick={run}>
      {label}
    </Button>
  );
}
