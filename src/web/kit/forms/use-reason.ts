import { useRef, useState } from 'react';

/** State of the Reason field in a dialog. The field shows `current` until something is typed. */
export function useReasonField(current = '') {
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const reason = typed ?? current;
  return {
    reason,
    field,
    /** Shows the error and focuses the field. */
    refuse: (error: string | undefined): void => {
      setProblem(error);
      field.current?.focus();
    },
    /** The props of the TextArea. */
    fieldProps: {
      label: 'Reason',
      error: problem,
      value: reason,
      onValueChange: (text: string): void => {
        setTyped(text);
        setProblem(undefined);
      },
    },
  };
}
