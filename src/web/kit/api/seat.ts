import { canCall, canDo, reasonOf, type Call, type Seated } from '../../../shared/access.ts';
import type { Right } from '../../../shared/contract/seats.ts';
import { getSession } from './session-store.ts';

/** The seat of who is signed in, or as which an owner looks. The login of a business has the seat of an owner. */
export function person(): Seated {
  const user = getSession()?.user;
  return { seat: user?.view?.seat ?? user?.seat ?? 'owner', isViewing: user?.view !== undefined };
}

/** Why the seat may not make the call; undefined if it may. All screens are mounted anew when the seat changes. */
export const refusalOf = (call: Call | undefined): string | undefined => call && reasonOf(canCall(person(), call));

/** Why the seat does not have the right; undefined if it has, or none is needed. */
export const refusalOfRight = (right: Right | undefined): string | undefined =>
  right && reasonOf(canDo(person(), right));

/** Whether a screen is offered: what it shows may be read, or it records and can say why not. */
export const isOffered = ({ right }: { right?: Right }): boolean =>
  refusalOfRight(right) === undefined || right === 'record' || right === 'pay';

/** Marks a challan as paid or unpaid, wherever that is done: it needs more than to change other fields. */
export const paying: Call = { right: 'pay', reads: false };
