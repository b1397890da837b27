import { lazy, Suspense, useLayoutEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { CalendarDays } from 'lucide-react';
import { clsx } from 'clsx';
import { useAnchored } from './anchored.ts';
import { controlLook, FieldFrame, isLeft, type FieldFrameProps } from './field-frame.tsx';
import { giveRef } from './give-ref.ts';
import { dispatchKey, useKeyHelp, type KeyPress, type KeyTable } from './key-table.ts';
import type { ValueProps } from './text-field.tsx';

/** Text to a day (YYYY-MM-DD), '+' and '-' counted from the field's own day. Passed in: this folder knows no clock. */
export type ParseDay = (text: string, fieldDay: string) => { day: string } | { error: string };

interface DateFieldProps extends FieldFrameProps, ValueProps {
  parse: ParseDay;
  /** In a filter: Escape keeps a date that was typed, as leaving the field does. In a form it goes back to the value. */
  keepsOnEscape?: boolean | undefined;
  /** A day as it is written: DD/MM/YYYY. */
  format: (day: string) => string;
  /** Told whenever typed text is not a date, so that a form can refuse to be sent; undefined when mended. */
  onProblem?: ((problem: string | undefined) => void) | undefined;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  ref?: Ref<HTMLInputElement> | undefined;
}

const Calendar = lazy(() => import('./calendar.tsx'));

/** The keys of a date field (docs/keyboard.md §7), which its handler below dispatches from and the help lists. */
export const dateKeys = {
  today: {
    keys: ['t', 'Ctrl+;'],
    label: 'Today',
    also: ({ key, ctrlKey, altKey }: KeyPress) => key === 'T' && !ctrlKey && !altKey,
  },
  later: { keys: '+', label: 'A day later' },
  earlier: { keys: '-', label: 'A day earlier; between digits it separates the parts of a date' },
  open: { keys: ['F4', 'Alt+↓'], label: 'Open the calendar' },
  take: { keys: 'Enter', label: 'Take the typed date' },
  back: { keys: 'Esc', label: 'Back to the date before; in a filter: keep the typed one' },
} as const satisfies KeyTable;

/** In the open calendar. */
export const calendarKeys = {
  day: { keys: ['↑', '↓', '←', '→'], label: 'A day or a week on or back', by: 'library' },
  month: { keys: ['PgUp', 'PgDn'], label: 'A month back or on', by: 'library' },
  week: { keys: ['Home', 'End'], label: 'First and last day of the week', by: 'library' },
  pick: { keys: ['Enter', 'Space'], label: 'Take the day', by: 'browser' },
  close: { keys: 'Esc', label: 'Close the calendar' },
} as const satisfies KeyTable;

/** A date typed as text, in any of the ways `parse` knows, or picked from a calendar (F4, Alt+Down). Value: YYYY-MM-DD. */
export function DateField(props: DateFieldProps) {
  const {
    value,
    onValueChange,
    onBlur,
    name,
    parse,
    keepsOnEscape,
    format,
    onProblem,
    onKeyDown,
    ref,
    error,
    ...frame
  } = props;
  /** What is being typed; undefined while the field shows its value. */
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isLocked = frame.lockedReason !== undefined;
  const popup = useAnchored<HTMLDivElement>(input, { isOpen });
  useKeyHelp('Dates', dateKeys);
  useKeyHelp('Calendar', calendarKeys);

  const report = (next: string | undefined): void => {
    if (next !== problem) onProblem?.(next);
    setProblem(next);
  };
  /** The day that was given to `onValueChange`, until the value follows: an address takes a moment. */
  const given = useRef<string>(undefined);
  const take = (day: string): void => {
    setTyped(undefined);
    report(undefined);
    if (day === value && given.current === undefined) return;
    given.current = day;
    onValueChange(day);
  };
  const settle = (): void => {
    if (typed === undefined) return;
    const result = parse(typed, value);
    if ('error' in result) report(result.error);
    else take(result.day);
  };
  /** The keys t, + and -: the new day is selected, so that the next key steps on or replaces it. */
  const step = (key: string, field: HTMLInputElement): void => {
    const now = given.current ?? value;
    const written = typed === undefined ? undefined : parse(typed, now);
    const result = parse(key, written && 'day' in written ? written.day : now);
    // In the same turn: a frame later the focus may have gone on, and select() would fetch it back.
    if ('day' in result) flushSync(() => take(result.day));
    field.select();
  };
  const close = (): void => {
    setOpen(false);
    input.current?.focus();
  };

  // A value set from outside replaces typed text that is no date. With the drawing: what is typed after it stays.
  const seen = useRef(value);
  useLayoutEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    given.current = undefined;
    setTyped(undefined);
    setProblem(undefined);
    onProblem?.(undefined);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per value
  }, [value]);

  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const field = event.currentTarget;
    const isWhole = field.value === '' || (field.selectionStart === 0 && field.selectionEnd === field.value.length);
    // While a date is being typed '-' separates its parts; behind a whole one nothing is left to type.
    const takesSteps = isWhole || typed === undefined || /^\d{1,2}\D\d{1,2}\D\d{4}$/.test(typed);
    if (isLocked || event.nativeEvent.isComposing) {
      onKeyDown?.(event);
      return;
    }
    const onStep = (): boolean => {
      if (takesSteps) step(event.key, field);
      return takesSteps;
    };
    const isUsed = dispatchKey(dateKeys, event, {
      today: () => {
        if (event.ctrlKey) step('t', field);
        return event.ctrlKey || onStep();
      },
      later: onStep,
      earlier: onStep,
      open: () => {
        settle();
        setOpen(true);
      },
      take: () => {
        // The form goes on to the next field with the same key.
        settle();
        return false;
      },
      back: () => {
        if (typed === undefined) return false;
        const result = parse(typed, value);
        take(keepsOnEscape && 'day' in result ? result.day : value);
        return true;
      },
    });
    if (isUsed) event.preventDefault();
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
              return giveRef(ref, element);
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
            onBlur={(event) => {
              if (!isLeft(event)) return;
              settle();
              given.current = undefined;
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
                if (!dispatchKey(calendarKeys, event, { close })) return;
                event.preventDefault();
                event.stopPropagation();
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
