import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { amountFields, shownFigures, type AmountFieldName } from './form-amounts.ts';
import { FiguresProvider } from './form-context.ts';
import type { FormModel } from './use-form-model.ts';

/** Works the figures out while amounts are typed; only what shows a figure is drawn again. */
export function LiveFigures({ model, children }: { model: FormModel; children: ReactNode }) {
  const watched = useWatch({ control: model.form.control, name: amountFields });
  // Safe: the values come in the order of the names.
  const values = Object.fromEntries(amountFields.map((name, index) => [name, watched[index]])) as Record<
    AmountFieldName,
    string
  >;
  return <FiguresProvider value={shownFigures(values, model.stored)}>{children}</FiguresProvider>;
}
