import type { PetrolPump } from '../../../shared/contract/petrol-pumps.ts';
import { contactPart, contains, containsNumber, recordTable } from './records.queries.ts';

export const petrolPumpTable = recordTable<PetrolPump, 'name' | 'contactNumber' | 'address', 'name'>({
  record: 'petrol-pump',
  fields: ['name', 'contactNumber', 'address'],
  matches: (term) =>
    `${contains('r.name', term)} OR ${contains('r.address', term)} OR ${containsNumber('r.contact_number', term, contactPart)}`,
  sorts: { name: 'lower(r.name)' },
  defaultSort: 'name',
});
