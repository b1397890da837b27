import { useState, type ComponentProps } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { TextField } from './text-field.tsx';

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'trailing' | 'required'> & { label: string };

/** A password field with a button that shows the password, so that the user can notice typing errors. */
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
