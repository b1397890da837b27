import type { ComponentProps } from 'react';
import { dayOf, formatDate } from '../../shared/calc/dates.ts';
import { formatAmount, formatPercentage } from '../../shared/calc/money.ts';
import { readFigure, type FigureKind } from '../../shared/reading/amount.ts';
import { parseTypedDate } from '../../shared/reading/day.ts';
import { serverNow } from '../api/server-clock.ts';
import { AmountField, type NormalizeAmount } from '../ui/amount-field.tsx';
import { DateField, type ParseDay } from '../ui/date-field.tsx';

/** The fields of ui, combined with the shared arithmetic and calendar. */

export const today = (): string => dayOf(serverNow());

const readAs: Readonly<Record<FigureKind, NormalizeAmount>> = {
  money: (text) => readFigure('money', text),
  weight: (text) => readFigure('weight', text),
  liters: (text) => readFigure('liters', text),
  percent: (text) => readFigure('percent', text),
};
const parseDay: ParseDay = (text, fieldDay) => parseTypedDate(text, today(), fieldDay);

type AmountProps = Omit<ComponentProps<typeof AmountField>, 'normalize' | 'format' | 'sign' | 'unit'>;

export const MoneyField = (props: AmountProps) => (
  <AmountField {...props} sign="₹" normalize={readAs.money} format={formatAmount} />
);
export const WeightField = (props: AmountProps) => (
  <AmountField {...props} unit="MT" normalize={readAs.weight} format={formatAmount} />
);
export const LitersField = (props: AmountProps) => (
  <AmountField {...props} unit="L" normalize={readAs.liters} format={formatAmount} />
);
/** One decimal (docs/specification.md §8.3.2, TDS Percentage). */
export const PercentField = (props: AmountProps) => (
  <AmountField {...props} unit="%" normalize={readAs.percent} format={formatPercentage} />
);

type DayProps = Omit<ComponentProps<typeof DateField>, 'parse' | 'format'>;

/** A calendar day in India: the value is YYYY-MM-DD, the screen shows DD/MM/YYYY. */
export const DayField = (props: DayProps) => <DateField {...props} parse={parseDay} format={formatDate} />;
