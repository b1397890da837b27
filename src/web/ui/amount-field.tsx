import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { clsx } from 'clsx';
import { controlLook, FieldFrame, isLeft, type FieldFrameProps } from './field-frame.tsx';
import { giveRef } from './give-ref.ts';
import type { ValueProps } from './text-field.tsx';

/** What the shared arithmetic makes of typed text; passed in, since this folder knows no business rule. */
export type NormalizeAmount = (text: string) => { value: string; rounded: boolean } | { error: string };

interface AmountFieldProps extends FieldFrameProps, ValueProps {
  normalize: NormalizeAmount;
  /** Grouping shown while the field is not being edited: "1,23,456.50". */
  format: (value: string) => string;
  /** Before the figure: ₹. */
  sign?: string | undefined;
  /** Behind it: MT, L, %. */
  unit?: string | undefined;
  placeholder?: string;
  readOnly?: boolean;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  onFocus?: () => void;
  ref?: Ref<HTMLInputElement> | undefined;
}

/**
 * A decimal number as text: no wheel, no arrow key and no locale can change it (docs/specification.md §3.5). While it
 * is typed the value is the text as typed; leaving the field normalises it, rounds half-up and says so.
 */
export function AmountField(props: AmountFieldProps) {
  const { value, onValueChange, onBlur, name, normalize, format, sign, unit, ref, ...rest } = props;
  const { placeholder, readOnly, onKeyDown, onFocus, error, hint, ...frame } = rest;
  const [isEditing, setEditing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // With the ungrouped text all of it is selected: typing replaces the number. In the same turn as the focus, since a
  // frame later the first digits may be there already and would be replaced by the next ones.
  useLayoutEffect(() => {
    if (isEditing && document.activeElement === input.current) input.current?.select();
  }, [isEditing]);
  /** What was typed here last: any other value has come from outside, and the next digits must not be put behind it. */
  const own = useRef(value);
  useLayoutEffect(() => {
    if (own.current === value) return;
    own.current = value;
    if (document.activeElement === input.current) input.current?.select();
  }, [value]);
  /** The complaint and the text it is about: a value that comes from outside (prefill, Clear Form) silences it. */
  const [problem, setProblem] = useState<{ about: string; text: string }>();
  /** The value this field rounded to: the note stays until another value comes. */
  const [roundedTo, setRoundedTo] = useState<string>();

  const settle = (): void => {
    setEditing(false);
    const result = normalize(value);
    if ('error' in result) {
      setProblem({ about: value, text: result.error });
    } else {
      setProblem(undefined);
      setRoundedTo(result.rounded ? result.value : undefined);
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
              return giveRef(ref, element);
            }}
            className={clsx(controlLook, 'nums text-right', affixRoom(sign, unit))}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            name={name}
            value={shown}
            placeholder={placeholder}
            readOnly={readOnly || frame.lockedReason !== undefined}
            onChange={(event) => {
              setProblem(undefined);
              own.current = event.target.value;
              onValueChange(event.target.value);
            }}
            onFocus={() => {
              setEditing(true);
              onFocus?.();
            }}
            onBlur={(event) => isLeft(event) && settle()}
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

/** A figure's sign before it and its unit behind it, the same in every field. */
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
