import { useId, useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from './button.tsx';
import { SelectBox } from './select-field.tsx';

interface CalendarProps {
  /** YYYY-MM-DD, or ''. */
  day: string;
  onPick: (day: string) => void;
}

/** Converts a day to a Date and back. Both ways use the computer's time zone, so the day never shifts. */
const toDate = (day: string): Date => new Date(`${day}T12:00:00`);
const pad = (value: number): string => String(value).padStart(2, '0');
const toDay = (date: Date): string => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

const firstYear = 2015;
const lastYear = 2040;
const monthName = new Intl.DateTimeFormat('en-IN', { month: 'long' });
const months = Array.from({ length: 12 }, (_, index) => ({
  value: String(index),
  label: monthName.format(new Date(2026, index)),
}));
const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => String(firstYear + index)).map(
  (value) => ({ value, label: value }),
);
const components = { MonthCaption: () => <></> };

/** A default export in a chunk of its own, loaded on demand: most dates are typed. */
export default function Calendar({ day, onPick }: CalendarProps) {
  const selected = day === '' ? undefined : toDate(day);
  const [month, setMonth] = useState(() => selected ?? new Date());
  return (
    <>
      <Caption month={month} onMonth={setMonth} />
      <DayPicker
        mode="single"
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opening the calendar is what asks for the focus
        autoFocus
        weekStartsOn={1}
        showOutsideDays
        hideNavigation
        components={components}
        startMonth={new Date(firstYear, 0)}
        endMonth={new Date(lastYear, 11)}
        month={month}
        onMonthChange={setMonth}
        selected={selected}
        onSelect={(date: Date) => onPick(toDay(date))}
        classNames={{
          weekday: 'size-8 text-center text-[11px] font-medium text-muted',
          day: 'size-8 p-0 text-center',
          day_button: 'size-8 rounded-md hover:bg-hover nums',
          selected: '[&>button]:bg-primary [&>button]:text-primary-ink [&>button]:hover:bg-primary-strong',
          today: '[&>button]:font-bold [&>button]:underline',
          outside: 'text-muted',
        }}
      />
    </>
  );
}

function Caption({ month, onMonth }: { month: Date; onMonth: (month: Date) => void }) {
  const id = useId();
  const year = month.getFullYear();
  const go = (by: 1 | -1): void => onMonth(new Date(year, month.getMonth() + by));
  const isFirst = year === firstYear && month.getMonth() === 0;
  const isLast = year === lastYear && month.getMonth() === 11;
  return (
    <div className="mb-1 flex items-center gap-1">
      <IconButton
        size="sm"
        label="Previous month"
        icon={<ChevronLeft size={14} aria-hidden />}
        disabledReason={isFirst ? 'This is the first month' : undefined}
        onClick={() => go(-1)}
      />
      <label className="sr-only" htmlFor={`${id}-month`}>
        Month
      </label>
      <SelectBox
        id={`${id}-month`}
        label="Month"
        className="h-7! w-26! text-xs"
        value={String(month.getMonth())}
        onValueChange={(value) => onMonth(new Date(year, Number(value)))}
        options={months}
      />
      <label className="sr-only" htmlFor={`${id}-year`}>
        Year
      </label>
      <SelectBox
        id={`${id}-year`}
        label="Year"
        className="nums h-7! w-16! text-xs"
        value={String(year)}
        onValueChange={(value) => onMonth(new Date(Number(value), month.getMonth()))}
        options={years}
      />
      <IconButton
        size="sm"
        label="Next month"
        icon={<ChevronRight size={14} aria-hidden />}
        disabledReason={isLast ? 'This is the last month' : undefined}
        onClick={() => go(1)}
      />
    </div>
  );
}
