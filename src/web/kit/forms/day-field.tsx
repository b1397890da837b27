import type { ComponentProps } from 'react';
import { dayOf, formatDate } from '../../../shared/calc/dates.ts';
import { parseTypedDate } from '../../../shared/reading/day.ts';
import { serverNow } from '../api/server-clock.ts';
import { DateField, type ParseDay } from '../ui/date-field.tsx';

/** The current day in India by the server's clock. */
export const today = (): string => dayOf(serverNow());

const parseDay: ParseDay = (text, fieldDay) => parseTypedDate(text, today(), fieldDay);

type DayProps = Omit<ComponentProps<typeof DateField>, 'parse' | 'format'>;

/** A calendar day in India: the value is YYYY-MM-DD, the screen shows DD/MM/YYYY. */
export const DayField = (props: DayProps) => <DateField {...props} parse={parseDay} format={formatDate} />;
