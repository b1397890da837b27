import { useId } from 'react';
import { useActions } from './registry.ts';

interface ConfirmKeyProps {
  label: string;
  run: () => void;
  disabledReason?: string | undefined;
}

/** Makes Ctrl+Enter confirm a dialog. Render it inside the dialog, so that the key belongs to that dialog. */
export function ConfirmKey({ label, run, disabledReason }: ConfirmKeyProps): null {
  const id = useId();
  useActions([{ id: `confirm${id}`, label, keys: 'Ctrl+Enter', run, disabledReason, scope: 'Dialog' }]);
  return null;
}
