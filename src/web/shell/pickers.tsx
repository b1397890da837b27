import { useState, type ComponentProps } from 'react';
import { askNothing } from '../ui/picker-state.ts';
import { Picker } from '../ui/picker.tsx';
import { useOwnerItems, usePetrolPumpItems, useTagItems } from './picker-items.ts';

/** The three reusable pickers (part 1 §2). What is picked need only be what a challan itself names. */
export interface OwnerChoice {
  id: string;
  name: string;
  contactNumber: string;
}
export interface TagChoice {
  id: string;
  name: string;
  color: string;
}
export interface PetrolPumpChoice {
  id: string;
  name: string;
}

type Bound<T> = Omit<ComponentProps<typeof Picker<T>>, 'found' | 'onAsk' | 'keyOf' | 'textOf' | 'detailOf' | 'markOf'>;

const idOf = (item: { id: string }): string => item.id;
const nameOf = (item: { name: string }): string => item.name;
const contactOf = (owner: OwnerChoice): string => owner.contactNumber;
const dotOf = (tag: TagChoice) => (
  <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ backgroundColor: tag.color }} />
);

export function OwnerPicker(props: Bound<OwnerChoice>) {
  const [ask, setAsk] = useState(askNothing);
  const found = useOwnerItems(ask);
  return (
    <Picker
      placeholder="Search owners"
      {...props}
      found={found}
      onAsk={setAsk}
      keyOf={idOf}
      textOf={nameOf}
      detailOf={contactOf}
    />
  );
}

export function TagPicker(props: Bound<TagChoice>) {
  const [ask, setAsk] = useState(askNothing);
  const found = useTagItems(ask);
  return (
    <Picker
      placeholder="Search tags"
      {...props}
      found={found}
      onAsk={setAsk}
      keyOf={idOf}
      textOf={nameOf}
      markOf={dotOf}
    />
  );
}

/** Part 1 §9: petrol pumps wait 500 ms. */
export function PetrolPumpPicker(props: Bound<PetrolPumpChoice>) {
  const [ask, setAsk] = useState(askNothing);
  const found = usePetrolPumpItems(ask);
  return (
    <Picker
      placeholder="Search petrol pumps"
      debounceMs={500}
      {...props}
      found={found}
      onAsk={setAsk}
      keyOf={idOf}
      textOf={nameOf}
    />
  );
}
