import { canChangePerson } from '../../../shared/access.ts';
import { addDays, dayOf } from '../../../shared/calc/dates.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import { AUDITOR_DAYS, LINK_HOURS, MOST_PEOPLE, type Person } from '../../../shared/contract/people.ts';
import { seatNames, type Seat } from '../../../shared/contract/seats.ts';
import type { Caller } from '../../caller.ts';
import type { GlobalDb } from '../../db/tenant.ts';
import { fieldRefusal, noSession, notFound, Refusal, versionConflict } from '../../refusal.ts';
import { requireAllowed } from '../../seat.ts';
import { insertAccountHistory } from '../history/history.queries.ts';
import { resetSecondStep } from '../session/second-steps.service.ts';
import { lockAccount } from '../session/sessions.queries.ts';
import { refuseDuplicateEmail } from '../subadmins/subadmins.service.ts';
import {
  deleteSessionsOf,
  insertPerson,
  selectPeople,
  selectPerson,
  updateLink,
  updatePerson,
  updateViewAs,
} from './people.queries.ts';

/** The people of a business (docs/specification.md §28). The business is always that of the session. */

/** An auditor has a last day, 90 days ahead unless one was chosen; other seats have none. */
function lastDay(seat: Seat, chosen: string | null | undefined): string | null {
  if (seat !== 'auditor') return null;
  const today = dayOf(new Date());
  const day = chosen ?? addDays(today, AUDITOR_DAYS);
  if (day < today) throw fieldRefusal('VALIDATION_ERROR', 'endsOn', 'The last day cannot be in the past');
  return day;
}

const seatText = (seat: Seat, endsOn: string | null): string =>
  endsOn === null ? seatNames[seat] : `${seatNames[seat]} until ${endsOn}`;

const noteOf = (db: GlobalDb, caller: Caller, action: string): Promise<void> =>
  insertAccountHistory(db, caller, { accountId: caller.businessId, action });

export async function invitePerson(
  db: GlobalDb,
  caller: Caller,
  { email, seat, endsOn: chosen }: BodyOf<typeof contract.people.invite>,
  tokenHash: Buffer,
): Promise<Person> {
  // So that people are counted and changed one after the other.
  await lockAccount(db, caller.businessId);
  if ((await selectPeople(db, caller.businessId)).length >= MOST_PEOPLE)
    throw new Refusal('VALIDATION_ERROR', `A business has at most ${MOST_PEOPLE} people.`);
  const endsOn = lastDay(seat, chosen);
  const { businessId, accountId: addedBy } = caller;
  const link = { tokenHash, hours: LINK_HOURS };
  const id = await refuseDuplicateEmail(insertPerson(db, { businessId, addedBy, email, seat, endsOn }, link));
  await noteOf(db, caller, `invited ${email} as ${seatText(seat, endsOn)}`);
  // Safe: the person was just made.
  return (await selectPerson(db, businessId, id))!;
}

async function getPerson(db: GlobalDb, caller: Caller, id: string): Promise<Person> {
  const person = await selectPerson(db, caller.businessId, id);
  if (!person) throw notFound('Person');
  return person;
}

/** Locks a person whom this owner may change: the login of the business and oneself are refused. */
async function lockOther(db: GlobalDb, caller: Caller, id: string): Promise<Person> {
  await lockAccount(db, caller.businessId);
  const person = await getPerson(db, caller, id);
  requireAllowed(canChangePerson({ ...person, isSelf: person.id === caller.accountId }));
  return person;
}

const nameOf = ({ name, email }: Person): string => (name === '' ? email : `${name} (${email})`);

export async function changePerson(
  db: GlobalDb,
  caller: Caller,
  id: string,
  { version, ...input }: BodyOf<typeof contract.people.update>,
): Promise<Person> {
  const before = await lockOther(db, caller, id);
  if (version !== undefined && version !== before.version) throw versionConflict('person', before);
  const { seat = before.seat, isActive = before.isActive } = input;
  const isSame = seat === before.seat && isActive === before.isActive;
  const endsOn = input.endsOn === undefined && isSame ? before.endsOn : lastDay(seat, input.endsOn ?? before.endsOn);
  if (isSame && endsOn === before.endsOn) return before;
  await updatePerson(db, caller.businessId, id, { seat, endsOn, isActive });
  if (seat !== before.seat || endsOn !== before.endsOn)
    await noteOf(
      db,
      caller,
      `made ${nameOf(before)} ${seatText(seat, endsOn)}, before ${seatText(before.seat, before.endsOn)}`,
    );
  if (isActive !== before.isActive) await noteOf(db, caller, `switched ${nameOf(before)} ${isActive ? 'on' : 'off'}`);
  return getPerson(db, caller, id);
}

/** Makes a link with which the person sets a password: an invitation again, or instead of one that was forgotten. */
export async function renewLink(db: GlobalDb, caller: Caller, id: string, tokenHash: Buffer): Promise<Person> {
  const person = await lockOther(db, caller, id);
  if (!person.isActive) throw new Refusal('FORBIDDEN', 'This person is switched off. Switch the person on first.');
  await updateLink(db, caller.businessId, id, { tokenHash, hours: LINK_HOURS }, caller.accountId);
  await noteOf(db, caller, `made a new link for ${nameOf(person)}`);
  return getPerson(db, caller, id);
}

/** For a person whose phone is lost. Sessions and password stay. */
export async function resetSecondStepOf(db: GlobalDb, caller: Caller, id: string): Promise<void> {
  const person = await lockOther(db, caller, id);
  await resetSecondStep(db, caller, { accountId: id, businessId: caller.businessId, who: nameOf(person) });
}

export async function endSessionsOf(db: GlobalDb, caller: Caller, id: string): Promise<void> {
  const person = await lockOther(db, caller, id);
  await deleteSessionsOf(db, caller.businessId, id);
  await noteOf(db, caller, `signed ${nameOf(person)} out everywhere`);
}

/** An owner who looks as another seat sees what it sees, and changes nothing meanwhile. */
const VIEW_MINUTES = 15;

export async function startViewAs(db: GlobalDb, caller: Caller, seat: Seat): Promise<string> {
  const until = await updateViewAs(db, caller.sessionId, seat, VIEW_MINUTES);
  if (until === null) throw noSession();
  await noteOf(db, caller, `looked at the product as ${seatNames[seat]}`);
  return until;
}
