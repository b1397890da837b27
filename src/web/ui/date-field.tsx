import { lazy, Suspense, useEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { CalendarDays } from 'lucide-react';
import { clsx } from 'clsx';
import { useAnchored } from './anchored.ts';
import { controlLook, FieldFrame, type FieldFrameProps } from './field-frame.tsx';
import type { ValueProps } from './text-field.tsx';

/** Text to a day (YYYY-MM-DD), '+' and '-' counted from the field's own day. Passed in: this folder knows no clock. */
export type ParseDay = (text: string, fieldDay: string) => { day: string } | { error: string };

interface DateFieldProps extends FieldFrameProps, ValueProps {
  parse: ParseDay;
  /** A day as it is written: DD/MM/YYYY. */
  format: (day: string) => string;
  /** Told whenever typed text is not a date, so that a form can refuse to be sent; undefined when mended. */
  onProblem?: ((problem: string | undefined) => void) | undefined;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  ref?: Ref<HTMLInputElement> | undefined;
}

const Calendar = lazy(() => import('./calendar.tsx'));

/** A date typed as text, in any of the ways `parse` knows, or picked from a calendar (F4, Alt+Down). Value: YYYY-MM-DD. */
export function DateField(props: DateFieldProps) {
  const { value, onValueChange, onBlur, name, parse, format, onProblem, onKeyDown, ref, error, ...frame } = props;
  /** What is being typed; undefined while the field shows its value. */
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isLocked = frame.lockedReason !== undefined;
  const popup = useAnchored<HTMLDivElement>(input, { isOpen });

  const report = (next: string | undefined): void => {
    if (next !== problem) onProblem?.(next);
    setProblem(next);
  };
  const take = (day: string): void => {
    setTyped(undefined);
    report(undefined);
    if (day !== value) onValueChange(day);
  };
  const settle = (): void => {
    if (typed === undefined) return;
    const result = parse(typed, value);
    if ('error' in result) report(result.error);
    else take(result.day);
  };
  const act = (text: string): void => {
    const result = parse(text, value);
    if ('day' in result) take(result.day);
  };
  const close = (): void => {
    setOpen(false);
    input.current?.focus();
  };

  // A value set from outside replaces typed text that is no date.
  const seen = useRef(value);
  useEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    setTyped(undefined);
    setProblem(undefined);
  }, [value]);

  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const field = event.currentTarget;
    const isWhole = field.value === '' || (field.selectionStart === 0 && field.selectionEnd === field.value.length);
    if (isLocked || event.nativeEvent.isComposing) {
      onKeyDown?.(event);
      return;
    }
    if (event.ctrlKey && event.key === ';') {
      event.preventDefault();
      act('t');
    } else if (isWhole && !event.ctrlKey && !event.altKey && ['t', 'T', '+', '-'].includes(event.key)) {
      // Only over an empty or wholly selected field: '-' also separates the parts of a date.
      event.preventDefault();
      // Selected in the same turn: a frame later the focus may have gone on, and select() would fetch it back.
      flushSync(() => act(event.key));
      field.select();
    } else if (event.key === 'F4' || (event.altKey && event.key === 'ArrowDown')) {
      event.preventDefault();
      settle();
      setOpen(true);
    } else if (event.key === 'Enter' && typed !== undefined) {
      settle();
    } else if (event.key === 'Escape' && typed !== undefined) {
      event.preventDefault();
      take(value);
    }
    onKeyDown?.(event);
  };

  return (
    <FieldFrame {...frame} error={problem ?? error}>
      {(control) => (
        <span className="relative block">
          <input
            {...control}
            ref={(element) => {
              input.current = element;
              if (typeof ref === 'function') return ref(element);
              if (ref) ref.current = element;
              return undefined;
            }}
            className={clsx(controlLook, 'nums pr-8')}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            name={name}
            placeholder="DD/MM/YYYY"
            value={typed ?? (value === '' ? '' : format(value))}
            readOnly={isLocked}
            onChange={(event) => {
              setTyped(event.target.value);
              report(undefined);
            }}
            onFocus={(event) => event.currentTarget.select()}
            onBlur={() => {
              settle();
              onBlur?.();
            }}
            onKeyDown={onKey}
          />
          <button
            type="button"
            tabIndex={-1}
            disabled={isLocked}
            aria-label={`Open calendar for ${frame.label}`}
            aria-expanded={isOpen}
            className="absolute inset-y-0 right-0 grid w-8 place-items-center text-muted hover:text-ink disabled:opacity-50"
            onClick={() => setOpen((open) => !open)}
          >
            <CalendarDays size={15} aria-hidden />
          </button>
          {isOpen && (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- closes itself on Escape and on leaving
            <div
              ref={popup}
              popover="manual"
              role="dialog"
              aria-label={`Calendar, ${frame.label}`}
              data-owns-escape
              className="floating p-2"
              onKeyDown={(event) => {
                if (event.key !== 'Escape') return;
                event.preventDefault();
                event.stopPropagation();
                close();
              }}
              onBlur={(event) => {
                if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
              }}
            >
              <Suspense fallback={<div className="h-72 w-62" />}>
                <Calendar
                  day={value}
                  onPick={(day) => {
                    take(day);
                    close();
                  }}
                />
              </Suspense>
            </div>
          )}
        </span>
      )}
    </FieldFrame>
  );
}
