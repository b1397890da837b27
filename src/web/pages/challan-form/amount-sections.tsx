import { useWatch } from 'react-hook-form';
import { formatAmount, formatINR, formatWeight, isNegative, isPositive } from '../../../shared/calc/money.ts';
import { FormField } from '../../shell/form-field.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { useFigures, useFormParts } from './form-context.ts';
import { DerivedValue, FormAmount } from './form-fields.tsx';
import { SectionCard } from './section-card.tsx';

const notKnown = '—';
const shown = (amount: string | null): string => (amount === null ? notKnown : formatAmount(amount));
const pumpFirst = 'Choose a petrol pump';

export function WeightSection() {
  const { differenceWeight } = useFigures();
  // Ruling 22; the words say what the colour says.
  const isShort = differenceWeight !== null && isPositive(differenceWeight);
  const isOver = differenceWeight !== null && isNegative(differenceWeight);
  return (
    <SectionCard title="Weight Information">
      <div className="grid gap-y-0.5">
        <FormAmount name="loadingWeight" kind="weight" required />
        <FormAmount name="unloadingWeight" kind="weight" required />
        <DerivedValue
          name="differenceWeight"
          value={differenceWeight === null ? notKnown : formatWeight(differenceWeight)}
          tone={isShort ? 'danger' : isOver ? 'good' : 'plain'}
          hint={isShort ? 'Shortage' : isOver ? 'Excess' : undefined}
        />
      </div>
    </SectionCard>
  );
}

export function FinancialSection() {
  const { model, tdsHint } = useFormParts();
  const figures = useFigures();
  const petrolPump = useWatch({ control: model.form.control, name: 'petrolPump' });
  const net = figures.netAmountPayable;
  return (
    <SectionCard title="Financial Information">
      <div className="grid grid-cols-5 gap-x-2.5 gap-y-0.5 max-[56rem]:grid-cols-2 2xl:gap-x-3">
        <FormAmount name="ratePerMT" required />
        <FormAmount name="tdsPercentage" kind="percent" required hint={tdsHint} />
        <DerivedValue name="tdsAmount" value={shown(figures.tdsAmount)} />
        <FormAmount name="hsdPricePerLiter" />
        <FormAmount
          name="hsdInLiters"
          kind="liters"
          required={petrolPump !== null}
          lockedReason={petrolPump === null ? pumpFirst : undefined}
        />
        <DerivedValue name="hsdAmount" value={shown(figures.hsdAmount)} />
        <FormAmount name="advanceMoney" required />
        <FormAmount name="officeCharges" required />
        <FormAmount name="discountWeight" kind="weight" />
        <DerivedValue
          name="shortageAmount"
          value={shown(figures.shortageAmount)}
          hint={
            figures.shortageAmount !== null && isPositive(figures.shortageAmount)
              ? 'Shown only, not deducted'
              : undefined
          }
        />
        <FormAmount
          name="materialRate"
          hint={
            figures.materialRateMissing &&
            model.stored &&
            `Enter the rate: ${formatINR(model.stored.materialShortageAmount)} was stored for the weights before.`
          }
        />
        <DerivedValue name="materialShortageAmount" value={shown(figures.materialShortageAmount)} />
        <DerivedValue
          name="netAmountPayable"
          value={shown(net)}
          tone={net !== null && isNegative(net) ? 'danger' : 'plain'}
          strong
          hint={net !== null && isNegative(net) ? 'Below zero' : undefined}
        />
        <div className="col-span-2 pt-5.5">
          <FormField control={model.form.control} name="paymentStatus">
            {(field) => (
              <Checkbox
                label="Payment Done"
                name={field.name}
                ref={field.ref}
                checked={field.value}
                onCheckedChange={field.onValueChange}
                onBlur={field.onBlur}
              />
            )}
          </FormField>
        </div>
      </div>
    </SectionCard>
  );
}
