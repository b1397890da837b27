import { useWatch } from 'react-hook-form';
import { formatAmount, formatINR, formatWeight, isNegative, isPositive } from '../../../../shared/calc/money.ts';
import { unusualTds } from '../../../../shared/calc/tds-percentage.ts';
import { vehicleKey } from '../../../../shared/calc/keys.ts';
import { paying, refusalOf } from '../../../kit/api/seat.ts';
import { FormField } from '../../../kit/forms/form-field.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { TextArea } from '../../../kit/ui/text-field.tsx';
import {
  DerivedValue,
  FormAmount,
  FormDay,
  FormText,
  notKnown,
  SectionCard,
  useFigures,
  useFormParts,
  useStopMark,
} from './form-fields.tsx';
import { fieldLabels } from './form-values.ts';
import { useOtherTds } from './lookups.ts';

const shown = (amount: string | null): string => (amount === null ? notKnown : formatAmount(amount));
const pumpFirst = 'Choose a petrol pump';

export function WeightSection() {
  const { differenceWeight } = useFigures();
  // The colours of docs/specification.md §3.5, with a word of the same meaning.
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
  const { model, tds } = useFormParts();
  const typed = useWatch({ control: model.form.control, name: 'tdsPercentage' });
  const other = useOtherTds(model);
  const unusual = model.stored ? unusualTds(typed, other, 'last other challan') : unusualTds(typed, tds.usual);
  const figures = useFigures();
  const petrolPump = useWatch({ control: model.form.control, name: 'petrolPump' });
  const net = figures.netAmountPayable;
  return (
    <SectionCard title="Financial Information">
      <div className="grid grid-cols-5 gap-x-2.5 gap-y-0.5 max-[56rem]:grid-cols-2 2xl:gap-x-3">
        <FormAmount name="ratePerMT" required />
        <FormAmount
          name="tdsPercentage"
          kind="percent"
          required
          lockedReason={tds.declared}
          hint={tds.hint ?? (unusual && <span className="text-warn">{unusual}</span>)}
        />
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
            `Enter the rate: ${formatINR(model.stored.materialShortageAmount)} was stored for the old weights.`
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
                disabledReason={refusalOf(paying)}
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

export function AdditionalSection() {
  const { model } = useFormParts();
  const remarksMark = useStopMark('remarks');
  return (
    <SectionCard title="Additional Information">
      <div className="grid grid-cols-12 gap-x-3 gap-y-0.5 max-[56rem]:grid-cols-6 2xl:grid-cols-24">
        <FormText name="driverName" maxLength={100} className="col-span-3 2xl:col-span-4" />
        <FormText name="drivingLicenseNo" maxLength={50} className="col-span-3 2xl:col-span-4" />
        <FormText name="vehicleType" maxLength={100} className="col-span-3" />
        <WheelsField className="col-span-3 2xl:col-span-2" />
        <FormField control={model.form.control} name="remarks">
          {(field) => (
            <TextArea
              {...field}
              label={fieldLabels.remarks}
              enterMark={remarksMark}
              rows={3}
              maxLength={1000}
              className="col-span-6 2xl:col-span-5"
            />
          )}
        </FormField>
        <FormText name="dataEntryBy" maxLength={100} className="col-span-3" />
        <FormDay name="depositedAt" required={model.stored?.depositedAt !== null} className="col-span-3" />
      </div>
    </SectionCard>
  );
}

/** Vehicle Wheels: 4 to 32 in steps of 2. A truck's wheel count outside that is not filled in (docs/specification.md §8.2.2). */
function WheelsField({ className }: { className: string }) {
  const { model, vehicle } = useFormParts();
  const vehicleNo = useWatch({ control: model.form.control, name: 'vehicleNo' });
  const odd =
    vehicle.kind === 'known' && vehicleKey(vehicle.vehicleNo) === vehicleKey(vehicleNo) ? vehicle.oddWheels : undefined;
  return (
    <FormText
      name="vehicleWheel"
      inputMode="numeric"
      maxLength={2}
      className={className}
      hint={odd !== undefined && `The truck has ${odd}. Enter an even number from 4 to 32.`}
    />
  );
}
