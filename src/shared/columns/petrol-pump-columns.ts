import type { PetrolPump } from '../contract/petrol-pumps.ts';
import type { Column } from './define.ts';

/** Petrol pumps (docs/specification.md §7.3). */
export const petrolPumpColumns: readonly Column<PetrolPump>[] = [
  { key: 'name', label: 'Name', kind: 'reference', width: 260, pin: 'left' },
  { key: 'contactNumber', label: 'Contact Number', kind: 'identifier', width: 150 },
  { key: 'address', label: 'Address', kind: 'text', width: 380 },
  { key: 'createdAt', label: 'Created At', kind: 'datetime', width: 150 },
];
