import { useRef, useState } from 'react';

/** The reason that an act asks for in its dialog; `current` is there until something is typed. */
export function useReason(current = '') {
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const reason = typed ?? current;
  return {
    reason,
    field,
    refuse: (why: string | undefined): void => {
      setProblem(why);
      field.current?.focus();
    },
    /** For its TextArea. */
    ofField: {
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
