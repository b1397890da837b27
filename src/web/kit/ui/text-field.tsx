import type { HTMLInputTypeAttribute, InputHTMLAttributes, KeyboardEvent, ReactNode, Ref } from 'react';
import { clsx } from 'clsx';
import { controlClass, FieldFrame, hasLeftField, type FieldFrameProps } from './field-frame.tsx';

/** The props that every text-like field shares. `FormField` supplies them from a form. */
export interface ValueProps {
  value: string;
  onValueChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
  name?: string | undefined;
}

interface TextFieldProps extends FieldFrameProps, ValueProps {
  type?: Extract<HTMLInputTypeAttribute, 'text' | 'email' | 'password' | 'search' | 'tel'>;
  placeholder?: string;
  autoComplete?: string;
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode'];
  maxLength?: number;
  readOnly?: boolean;
  /** An icon or button inside the right end of the field. */
  trailing?: ReactNode;
  onFocus?: () => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  ref?: Ref<HTMLInputElement> | undefined;
}

export function TextField(props: TextFieldProps) {
  const { value, onValueChange, onBlur, name, type = 'text', trailing, readOnly, ref, ...rest } = props;
  const { placeholder, autoComplete = 'off', inputMode, maxLength, onFocus, onKeyDown, ...frame } = rest;
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <span className="relative block">
          <input
            {...control}
            ref={ref}
            className={clsx(controlClass, trailing !== undefined && 'pr-9')}
            type={type}
            name={name}
            value={value}
            placeholder={placeholder}
            autoComplete={autoComplete}
            inputMode={inputMode}
            maxLength={maxLength}
            readOnly={readOnly || frame.lockedReason !== undefined}
            spellCheck={false}
            onChange={(event) => onValueChange(event.target.value)}
            onBlur={(event) => hasLeftField(event) && onBlur?.()}
            onFocus={onFocus}
            onKeyDown={onKeyDown}
          />
          {trailing !== undefined && (
            <span className="absolute inset-y-0 right-1 grid place-items-center text-muted">{trailing}</span>
          )}
        </span>
      )}
    </FieldFrame>
  );
}

interface TextAreaProps extends FieldFrameProps, ValueProps {
  rows?: number;
  maxLength?: number;
  placeholder?: string;
  ref?: Ref<HTMLTextAreaElement> | undefined;
}

export function TextArea(props: TextAreaProps) {
  const { value, onValueChange, onBlur, name, rows = 3, maxLength, placeholder, ref, ...frame } = props;
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <textarea
          {...control}
          ref={ref}
          className={clsx(controlClass, 'h-auto resize-y py-1.5')}
          rows={rows}
          name={name}
          value={value}
          maxLength={maxLength}
          placeholder={placeholder}
          readOnly={frame.lockedReason !== undefined}
          onChange={(event) => onValueChange(event.target.value)}
          onBlur={(event) => hasLeftField(event) && onBlur?.()}
        />
      )}
    </FieldFrame>
  );
}
