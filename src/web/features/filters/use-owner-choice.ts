import { useState } from 'react';
import { owners } from '../../resources/owners.ts';
import type { OwnerChoice } from '../master-data/index.ts';

/** The owner of the filter with its name: the picked one, or otherwise the one loaded by the id in the URL. */
export function useOwnerChoice(ownerId: string): {
  owner: OwnerChoice | null;
  remember: (owner: OwnerChoice | null) => void;
} {
  const [picked, setPicked] = useState<OwnerChoice | null>(null);
  const isKnown = ownerId === '' || picked?.id === ownerId;
  const found = owners.useGet({ params: { id: ownerId } }, { enabled: !isKnown, staleTime: 60_000 });
  if (ownerId === '') return { owner: null, remember: setPicked };
  if (isKnown) return { owner: picked, remember: setPicked };
  const owner = found.data?.data;
  const name = owner?.name ?? (found.isError ? 'Unknown owner' : '…');
  return { owner: { id: ownerId, name, contactNumber: owner?.contactNumber ?? '' }, remember: setPicked };
}
