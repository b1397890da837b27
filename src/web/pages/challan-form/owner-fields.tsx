import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { Unlink } from 'lucide-react';
import { FormField } from '../../shell/form-field.tsx';
import { OwnerPicker, type OwnerChoice } from '../../shell/pickers.tsx';
import { FormText } from './form-fields.tsx';
import { useFormParts } from './form-context.ts';
import { fieldLabels } from './form-values.ts';
import { usePickerParts } from './picker-parts.ts';

/** Ruling 23; part 2 §5 sends no owner id on update. */
const ownerLocked = 'Owner is fixed once saved';

/** Owner Name and Owner Contact Number, with the hidden owner id behind them (ruling 23). */
export function OwnerFields({ nameClass, contactClass }: { nameClass: string; contactClass: string }) {
  const { model, create } = useFormParts();
  const parts = usePickerParts('ownerName');
  const { form, mode, put, track } = model;
  const [ownerId, ownerName, ownerContactNumber] = useWatch({
    control: form.control,
    name: ['ownerId', 'ownerName', 'ownerContactNumber'],
  });
  const isLocked = mode === 'edit';
  const value: OwnerChoice | null =
    ownerId === '' ? null : { id: ownerId, name: ownerName, contactNumber: ownerContactNumber };
  /** When the owner's name was typed last. */
  const typedAt = useRef(0);
  const isContactNew = useRef(false);
  useEffect(() => {
    if (!isContactNew.current) return;
    isContactNew.current = false;
    // Enter has gone on to it before it was filled: typing replaces it, as it does in any field that was walked on to.
    const focused = document.activeElement;
    if (focused instanceof HTMLInputElement && focused.name === 'ownerContactNumber') focused.select();
  });
  const isUnlinked = ownerId === '' && ownerName.trim() !== '';

  return (
    <>
      <FormField control={form.control} name="ownerName">
        {(field) => (
          <OwnerPicker
            {...parts}
            key={model.generation}
            label={fieldLabels.ownerName}
            required
            className={nameClass}
            ref={field.ref}
            error={field.error}
            onBlur={field.onBlur}
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
              // A contact number typed while the search was still under way is the newer word.
              if (!isLate || !track.isEditedSince('ownerContactNumber', typedAt.current)) {
                isContactNew.current = isLate;
                put('ownerContactNumber', owner?.contactNumber ?? '');
              }
              put('ownerId', owner?.id ?? '');
            }}
            create={{ noun: 'owner', run: (text) => create({ kind: 'owner', text }) }}
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
