import { z } from 'zod';
import { storedContact, TEN_DIGITS, TEN_DIGITS_MESSAGE } from '../calc/identity.ts';
import { endpoint } from './define.ts';
import type { FieldsOf } from './fields.ts';
import { recordsBulk } from './records-bulk.ts';
import { contactQuery, matching, message, pageQuery, pagination, text, version, written } from './scalars.ts';

export const petrolPump = z.object({
  id: z.string(),
  name: z.string(),
  contactNumber: z.string(),
  address: z.string(),
  ...written,
});
export type PetrolPump = z.output<typeof petrolPump>;

/** POST /petrol-pumps and the pump form (docs/specification.md §7.3). */
export const petrolPumpInput = z.strictObject({
  name: text(100, {
    required: 'Please enter petrol pump name',
    min: 2,
    tooShort: 'Name must be at least 2 characters',
    tooLong: 'Name must not exceed 100 characters',
  }),
  contactNumber: matching(TEN_DIGITS, 'Please enter contact number', TEN_DIGITS_MESSAGE, storedContact),
  address: text(500, {
    required: 'Please enter address',
    min: 5,
    tooShort: 'Address must be at least 5 characters',
    tooLong: 'Address must not exceed 500 characters',
    lines: true,
  }),
});
/** The fields in the order of the form and the details. */
export const petrolPumpFields = {
  name: { label: 'Name', kind: 'reference', inCell: 'text' },
  contactNumber: { label: 'Contact Number', kind: 'identifier', inCell: 'text' },
  address: { label: 'Address', kind: 'text', inCell: 'lines' },
} as const satisfies FieldsOf<typeof petrolPumpInput>;

const petrolPumpChange = petrolPumpInput.partial().extend({ version: version.optional() });

const one = z.object({ data: petrolPump });

export const petrolPumps = {
  list: endpoint('petrol-pumps', 'GET /petrol-pumps', {
    summary: 'List or search petrol pumps',
    query: z.object({ ...pageQuery, search: contactQuery }),
    answer: z.object({ data: z.array(petrolPump), pagination }),
  }),
  get: endpoint('petrol-pumps', 'GET /petrol-pumps/{id}', {
    summary: 'Get a petrol pump',
    answer: one,
  }),
  create: endpoint('petrol-pumps', 'POST /petrol-pumps', {
    summary: 'Create a petrol pump',
    body: petrolPumpInput,
    answer: one,
    status: 201,
  }),
  update: endpoint('petrol-pumps', 'PUT /petrol-pumps/{id}', {
    summary: 'Change a petrol pump',
    body: petrolPumpChange,
    answer: one,
    touches: ['petrol-pumps', 'challans', 'accounting', 'batches', 'hsd-verification'],
  }),
  remove: endpoint('petrol-pumps', 'DELETE /petrol-pumps/{id}', {
    summary: 'Hide a petrol pump from lists and pickers; challans that name it keep it',
    answer: message,
  }),
  ...recordsBulk('petrol-pumps', { touches: ['petrol-pumps'] }),
};
