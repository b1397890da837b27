import { isZero } from '../../../shared/calc/money.ts';
import { FormField } from '../../shell/form-field.tsx';
import { OwnerPicker, PetrolPumpPicker, TagPicker } from '../../shell/pickers.tsx';
import { readAmount } from './form-amounts.ts';
import { useFormParts } from './form-context.ts';
import { FormDay, FormText } from './form-fields.tsx';
import { fieldLabels } from './form-values.ts';
import { OwnerFields } from './owner-fields.tsx';
import { usePickerParts } from './picker-parts.ts';
import { SectionCard } from './section-card.tsx';
import type { FormModel } from './use-form-model.ts';
import { VehicleField } from './vehicle-field.tsx';

export function BasicSection() {
  const { onTripLeft } = useFormParts();
  return (
    <SectionCard title="Basic Information">
      <div className="grid grid-cols-12 gap-x-3 gap-y-0.5 max-[56rem]:grid-cols-6 2xl:grid-cols-24">
        <FormText name="tpNo" required maxLength={100} className="col-span-2 2xl:col-span-3" onLeave={onTripLeft} />
        <FormDay name="loadingDate" required className="col-span-2 2xl:col-span-3" onLeave={onTripLeft} />
        <FormDay name="unloadingDate" required className="col-span-2 2xl:col-span-3" />
        <VehicleField className="col-span-4 2xl:col-span-5" />
        <FormText name="material" required maxLength={100} className="col-span-2 2xl:col-span-3" />
        <OwnerFields nameClass="col-span-4 2xl:col-span-4" contactClass="col-span-2 2xl:col-span-3" />
        <DiscounterField className="col-span-3 2xl:col-span-4" />
        <TagField className="col-span-3 2xl:col-span-4" />
        <PetrolPumpField className="col-span-4 2xl:col-span-6" />
        <FormText name="loadingPlace" required maxLength={200} className="col-span-4 2xl:col-span-5" />
        <FormText name="unloadingPlace" required maxLength={200} className="col-span-4 2xl:col-span-5" />
      </div>
    </SectionCard>
  );
}

function DiscounterField({ className }: { className: string }) {
  const { model, create } = useFormParts();
  const parts = usePickerParts('discounter');
  return (
    <FormField control={model.form.control} name="discounter">
      {(field) => (
        <OwnerPicker
          {...parts}
          key={model.generation}
          label={fieldLabels.discounter}
          className={className}
          ref={field.ref}
          error={field.error}
          onBlur={field.onBlur}
          value={field.value}
          onPick={field.onValueChange}
          create={{ noun: 'owner', run: (text) => create({ kind: 'discounter', text }) }}
        />
      )}
    </FormField>
  );
}

function TagField({ className }: { className: string }) {
  const { model, create } = useFormParts();
  const parts = usePickerParts('tag');
  return (
    <FormField control={model.form.control} name="tag">
      {(field) => (
        <TagPicker
          {...parts}
          key={model.generation}
          label={fieldLabels.tag}
          required
          className={className}
          ref={field.ref}
          error={field.error}
          onBlur={field.onBlur}
          value={field.value}
          onPick={field.onValueChange}
          create={{ noun: 'tag', run: (text) => create({ kind: 'tag', text }) }}
        />
      )}
    </FormField>
  );
}

/** Part 2 §5: clearing the pump sets the liters to 0; choosing one asks for them. */
function settleLiters({ form, put }: FormModel, hasPump: boolean): void {
  const read = readAmount('hsdInLiters', form.getValues('hsdInLiters'));
  const isNone = 'value' in read && (read.value === '' || isZero(read.value));
  if (!hasPump) put('hsdInLiters', '0.00');
  else if (isNone) put('hsdInLiters', '');
}

function PetrolPumpField({ className }: { className: string }) {
  const { model, create } = useFormParts();
  const parts = usePickerParts('petrolPump');
  return (
    <FormField control={model.form.control} name="petrolPump">
      {(field) => (
        <PetrolPumpPicker
          {...parts}
          key={model.generation}
          label={fieldLabels.petrolPump}
          className={className}
          hint="Petrol pump selection is required to enter HSD in liters"
          ref={field.ref}
          error={field.error}
          onBlur={field.onBlur}
          value={field.value}
          onPick={(pump) => {
            const had = field.value !== null;
            field.onValueChange(pump);
            if (had !== (pump !== null)) settleLiters(model, pump !== null);
          }}
          create={{ noun: 'petrol pump', run: (text) => create({ kind: 'petrolPump', text }) }}
        />
      )}
    </FormField>
  );
}
