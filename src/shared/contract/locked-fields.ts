import { tdsDay } from '../calc/declaration.ts';
import { challanFields, sentName, storedFieldNames, type ChallanValues, type StoredField } from './challan-fields.ts';
import type { FieldKind } from './fields.ts';

/**
 * Which fields of a challan stay as they are while its day is locked (docs/specification.md §29.1): every figure and every day
 * that a save writes, also one that is added later, and the records that say to whom money is owed and why none is deducted.
 * The trigger of migration 015 has the columns of the same fields.
 */
const lockedKinds: ReadonlySet<FieldKind> = new Set(['money', 'weight', 'liters', 'percent', 'date']);
const lockedRecords: ReadonlySet<string> = new Set<StoredField>(['petrolPump', 'tdsDeclaration']);

export const lockedFieldNames = storedFieldNames.filter(
  (name) => lockedKinds.has(challanFields[name].kind) || lockedRecords.has(name),
);

/** Whether a field of this name is one of them. */
export const isLockedField = (name: string): boolean => lockedFieldNames.some((locked) => locked === name);

type Dated = Pick<ChallanValues, 'depositedAt' | 'loadingDate'>;

/** Whether the lock refuses to create, delete or restore this challan. `lockedUpTo` null: nothing is locked. */
export const isLockedChallan = (lockedUpTo: string | null, challan: Dated): boolean =>
  lockedUpTo !== null && tdsDay(challan) <= lockedUpTo;

/** Whether the lock refuses this change. The day before and the day after both count. */
export const isLockedChange = <V extends ChallanValues>(
  lockedUpTo: string | null,
  before: V,
  after: Partial<ChallanValues>,
): boolean =>
  lockedFieldNames.some((name) => {
    const key = sentName(name);
    return key in after && after[key] !== before[key];
  }) && [before, { ...before, ...after }].some((challan) => isLockedChallan(lockedUpTo, challan));
