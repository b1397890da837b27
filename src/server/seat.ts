import { canCall, canDo, type Permission } from '../shared/access.ts';
import type { Endpoint } from '../shared/contract/define.ts';
import type { RecordField } from '../shared/contract/fields.ts';
import { ownerFields } from '../shared/contract/owners.ts';
import type { Right } from '../shared/contract/seats.ts';
import type { Caller } from './caller.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal FORBIDDEN when the caller's seat does not have the right (docs/specification.md §28.1) */
export function requireRight(caller: Caller, right: Right): void {
  if (caller.role === 'subadmin') requireAllowed(canDo(caller, right));
}

/** @throws Refusal FORBIDDEN when the caller's seat may not make this call */
export function requireRightTo(caller: Caller, endpoint: Pick<Endpoint, 'right' | 'reads'>): void {
  if (caller.role === 'subadmin') requireAllowed(canCall(caller, endpoint));
}

/** Whether the caller sees only the last four characters of accounts, IFSC and PAN (docs/specification.md §28.2). */
export const hidesBankDetails = (caller: Caller): boolean =>
  caller.role === 'subadmin' && !canDo(caller, 'readBank').allowed;

/** The fields of any answer that such a caller does not see whole. */
const hidden = new Set(
  Object.entries<RecordField>(ownerFields).flatMap(([name, { seenWith }]) => (seenWith ? [name] : [])),
);

/** The values of a change, where it names its field. */
const ofChange = new Set(['before', 'after', 'stored']);

/** An account, IFSC or PAN within a text: the reason of a return is the bank's narration, which repeats them. */
const inText = /\d{9,}|[A-Z]{4}0[A-Z0-9]{6}|[A-Z]{5}\d{4}[A-Z]/gi;

/**
 * Returns a value of an answer with only the last four characters of accounts, IFSC and PAN: in fields of these names, in the
 * values of a change that names such a field, and in reasons.
 */
export function withoutBankDetails(value: unknown, isHidden = false): unknown {
  if (typeof value === 'string') return isHidden ? maskedToLastFour(value) : value;
  if (Array.isArray(value)) return value.map((one) => withoutBankDetails(one, isHidden));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const named = 'field' in value && typeof value.field === 'string' && hidden.has(value.field);
  return Object.fromEntries(
    Object.entries(value).map(([name, of]) => [
      name,
      name === 'reason' && typeof of === 'string'
        ? of.replace(inText, maskedToLastFour)
        : withoutBankDetails(of, hidden.has(name) || (named && ofChange.has(name))),
    ]),
  );
}

/** The same as the database function masked_to_last_four (migration 013). */
const maskedToLastFour = (text: string): string =>
  '•'.repeat(text.length <= 4 ? text.length : text.length - 4) + (text.length <= 4 ? '' : text.slice(-4));

/** @throws Refusal FORBIDDEN with the reason */
export function requireAllowed(permission: Permission): void {
  if (!permission.allowed) throw new Refusal('FORBIDDEN', permission.reason);
}
