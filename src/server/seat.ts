import { canCall, canDo, type Permission } from '../shared/access.ts';
import type { Endpoint } from '../shared/contract/define.ts';
import type { Right } from '../shared/contract/seats.ts';
import type { Caller } from './caller.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal FORBIDDEN when the caller's seat does not have the right (docs/specification.md §26.1) */
export function requireRight(caller: Caller, right: Right): void {
  if (caller.role === 'subadmin') requireAllowed(canDo(caller, right));
}

/** @throws Refusal FORBIDDEN when the caller's seat may not make this call */
export function requireRightTo(caller: Caller, endpoint: Pick<Endpoint, 'right' | 'reads'>): void {
  if (caller.role === 'subadmin') requireAllowed(canCall(caller, endpoint));
}

/** @throws Refusal FORBIDDEN with the reason */
export function requireAllowed(permission: Permission): void {
  if (!permission.allowed) throw new Refusal('FORBIDDEN', permission.reason);
}
