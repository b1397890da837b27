import { useWatch } from 'react-hook-form';
import { useLayoutEffect, useRef, useState } from 'react';
import { Unlink } from 'lucide-react';
import { isZero } from '../../../../shared/calc/money.ts';
import { displayVehicle, vehicleKey } from '../../../../shared/calc/keys.ts';
import { FormField, type BoundField } from '../../../kit/forms/form-field.tsx';
import { OwnerPicker, PetrolPumpPicker, TagPicker, type OwnerChoice } from '../../master-data/index.ts';
import { readAmount } from './form-amounts.ts';
import { FormDay, FormText, SectionCard, useFormParts, useStopMark, type Creation } from './form-fields.tsx';
import { fieldLabels, type FieldName } from './form-values.ts';
import type { FormModel } from './form-model.ts';

export function BasicSection() {
  const { onTripLeft } = useFormParts();
  return (
    <SectionCard title="Basic Information">
      <div className="grid grid-cols-12 gap-x-3 gap-y-0.5 max-[56rem]:grid-cols-6 2xl:grid-cols-24">
        <FormText
          name="tpNo"
          reads="tp"
          required
          maxLength={100}
          className="col-span-2 2xl:col-span-3"
          onLeave={onTripLeft}
        />
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
  const { model } = useFormParts();
  const partsOf = usePickerParts('discounter', 'owner', 'discounter');
  return (
    <FormField control={model.form.control} name="discounter">
      {(field) => (
        <OwnerPicker
          {...partsOf(field)}
          key={model.generation}
          className={className}
          value={field.value && { ...field.value, contactNumber: '' }}
          onPick={(owner) => field.onValueChange(owner && { id: owner.id, name: owner.name })}
        />
      )}
    </FormField>
  );
}

function TagField({ className }: { className: string }) {
  const { model } = useFormParts();
  const partsOf = usePickerParts('tag', 'tag', 'tag');
  return (
    <FormField control={model.form.control} name="tag">
      {(field) => (
        <TagPicker
          {...partsOf(field)}
          key={model.generation}
          required={model.stored?.tag !== null}
          className={className}
          value={field.value}
          onPick={field.onValueChange}
        />
      )}
    </FormField>
  );
}

/** Clearing the pump sets the liters to 0. Choosing one clears a 0, so that they must be entered (docs/specification.md §8.3.2). */
function settleLiters({ form, put }: FormModel, hasPump: boolean): void {
  const read = readAmount('hsdInLiters', form.getValues('hsdInLiters'));
  const isNone = 'value' in read && (read.value === '' || isZero(read.value));
  if (!hasPump) put('hsdInLiters', '0.00');
  else if (isNone) put('hsdInLiters', '');
}

function PetrolPumpField({ className }: { className: string }) {
  const { model } = useFormParts();
  const partsOf = usePickerParts('petrolPump', 'petrol pump', 'petrolPump');
  return (
    <FormField control={model.form.control} name="petrolPump">
      {(field) => (
        <PetrolPumpPicker
          {...partsOf(field)}
          key={model.generation}
          className={className}
          hint="Petrol pump selection is required to enter HSD in liters"
          value={field.value}
          onPick={(pump) => {
            const had = field.value !== null;
            field.onValueChange(pump);
            if (had !== (pump !== null)) settleLiters(model, pump !== null);
          }}
        />
      )}
    </FormField>
  );
}

/** Vehicle No. On blur it is looked up and fills in owner and vehicle. For an unknown number a truck can be created. */
function VehicleField({ className }: { className: string }) {
  const { model, vehicle, onVehicleLeft, onTripLeft, create } = useFormParts();
  const vehicleNo = useWatch({ control: model.form.control, name: 'vehicleNo' });
  const isCurrent = vehicle.kind !== 'none' && vehicleKey(vehicle.vehicleNo) === vehicleKey(vehicleNo);

  let hint: React.ReactNode = 'Enter the vehicle number to auto-fill owner details';
  if (isCurrent && vehicle.kind === 'unknown') {
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
  } else if (isCurrent && vehicle.kind === 'several') {
    const numbers = vehicle.numbers.slice(0, 5).join(', ') || 'too many to name';
    hint = `Several trucks end with ${vehicle.vehicleNo}: ${numbers}. Enter the whole number.`;
  } else if (isCurrent && vehicle.kind === 'known' && model.stored && vehicle.ownerName !== model.stored.owner.name) {
    hint = `This truck belongs to ${vehicle.ownerName}; the challan's owner stays.`;
  }
  return (
    <FormText
      name="vehicleNo"
      reads="vehicle"
      required
      maxLength={30}
      className={className}
      hint={hint}
      onLeave={() => {
        // Show the number as it will be stored and printed (docs/specification.md §3.5).
        const typed = model.form.getValues('vehicleNo');
        const shown = displayVehicle(typed);
        if (shown !== typed) model.form.setValue('vehicleNo', shown);
        onVehicleLeft();
        onTripLeft();
      }}
    />
  );
}

/** An update sends no owner id (docs/specification.md §8.2.2 and §8.3.4). */
const ownerLocked = 'Owner is fixed once saved';

/** Owner Name and Owner Contact Number, with the hidden owner id behind them (docs/specification.md §8.2.2). */
function OwnerFields({ nameClass, contactClass }: { nameClass: string; contactClass: string }) {
  const { model } = useFormParts();
  const partsOf = usePickerParts('ownerName', 'owner', 'owner');
  const { form, mode, put, track } = model;
  const [ownerId, ownerName, ownerContactNumber] = useWatch({
    control: form.control,
    name: ['ownerId', 'ownerName', 'ownerContactNumber'],
  });
  const isLocked = mode === 'edit';
  const value: OwnerChoice | null =
    ownerId === '' ? null : { id: ownerId, name: ownerName, contactNumber: ownerContactNumber };
  /** When the owner's name was last typed. */
  const typedAt = useRef(0);
  /** How many late owners have filled the contact number. A state, so that it changes in the same render as the number. */
  const [lateOwners, setLateOwners] = useState(0);
  // A layout effect, so that the number is selected before the next key press, which would otherwise be appended to it.
  useLayoutEffect(() => {
    if (lateOwners === 0) return;
    // Enter had moved to this field before it was filled. Select it, so that typing replaces it as in any other field.
    const focused = document.activeElement;
    if (focused instanceof HTMLInputElement && focused.name === 'ownerContactNumber') focused.select();
  }, [lateOwners]);
  const isUnlinked = ownerId === '' && ownerName.trim() !== '';

  return (
    <>
      <FormField control={form.control} name="ownerName">
        {(field) => (
          <OwnerPicker
            {...partsOf(field)}
            key={model.generation}
            required
            className={nameClass}
            lockedReason={isLocked ? ownerLocked : undefined}
            hint={
              isUnlinked && (
                <span className="inline-flex items-center gap-1 rounded bg-warn-soft px-1.5 font-medium text-warn">
                  <Unlink size={11} aria-hidden />
                  Owner not linked
                </span>
              )
            }
            value={value}
            freeText={{
              text: ownerName,
              onTextChange: (text) => {
                field.onValueChange(text);
                put('ownerId', '');
                typedAt.current = track.now();
              },
            }}
            onPick={(owner, isLate) => {
              put('ownerName', owner?.name ?? '');
              // A contact number typed while the search was running is newer than the owner's.
              if (!isLate || !track.isEditedSince('ownerContactNumber', typedAt.current)) {
                if (isLate) setLateOwners((count) => count + 1);
                put('ownerContactNumber', owner?.contactNumber ?? '');
              }
              put('ownerId', owner?.id ?? '');
            }}
          />
        )}
      </FormField>
      <FormText
        name="ownerContactNumber"
        required
        inputMode="tel"
        maxLength={20}
        className={contactClass}
        lockedReason={isLocked ? ownerLocked : undefined}
      />
    </>
  );
}

/** The props that connect a picker with the form's Enter navigation and saving. */
function usePickerParts(name: FieldName, noun: string, kind: Creation['kind']) {
  const { model, advance, lockedReason, create } = useFormParts();
  const enterMark = useStopMark(name);
  const { form, track } = model;
  return ({ ref, error, onBlur }: Pick<BoundField<unknown>, 'ref' | 'error' | 'onBlur'>) => ({
    name,
    label: fieldLabels[name],
    ref,
    error,
    onBlur,
    create: { noun, run: (text: string) => create({ kind, text }) },
    lockedReason: lockedReason(name),
    enterMark,
    onAdvance: () => advance(name),
    onPending: track.pickers.add,
    onProblem: (problem: string | undefined) => {
      const before = track.problems[name];
      track.setProblem(name, problem);
      // Typing other text does not change the value, so the error about the previous text must be cleared here.
      if (before !== undefined && before !== problem) form.clearErrors(name);
    },
  });
}
