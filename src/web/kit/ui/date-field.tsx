import { lazy, Suspense, useLayoutEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { CalendarDays } from 'lucide-react';
import { clsx } from 'clsx';
import { useAnchored } from './anchored.ts';
import { controlClass, FieldFrame, hasLeftField, type FieldFrameProps } from './field-frame.tsx';
import { assignRef } from './assign-ref.ts';
import { dispatchKey, useKeyHelp, type KeyPress, type KeyTable } from './key-table.ts';
import type { ValueProps } from './text-field.tsx';

/**
 * Turns typed text into a day (YYYY-MM-DD); '+' and '-' count from `fieldDay`. The caller passes it in, because this folder
 * does not know today's date.
 */
export type ParseDay = (text: string, fieldDay: string) => { day: string } | { error: string };

interface DateFieldProps extends FieldFrameProps, ValueProps {
  parse: ParseDay;
  /** For filters: Escape keeps the typed date, as leaving the field does. In a form Escape restores the value. */
  keepsOnEscape?: boolean | undefined;
  /** Formats a day: DD/MM/YYYY. */
  format: (day: string) => string;
  /** Called with an error when typed text is not a date, so that a form can refuse to save; with undefined when corrected. */
  onProblem?: ((problem: string | undefined) => void) | undefined;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  ref?: Ref<HTMLInputElement> | undefined;
}

const Calendar = lazy(() => import('./calendar.tsx'));

/** The keys of a date field (docs/keyboard.md §7). The handler below and the help both read this table. */
export const dateKeys = {
  today: {
    keys: ['t', 'Ctrl+;'],
    label: 'Today',
    also: ({ key, ctrlKey, altKey }: KeyPress) => key === 'T' && !ctrlKey && !altKey,
  },
  later: { keys: '+', label: 'A day later' },
  earlier: { keys: '-', label: 'A day earlier; between digits: separate day, month and year' },
  open: { keys: ['F4', 'Alt+↓'], label: 'Open the calendar' },
  take: { keys: 'Enter', label: 'Use the typed date' },
  back: { keys: 'Esc', label: 'Restore the previous date; in a filter: keep the typed one' },
} as const satisfies KeyTable;

/** The keys of the open calendar. */
export const calendarKeys = {
  day: { keys: ['↑', '↓', '←', '→'], label: 'Next or previous day or week', by: 'library' },
  month: { keys: ['PgUp', 'PgDn'], label: 'Previous or next month', by: 'library' },
  week: { keys: ['Home', 'End'], label: 'First and last day of the week', by: 'library' },
  pick: { keys: ['Enter', 'Space'], label: 'Choose the day', by: 'browser' },
  close: { keys: 'Esc', label: 'Close the calendar' },
} as const satisfies KeyTable;

/** A date that is typed in any form that `parse` reads, or picked from a calendar (F4, Alt+Down). The value is YYYY-MM-DD. */
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
  /** The text being typed; undefined while the field shows its value. */
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
  /** The day passed to `onValueChange` while `value` has not changed yet: a value in the URL takes a moment. */
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
  /** Handles t, + and -. The new day is selected, so that the next key steps again or replaces it. */
  const step = (key: string, field: HTMLInputElement): void => {
    const now = given.current ?? value;
    const written = typed === undefined ? undefined : parse(typed, now);
    const result = parse(key, written && 'day' in written ? written.day : now);
    // flushSync shows the new day in this turn: a frame later the focus may be elsewhere, and select() would pull it back.
    if ('day' in result) flushSync(() => take(result.day));
    field.select();
  };
  const close = (): void => {
    setOpen(false);
    input.current?.focus();
  };

  // A value set from outside replaces typed text that is not a date. As a layout effect it runs before the next key press, so
  // that text typed afterwards stays.
  const seen = useRef(value);
  useLayoutEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    given.current = undefined;
    setTyped(undefined);
    setProblem(undefined);
    onProblem?.(undefined);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once per value
  }, [value]);

  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const field = event.currentTarget;
    const isAllSelected =
      field.value === '' || (field.selectionStart === 0 && field.selectionEnd === field.value.length);
    // While a date is being typed, '-' separates its parts. After a complete date there is nothing left to type, so it steps.
    const takesSteps = isAllSelected || typed === undefined || /^\d{1,2}\D\d{1,2}\D\d{4}$/.test(typed);
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
        // Not used up here: the form goes to the next field with the same key.
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
              return assignRef(ref, element);
            }}
            className={clsx(controlClass, 'nums pr-8')}
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
              if (!hasLeftField(event)) return;
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
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handlers only close it on Escape and on blur
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
