import type { OwnerListItem, OwnerWithTrucks } from '../../../shared/contract/owners.ts';
import { owners } from '../../api/resources.ts';

export interface OwnerDialogProps {
  id: string;
  /** As the list shows it: there at once. */
  row: OwnerListItem | undefined;
  placeFocus: () => boolean;
  onClose: () => void;
}

/** A search answers owners flat, the list answers them beside their trucks: one shape for the screen. */
export function toListItem({ trucks, trucksCount, ...owner }: OwnerWithTrucks): OwnerListItem {
  return { owner, trucks, trucksCount };
}

/** The owner whose dialog is open: as the list has it, and then as it is now. */
export function useOwner(id: string, row: OwnerListItem | undefined) {
  const query = owners.useGet({ params: { id } });
  return { query, item: query.data ? toListItem(query.data.data) : row };
}
