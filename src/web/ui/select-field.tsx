import type { Ref } from 'react';
import { clsx } from 'clsx';
import { controlLook, FieldFrame, type FieldFrameProps } from './field-frame.tsx';
import type { ValueProps } from './text-field.tsx';

export interface SelectOption<V extends string = string> {
  value: V;
  label: string;
}

interface SelectProps<V extends string> extends FieldFrameProps, Omit<ValueProps, 'value' | 'onValueChange'> {
  value: V;
  onValueChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  ref?: Ref<HTMLSelectElement> | undefined;
}

/** The platform's own select: its keys and its screen reader support need no proof. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { value, onValueChange, onBlur, name, options, ref, ...frame } = props;
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <select
          {...control}
          ref={ref}
          name={name}
          // Every select matches :read-only; only a disabled one should look so.
          className={clsx(controlLook, 'pr-7 enabled:bg-surface enabled:text-ink')}
          value={value}
          disabled={frame.lockedReason !== undefined}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value);
            if (chosen) onValueChange(chosen.value);
          }}
          onBlur={onBlur}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}
