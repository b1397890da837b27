import { useId } from 'react';
import { useActions } from './registry.ts';

interface ConfirmKeyProps {
  label: string;
  run: () => void;
  disabledReason?: string | undefined;
}

/** Ctrl+Enter confirms a dialog. It is put inside the dialog, so that its key belongs to that one. */
export function ConfirmKey({ label, run, disabledReason }: ConfirmKeyProps): null {
  const id = useId();
  useActions([{ id: `confirm${id}`, label, keys: 'Ctrl+Enter', run, disabledReason, scope: 'Dialog' }]);
  return null;
}
