import type { z } from 'zod';
import type { Endpoint } from '../../../shared/contract/define.ts';
import type { RecordField } from '../../../shared/contract/fields.ts';
import { owner, ownerFields, ownerInput, type OwnerWithTrucks } from '../../../shared/contract/owners.ts';
import {
  petrolPump,
  petrolPumpFields,
  petrolPumpInput,
  type PetrolPump,
} from '../../../shared/contract/petrol-pumps.ts';
import { tag, tagFields, tagInput, type Tag } from '../../../shared/contract/tags.ts';
import { truck, truckFields, truckInput, typedWheels, type Truck } from '../../../shared/contract/trucks.ts';
import { call } from '../../kit/api/client.ts';
import { owners as ownersApi } from '../../resources/owners.ts';
import { petrolPumps as petrolPumpsApi } from '../../resources/petrol-pumps.ts';
import { tags as tagsApi } from '../../resources/tags.ts';
import { trucks as trucksApi } from '../../resources/trucks.ts';
import { CellLayer } from './cell-layer.tsx';
import type { CellKit, CellValue } from '../../kit/cells/cell-kit.ts';
import type { CellLayerProps } from '../../kit/cells/use-cell-editing.ts';

interface RecordCells<Row, Shape extends Record<string, z.ZodType>> {
  fields: Readonly<Record<string, RecordField>>;
  /** The validation rules of the form. */
  rules: Shape;
  nameOf: (row: Row) => string;
  update: Endpoint;
  lists: readonly Endpoint[];
  /** Reads the record from an answer. Fields that only the list has are kept. */
  shape: z.ZodType<object>;
  failed: string;
}

interface Stored {
  id: string;
  version: number;
}

/** The value to send: the id of a choice, wheels as a number, otherwise the text. */
const valueToSend = (name: string, value: CellValue): unknown => {
  if (typeof value !== 'string') return value?.id ?? '';
  return name === 'noOfWheels' ? typedWheels(value) : value;
};

/** Makes the cell kit of a list of records. Cells follow the same rules as the form. */
function kitOf<Row extends Stored>(of: RecordCells<Row, Record<string, z.ZodType>>): CellKit<Row> {
  const { fields, rules, nameOf, update, lists, shape, failed } = of;
  /** The field of a column: a column that shows another record's name belongs to the field with its id. */
  const fieldName = (column: string): string => (column === 'ownerName' ? 'ownerId' : column);
  const held = (row: Row, name: string): unknown => row[name as keyof Row];
  const valueOf = (row: Row, column: string): CellValue => {
    const name = fieldName(column);
    // For a truck's owner the list has the id and the name.
    return name === 'ownerId' ? (held(row, 'owner') as CellValue) : String(held(row, name) ?? '');
  };
  /** The parsed value. If the rules refuse it, it is sent unparsed, and the server gives the reason. */
  const parsed = (name: string, value: CellValue): unknown => {
    const given = valueToSend(name, value);
    return rules[name]?.safeParse(given).data ?? given;
  };
  const idOf = (value: CellValue): string => (typeof value === 'string' ? value.trim() : (value?.id ?? ''));
  return {
    fieldOf: (column) => {
      const { label, inCell = 'text' } = fields[fieldName(column)] ?? { label: column };
      return { label, kind: inCell, ...(column === 'truckNumber' && { isUpper: true }) };
    },
    nameOf,
    valueOf,
    textOf: (_column, value) => (typeof value === 'string' ? value : (value?.name ?? '')),
    isSame: (row, column, value) => idOf(valueOf(row, column)) === idOf(value),
    check: (_row, column, value) => {
      const name = fieldName(column);
      return rules[name]?.safeParse(valueToSend(name, value)).error?.issues[0]?.message;
    },
    shown: (_row, column, value) => {
      const name = fieldName(column);
      // A choice also changes the shown name, not only the id.
      const shown = name === 'ownerId' ? { ownerId: idOf(value), owner: value } : { [name]: parsed(name, value) };
      return shown as Partial<Row>;
    },
    send: async (row, column, value) => {
      const name = fieldName(column);
      const body = { [name]: parsed(name, value), version: row.version };
      const answer: unknown = await call(update, { params: { id: row.id }, body } as never);
      return { ...row, ...shape.parse((answer as { data: unknown }).data) };
    },
    // Safe: this is the newer record, which only lacks fields that the list adds.
    read: (data) => shape.safeParse(data).data as Row | undefined,
    update,
    lists,
    failed,
  };
}

const owners = kitOf<OwnerWithTrucks>({
  fields: ownerFields,
  rules: ownerInput.shape,
  nameOf: ({ name }) => name,
  update: ownersApi.calls.update,
  lists: [ownersApi.calls.list, ownersApi.calls.search],
  shape: owner,
  failed: 'Failed to update owner',
});
const trucks = kitOf<Truck>({
  fields: truckFields,
  rules: truckInput.shape,
  nameOf: ({ truckNumber }) => truckNumber,
  update: trucksApi.calls.update,
  lists: [trucksApi.calls.list, trucksApi.calls.search],
  shape: truck,
  failed: 'Failed to update truck',
});
const tags = kitOf<Tag>({
  fields: tagFields,
  rules: tagInput.shape,
  nameOf: ({ name }) => name,
  update: tagsApi.calls.update,
  lists: [tagsApi.calls.list],
  shape: tag,
  failed: 'Failed to save tag',
});
const petrolPumps = kitOf<PetrolPump>({
  fields: petrolPumpFields,
  rules: petrolPumpInput.shape,
  nameOf: ({ name }) => name,
  update: petrolPumpsApi.calls.update,
  lists: [petrolPumpsApi.calls.list],
  shape: petrolPump,
  failed: 'Failed to save petrol pump',
});

export const OwnerCells = (props: CellLayerProps<OwnerWithTrucks>) => <CellLayer kit={owners} {...props} />;
export const TruckCells = (props: CellLayerProps<Truck>) => <CellLayer kit={trucks} {...props} />;
export const TagCells = (props: CellLayerProps<Tag>) => <CellLayer kit={tags} {...props} />;
export const PetrolPumpCells = (props: CellLayerProps<PetrolPump>) => <CellLayer kit={petrolPumps} {...props} />;
