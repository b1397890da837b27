import { DayPicker } from 'react-day-picker';

interface CalendarProps {
  /** YYYY-MM-DD, or ''. */
  day: string;
  onPick: (day: string) => void;
}

/** A day as a Date of the machine's own zone and back: both ways the same zone, so the day itself never shifts. */
const toDate = (day: string): Date => new Date(`${day}T12:00:00`);
const pad = (value: number): string => String(value).padStart(2, '0');
const toDay = (date: Date): string => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

/** Its own chunk: most dates are typed. */
export default function Calendar({ day, onPick }: CalendarProps) {
  const selected = day === '' ? undefined : toDate(day);
  return (
    <DayPicker
      mode="single"
      required
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- opening the calendar is what asks for the focus
      autoFocus
      weekStartsOn={1}
      showOutsideDays
      captionLayout="dropdown"
      startMonth={new Date(2015, 0)}
      endMonth={new Date(2040, 11)}
      selected={selected}
      {...(selected ? { defaultMonth: selected } : {})}
      onSelect={(date: Date) => onPick(toDay(date))}
      className="relative"
      classNames={{
        months: 'relative',
        month_caption: 'mb-2 flex h-8 items-center',
        caption_label: 'inline-flex items-center gap-1 text-xs font-medium',
        dropdowns: 'inline-flex items-center gap-2',
        dropdown_root: 'relative inline-flex items-center',
        dropdown: 'absolute inset-0 z-10 w-full cursor-pointer opacity-0',
        chevron: 'size-3.5 fill-muted',
        nav: 'absolute right-0 top-0 flex gap-1',
        button_previous: 'grid size-8 place-items-center rounded-md hover:bg-hover',
        button_next: 'grid size-8 place-items-center rounded-md hover:bg-hover',
        weekday: 'size-8 text-center text-[11px] font-medium text-muted',
        day: 'size-8 p-0 text-center',
        day_button: 'size-8 rounded-md hover:bg-hover nums',
        selected: '[&>button]:bg-primary [&>button]:text-primary-ink [&>button]:hover:bg-primary-strong',
        today: '[&>button]:font-bold [&>button]:underline',
        outside: 'text-muted',
      }}
    />
  );
}
