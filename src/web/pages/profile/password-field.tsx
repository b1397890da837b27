import { useState, type Ref } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { TextField } from '../../ui/text-field.tsx';

interface PasswordFieldProps {
  label: string;
  autoComplete: 'current-password' | 'new-password';
  hint?: string;
  name: string;
  value: string;
  onValueChange: (value: string) => void;
  onBlur: () => void;
  error: string | undefined;
  isErrorAbove?: boolean;
  ref: Ref<HTMLInputElement>;
}

/** A password, hidden unless asked to be shown: what is typed blind twice is typed wrong twice. */
export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      required
      type={isShown ? 'text' : 'password'}
      trailing={
        <button
          type="button"
          aria-label={`${isShown ? 'Hide' : 'Show'} ${props.label.toLowerCase()}`}
          className="grid size-6 place-items-center rounded hover:bg-hover hover:text-ink"
          onClick={() => setShown(!isShown)}
        >
          <Icon size={15} aria-hidden />
        </button>
      }
    />
  );
}
