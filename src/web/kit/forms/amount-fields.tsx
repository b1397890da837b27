import type { ComponentProps } from 'react';
import { formatAmount, formatPercentage } from '../../../shared/calc/money.ts';
import { readFigure, type FigureKind } from '../../../shared/reading/amount.ts';
import { AmountField, type NormalizeAmount } from '../ui/amount-field.tsx';

/** The amount field of ui, combined with the shared arithmetic. */

const readAs: Readonly<Record<FigureKind, NormalizeAmount>> = {
  money: (text) => readFigure('money', text),
  weight: (text) => readFigure('weight', text),
  liters: (text) => readFigure('liters', text),
  percent: (text) => readFigure('percent', text),
};
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
