import { hasKept } from '../../forms/kept-entries.ts';
import { OwnerFormDialog } from '../../forms/owner-form-dialog.tsx';
import { PetrolPumpFormDialog } from '../../forms/petrol-pump-form-dialog.tsx';
import { TagFormDialog } from '../../forms/tag-form-dialog.tsx';
import { TruckFormDialog } from '../../forms/truck-form-dialog.tsx';
import type { OwnerChoice, PetrolPumpChoice, TagChoice } from '../../shell/pickers.tsx';
import type { Creation } from './form-context.ts';

const kinds: readonly Creation['kind'][] = ['owner', 'discounter', 'tag', 'petrolPump', 'truck'];
/** `form`: the key of the challan form's own draft. */
export const creationPlace = (form: string, kind: Creation['kind']): string => `${form}.${kind}`;

/** What was being made when the session ended: it opens by itself, and has its text from what was kept. */
export function keptCreation(form: string): Creation | undefined {
  const kind = kinds.find((item) => hasKept(creationPlace(form, item)));
  return kind && { kind, text: '' };
}

interface CreateInPlaceProps {
  creation: Creation;
  /** Where its entries are kept over the end of the session. */
  keepAs: string;
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
export function CreateInPlace({ creation, keepAs, owner, onClose, ...chosen }: CreateInPlaceProps) {
  const { kind, text } = creation;
  const frame = { keepAs, onClose };
  if (kind === 'tag') return <TagFormDialog start={{ name: text }} {...frame} onSaved={chosen.onTag} />;
  if (kind === 'petrolPump') {
    return <PetrolPumpFormDialog start={{ name: text }} {...frame} onSaved={chosen.onPetrolPump} />;
  }
  if (kind === 'truck') {
    return (
      <TruckFormDialog
        start={{ truckNumber: text.trim().toUpperCase(), owner }}
        {...frame}
        onSaved={(truck) => chosen.onTruck(truck.truckNumber)}
      />
    );
  }
  // Digits typed into the picker were a phone number.
  const start = /^[\d\s]+$/.test(text) ? { contactNumber: text } : { name: text };
  return <OwnerFormDialog start={start} {...frame} onSaved={kind === 'owner' ? chosen.onOwner : chosen.onDiscounter} />;
}
