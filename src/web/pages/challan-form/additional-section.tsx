import { useWatch } from 'react-hook-form';
import { vehicleKey } from '../../../shared/calc/vehicle.ts';
import { FormField } from '../../shell/form-field.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { useFormParts } from './form-context.ts';
import { FormDay, FormText } from './form-fields.tsx';
import { fieldLabels } from './form-values.ts';
import { SectionCard } from './section-card.tsx';

export function AdditionalSection() {
  const { model } = useFormParts();
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
              rows={3}
              maxLength={1000}
              className="col-span-6 2xl:col-span-5"
            />
          )}
        </FormField>
        <FormText name="dataEntryBy" maxLength={100} className="col-span-3" />
        <FormDay name="depositedAt" required className="col-span-3" />
      </div>
    </SectionCard>
  );
}

/** Ruling 24: 4 to 32 in steps of 2; a truck's count outside that is not filled in. */
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
      hint={odd !== undefined && `The truck has ${odd}; a challan takes 4 to 32, even.`}
    />
  );
}
