import { OwnerFormDialog } from '../../forms/owner-form-dialog.tsx';
import { PetrolPumpFormDialog } from '../../forms/petrol-pump-form-dialog.tsx';
import { TagFormDialog } from '../../forms/tag-form-dialog.tsx';
import { TruckFormDialog } from '../../forms/truck-form-dialog.tsx';
import type { OwnerChoice, PetrolPumpChoice, TagChoice } from '../../shell/pickers.tsx';
import type { Creation } from './form-context.ts';

interface CreateInPlaceProps {
  creation: Creation;
  /** The owner already chosen, for a truck that is made for it. */
  owner: OwnerChoice | null;
  onClose: () => void;
  onOwner: (owner: OwnerChoice) => void;
  onDiscounter: (owner: OwnerChoice) => void;
  onTag: (tag: TagChoice) => void;
  onPetrolPump: (petrolPump: PetrolPumpChoice) => void;
  onTruck: (truckNumber: string) => void;
}

/** 'Create "…"' of a picker (ruling 14): its form, and back to the field with the new record chosen. */
export function CreateInPlace({ creation, owner, onClose, ...chosen }: CreateInPlaceProps) {
  const { kind, text } = creation;
  if (kind === 'tag') return <TagFormDialog start={{ name: text }} onClose={onClose} onSaved={chosen.onTag} />;
  if (kind === 'petrolPump') {
    return <PetrolPumpFormDialog start={{ name: text }} onClose={onClose} onSaved={chosen.onPetrolPump} />;
  }
  if (kind === 'truck') {
    return (
      <TruckFormDialog
        start={{ truckNumber: text.trim().toUpperCase(), owner }}
        onClose={onClose}
        onSaved={(truck) => chosen.onTruck(truck.truckNumber)}
      />
    );
  }
  // Digits typed into the picker were a phone number.
  const start = /^[\d\s]+$/.test(text) ? { contactNumber: text } : { name: text };
  return (
    <OwnerFormDialog
      start={start}
      onClose={onClose}
      onSaved={kind === 'owner' ? chosen.onOwner : chosen.onDiscounter}
    />
  );
}
