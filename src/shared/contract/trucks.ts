import { z } from 'zod';
import { displayVehicle } from '../calc/keys.ts';
import { endpoint } from './define.ts';
import type { FieldsOf } from './fields.ts';
import { recordsBulk } from './records-bulk.ts';
import {
  documented,
  message,
  pageQuery,
  pagination,
  requiredId,
  searchQuery,
  sortQuery,
  text,
  version,
  written,
} from './scalars.ts';

export const truck = z.object({
  id: z.string(),
  truckNumber: z.string(),
  /** '' when not given. */
  typeOfVehicle: z.string(),
  noOfWheels: z.number(),
  ownerId: z.string(),
  owner: z.object({ id: z.string(), name: z.string() }),
  ...written,
});
export type Truck = z.output<typeof truck>;

const wheelsRequired = 'Please enter number of wheels';
const fields = {
  truckNumber: text(30, { required: 'Please enter truck number', stored: displayVehicle }),
  ownerId: requiredId('Please select an owner'),
  // A count is sent as a number. A truck may have a count that a challan refuses (docs/specification.md §8.2.2).
  noOfWheels: z
    .number({ error: wheelsRequired })
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(100, 'must be at most 100'),
};
/**
 * The number to send for the typed wheels. An empty field is NaN, so that the message says "required"; other text becomes
 * a number that the schema refuses as not whole.
 */
export function typedWheels(text: string): number {
  const typed = text.trim();
  if (typed === '') return Number.NaN;
  return /^\d+$/.test(typed) ? Number(typed) : notWhole;
}
const notWhole = 1.5;
const optionalFields = { typeOfVehicle: text(100).optional() };

export const truckInput = z.strictObject({ ...fields, ...optionalFields });
/** The fields in the order of the form and the details. */
export const truckFields = {
  truckNumber: { label: 'Truck Number', kind: 'reference', inCell: 'text' },
  ownerId: { label: 'Owner Name', kind: 'record', names: 'owners', inCell: 'owner' },
  noOfWheels: { label: 'Wheels', kind: 'count', inCell: 'text' },
  typeOfVehicle: { label: 'Vehicle Type', kind: 'text', inCell: 'text' },
} as const satisfies FieldsOf<typeof truckInput>;

export const truckChange = truckInput.partial().extend({ version: version.optional() });

/** What the challan form fills in from a vehicle number (docs/specification.md §8.2.2). */
export const vehicleDetails = z.object({
  owner: z.object({ id: z.string(), name: z.string(), contactNumber: z.string() }),
  vehicle: z.object({ truckNumber: z.string(), typeOfVehicle: z.string(), noOfWheels: z.number() }),
});
export type VehicleDetails = z.output<typeof vehicleDetails>;

export const truckSortKeys = ['truckNumber', 'ownerName', 'noOfWheels', 'typeOfVehicle', 'createdAt'] as const;
export type TruckSortKey = (typeof truckSortKeys)[number];

const one = z.object({ data: truck });

export const trucks = {
  list: endpoint('trucks', 'GET /trucks', {
    summary: 'List trucks',
    query: z.object({ ...pageQuery, ...sortQuery(truckSortKeys, 'truckNumber', 'asc') }),
    answer: z.object({ data: z.array(truck), pagination }),
  }),
  search: endpoint('trucks', 'GET /trucks/search', {
    summary: 'Search trucks by number or owner name; without a page at most 200 results',
    query: z.object(searchQuery(truckSortKeys)),
    answer: z.object({ results: z.array(truck), count: z.number(), searchTerm: z.string(), pagination }),
  }),
  lookUp: endpoint('trucks', 'GET /trucks/vehicle/{vehicleNumber}', {
    summary: 'Find a truck and its owner by vehicle number, ignoring spaces, hyphens and case',
    params: z.object({ vehicleNumber: text(50, { required: 'Please enter vehicle no' }) }),
    answer: z.object({ data: vehicleDetails }),
    errors: ['VALIDATION_ERROR'],
  }),
  create: endpoint('trucks', 'POST /trucks', {
    summary: 'Create a truck',
    body: truckInput,
    answer: one,
    status: 201,
    errors: ['INVALID_REFERENCE', 'TRUCK_EXISTS'],
    touches: ['trucks', 'owners', 'accounting', 'declarations'],
  }),
  update: endpoint('trucks', 'PUT /trucks/{id}', {
    summary: 'Change a truck',
    body: truckChange,
    answer: one,
    errors: ['INVALID_REFERENCE', 'TRUCK_EXISTS'],
    touches: ['trucks', 'owners', 'accounting', 'batches', 'declarations'],
  }),
  remove: endpoint('trucks', 'DELETE /trucks/{id}', {
    summary: 'Delete a truck',
    answer: message,
    touches: ['trucks', 'owners', 'accounting', 'declarations'],
  }),
  ...recordsBulk('trucks', {
    values: truckInput
      .pick({ noOfWheels: true, ownerId: true })
      .partial()
      .refine((given) => Object.keys(given).length > 0, 'must name a field to change')
      .register(documented, { minProperties: 1 }),
    errors: ['INVALID_REFERENCE'],
    touches: ['trucks', 'owners', 'accounting', 'declarations'],
  }),
};
