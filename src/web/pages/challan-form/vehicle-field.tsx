import { useWatch } from 'react-hook-form';
import { displayVehicle, vehicleKey } from '../../../shared/calc/vehicle.ts';
import { FormText } from './form-fields.tsx';
import { useFormParts } from './form-context.ts';

/** Vehicle No: left, it is looked up and fills in owner and vehicle; an unknown number can be made a truck. */
export function VehicleField({ className }: { className: string }) {
  const { model, vehicle, onVehicleLeft, onTripLeft, create } = useFormParts();
  const vehicleNo = useWatch({ control: model.form.control, name: 'vehicleNo' });
  const isAbout = vehicle.kind !== 'none' && vehicleKey(vehicle.vehicleNo) === vehicleKey(vehicleNo);

  let hint: React.ReactNode = 'Enter the vehicle number to auto-fill owner details';
  if (isAbout && vehicle.kind === 'unknown') {
    hint = (
      <span>
        Not among your trucks.{' '}
        <button
          type="button"
          className="font-medium text-primary underline underline-offset-2"
          onClick={() => create({ kind: 'truck', text: vehicleNo })}
        >
          Create truck
        </button>
      </span>
    );
  } else if (isAbout && vehicle.kind === 'known' && model.stored && vehicle.ownerName !== model.stored.owner.name) {
    hint = `This truck belongs to ${vehicle.ownerName}; the challan's owner stays.`;
  }
  return (
    <FormText
      name="vehicleNo"
      required
      maxLength={30}
      className={className}
      hint={hint}
      onLeave={() => {
        // Ruling 11: as it will be stored and printed.
        const typed = model.form.getValues('vehicleNo');
        const shown = displayVehicle(typed);
        if (shown !== typed) model.form.setValue('vehicleNo', shown);
        onVehicleLeft();
        onTripLeft();
      }}
    />
  );
}
