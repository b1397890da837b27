import { useWatch } from 'react-hook-form';
import { Unlink } from 'lucide-react';
import { FormField } from '../../shell/form-field.tsx';
import { OwnerPicker, type OwnerChoice } from '../../shell/pickers.tsx';
import { FormText } from './form-fields.tsx';
import { useFormParts } from './form-context.ts';
import { fieldLabels } from './form-values.ts';

/** Ruling 23; part 2 §5 sends no owner id on update. */
const ownerLocked = 'Owner is fixed once saved';

/** Owner Name and Owner Contact Number, with the hidden owner id behind them (ruling 23). */
export function OwnerFields({ nameClass, contactClass }: { nameClass: string; contactClass: string }) {
  const { model, advance, create } = useFormParts();
  const { form, mode, put } = model;
  const [ownerId, ownerName, ownerContactNumber] = useWatch({
    control: form.control,
    name: ['ownerId', 'ownerName', 'ownerContactNumber'],
  });
  const isLocked = mode === 'edit';
  const value: OwnerChoice | null =
    ownerId === '' ? null : { id: ownerId, name: ownerName, contactNumber: ownerContactNumber };
  const isUnlinked = ownerId === '' && ownerName.trim() !== '';

  return (
    <>
      <FormField control={form.control} name="ownerName">
        {(field) => (
          <OwnerPicker
            label={fieldLabels.ownerName}
            required
            className={nameClass}
            name={field.name}
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
              },
            }}
            onPick={(owner) => {
              put('ownerName', owner?.name ?? '');
              put('ownerContactNumber', owner?.contactNumber ?? '');
              put('ownerId', owner?.id ?? '');
            }}
            create={{ noun: 'owner', run: (text) => create({ kind: 'owner', text }) }}
            onAdvance={() => advance('ownerName')}
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
