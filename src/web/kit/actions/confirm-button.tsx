import { useId } from 'react';
import { Button } from '../ui/button.tsx';
import { buttonOf, useActions, type Action } from './registry.ts';

interface ConfirmButtonProps {
  label: string;
  run: () => void;
  variant?: 'primary' | 'danger';
  busy?: boolean;
  disabledReason?: string | undefined;
  calls?: Action['calls'];
  /** The dialog saves what was typed: Ctrl+S does so too. */
  isSave?: boolean;
}

/** The button that confirms a dialog, and its key. Render it inside the dialog, so that the key belongs to that dialog. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, run, variant = 'primary', busy, disabledReason, calls, isSave } = props;
  const id = useId();
  const keys = isSave ? ['Ctrl+Enter', 'Ctrl+S'] : 'Ctrl+Enter';
  const action: Action = { id: `confirm${id}`, label, keys, run, calls, disabledReason, scope: 'Dialog' };
  useActions([action]);
  return (
    <Button variant={variant} busy={busy} {...buttonOf(action)}>
      {label}
    </Button>
  );
}
