import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { clsx } from 'clsx';
import { controlClass, FieldFrame, hasLeftField, type FieldFrameProps } from './field-frame.tsx';
import { assignRef } from './assign-ref.ts';
import type { ValueProps } from './text-field.tsx';

/** Turns typed text into an amount. The caller passes it in, because this folder contains no business rules. */
export type NormalizeAmount = (text: string) => { value: string; isRounded: boolean } | { error: string };

interface AmountFieldProps extends FieldFrameProps, ValueProps {
  normalize: NormalizeAmount;
  /** Formats the value while the field is not being edited: "1,23,456.50". */
  format: (value: string) => string;
  /** Shown before the number: ₹. */
  sign?: string | undefined;
  /** Shown after the number: MT, L, %. */
  unit?: string | undefined;
  placeholder?: string;
  readOnly?: boolean;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  onFocus?: () => void;
  ref?: Ref<HTMLInputElement> | undefined;
}

/**
 * A decimal number in a text input, so that neither mouse wheel, arrow keys nor locale can change it
 * (docs/specification.md §3.5). While the user types, the value is the typed text. On blur it is normalised and rounded
 * half-up, and a note says so.
 */
export function AmountField(props: AmountFieldProps) {
  const { value, onValueChange, onBlur, name, normalize, format, sign, unit, ref, ...rest } = props;
  const { placeholder, readOnly, onKeyDown, onFocus, error, hint, ...frame } = rest;
  const [isEditing, setEditing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // On focus the field shows the ungrouped number and selects it, so that typing replaces it. This must happen in the same
  // turn as the focus: a frame later the first typed digits could be selected, and the next ones would replace them.
  useLayoutEffect(() => {
    if (isEditing && document.activeElement === input.current) input.current?.select();
  }, [isEditing]);
  /** The last typed text. Any other value was set from outside; it is selected, so that the next digits replace it. */
  const lastTyped = useRef(value);
  useLayoutEffect(() => {
    if (lastTyped.current === value) return;
    lastTyped.current = value;
    if (document.activeElement === input.current) input.current?.select();
  }, [value]);
  /** The error and the text it is about. It disappears when a value is set from outside (prefill, Clear Form). */
  const [problem, setProblem] = useState<{ about: string; text: string }>();
  /** The value after rounding: the note about it stays until the value changes. */
  const [roundedTo, setRoundedTo] = useState<string>();

  const settle = (): void => {
    setEditing(false);
    const result = normalize(value);
    if ('error' in result) {
      setProblem({ about: value, text: result.error });
    } else {
      setProblem(undefined);
      setRoundedTo(result.isRounded ? result.value : undefined);
      if (result.value !== value) onValueChange(result.value);
    }
    onBlur?.();
  };

  const parsed = isEditing ? undefined : normalize(value);
  const shown = parsed && 'value' in parsed && parsed.value !== '' ? format(parsed.value) : value;
  const note: ReactNode = roundedTo !== undefined && roundedTo === value ? `Rounded to ${format(roundedTo)}` : hint;
  return (
    <FieldFrame {...frame} hint={note} error={problem?.about === value ? problem.text : error}>
      {(control) => (
        <Affixed sign={sign} unit={unit}>
          <input
            {...control}
            ref={(element) => {
              input.current = element;
              return assignRef(ref, element);
            }}
            className={clsx(controlClass, 'nums text-right', affixRoom(sign, unit))}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            name={name}
            value={shown}
            placeholder={placeholder}
            readOnly={readOnly || frame.lockedReason !== undefined}
            onChange={(event) => {
              setProblem(undefined);
              lastTyped.current = event.target.value;
              onValueChange(event.target.value);
            }}
            onFocus={() => {
              setEditing(true);
              onFocus?.();
            }}
            onBlur={(event) => hasLeftField(event) && settle()}
            onKeyDown={(event) => {
              if (event.key === 'ArrowUp' || event.key === 'ArrowDown') event.preventDefault();
              onKeyDown?.(event);
            }}
          />
        </Affixed>
      )}
    </FieldFrame>
  );
}

/** Shows a sign before and a unit after a number, in the same way in every field. */
export function Affixed({
  sign,
  unit,
  children,
}: {
  sign?: string | undefined;
  unit?: string | undefined;
  children: ReactNode;
}) {
  const look = 'pointer-events-none absolute inset-y-0 grid place-items-center text-xs text-muted';
  return (
    <span className="relative block">
      {children}
      {sign && (
        <span aria-hidden className={clsx(look, 'left-2.5')}>
          {sign}
        </span>
      )}
      {unit && (
        <span aria-hidden className={clsx(look, 'right-2.5')}>
          {unit}
        </span>
      )}
    </span>
  );
}

export const affixRoom = (sign: string | undefined, unit: string | undefined): string =>
  clsx(sign && 'pl-6', unit && 'pr-9');
