import type { Person } from '../../../shared/contract/people.ts';
import type { Seat } from '../../../shared/contract/seats.ts';
import type { GlobalDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';
import { hasSecondStep } from '../session/second-steps.queries.ts';
import { isLive } from '../session/sessions.queries.ts';

const columns = `a.id, a.person_name AS name, a.email, coalesce(a.seat, 'owner') AS seat,
  a.business_id IS NULL AS "isBusiness", a.is_active AS "isActive", a.ends_on::text AS "endsOn",
  CASE WHEN a.business_id IS NULL THEN a.created_at ELSE a.joined_at END AS "joinedAt",
  coalesce(used.last_used_at, (SELECT max(i.at) FROM sign_ins i WHERE i.account_id = a.id AND i.result = 'signed-in'))
    AS "lastSeenAt",
  used.devices, ${hasSecondStep('a')} AS "hasSecondStep",
  coalesce(${actorName('adder')}, '') AS "addedBy",
  CASE WHEN a.link_expires_at > now() THEN a.link_expires_at END AS "linkExpiresAt", a.version`;
const people = `accounts a LEFT JOIN accounts adder ON adder.id = a.added_by
  CROSS JOIN LATERAL (SELECT max(s.last_used_at) AS last_used_at, count(*)::int AS devices FROM sessions s
    WHERE s.account_id = a.id AND ${isLive}) AS used
  WHERE (a.id = $1 OR a.business_id = $1) AND a.deleted_at IS NULL`;

/** Returns everybody of the business: its own login first, then who may sign in, by name. */
export const selectPeople = (db: GlobalDb, businessId: string): Promise<Person[]> =>
  db.records(
    `SELECT ${columns} FROM ${people}
     ORDER BY a.business_id IS NOT NULL, NOT a.is_active, lower(${actorName('a')}), a.id`,
    [businessId],
    'select-people',
  );

/** Everybody of the business by name, its own login and those that are switched off included. */
export const selectPeopleNames = (db: GlobalDb, businessId: string): Promise<{ id: string; name: string }[]> =>
  db.records(
    `SELECT a.id, ${actorName('a')} AS name FROM accounts a
     WHERE (a.id = $1 OR a.business_id = $1) AND a.deleted_at IS NULL ORDER BY lower(${actorName('a')}), a.id`,
    [businessId],
    'select-people-names',
  );

export async function selectPerson(db: GlobalDb, businessId: string, id: string): Promise<Person | null> {
  const [person] = await db.records<Person>(
    `SELECT ${columns} FROM ${people} AND a.id = $2`,
    [businessId, id],
    'select-person',
  );
  return person ?? null;
}

export interface Link {
  tokenHash: Buffer;
  hours: number;
}

export async function insertPerson(
  db: GlobalDb,
  { businessId, addedBy, email, seat, endsOn }: PersonValues & { businessId: string; addedBy: string; email: string },
  { tokenHash, hours }: Link,
): Promise<string> {
  const { id } = await db.one<{ id: string }>(
    `SELECT add_person($1, $2, $3, $4, $5, $6, now() + $7::int * interval '1 hour') AS id`,
    [businessId, email, seat, endsOn, addedBy, tokenHash, hours],
    'insert-person',
  );
  return id;
}

interface PersonValues {
  seat: Seat;
  /** The last day of an auditor (YYYY-MM-DD), else null. */
  endsOn: string | null;
}

/** Changes a person and ends every session: what a session may do is decided when it begins. */
export async function updatePerson(
  db: GlobalDb,
  businessId: string,
  id: string,
  { seat, endsOn, isActive }: PersonValues & { isActive: boolean },
): Promise<void> {
  await db.query(
    `UPDATE accounts SET seat = $3, ends_on = $4, is_active = $5, session_epoch = session_epoch + 1,
       link_expires_at = CASE WHEN $5 THEN link_expires_at END,
       updated_at = clock_timestamp(), version = version + 1
     WHERE business_id = $1 AND id = $2`,
    [businessId, id, seat, endsOn, isActive],
    'update-person',
  );
}

export async function updateLink(
  db: GlobalDb,
  businessId: string,
  id: string,
  { tokenHash, hours }: Link,
  givenBy: string,
): Promise<void> {
  await db.query(
    `UPDATE accounts SET link_hash = $3, link_expires_at = now() + $4::int * interval '1 hour', let_in_by = $5,
       let_in_at = now(), updated_at = clock_timestamp(), version = version + 1
     WHERE business_id = $1 AND id = $2`,
    [businessId, id, tokenHash, hours, givenBy],
    'update-link',
  );
}

/** Ends every session of a person; returns how many were open. */
export async function deleteSessionsOf(db: GlobalDb, businessId: string, id: string): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM sessions WHERE account_id = (SELECT a.id FROM accounts a WHERE a.business_id = $1 AND a.id = $2)`,
    [businessId, id],
    'delete-sessions-of',
  );
  return rowCount;
}

export interface PersonOfLink {
  id: string;
  business_id: string;
  email: string;
  seat: Seat;
  person_name: string;
  banner_name: string;
  is_new: boolean;
}

/** Returns whose link it is; nothing when it cannot be used: used up, expired, replaced, or the person is switched off. */
export function selectPersonOfLink(db: GlobalDb, tokenHash: Buffer): Promise<PersonOfLink | undefined> {
  return db.first<PersonOfLink>(
    'SELECT id, business_id, email, seat, person_name, banner_name, is_new FROM person_of_link($1)',
    [tokenHash],
    'select-person-of-link',
  );
}

/** Sets name and password and uses the link up, which the caller has read under the lock. Returns the new epoch. */
export async function joinWithLink(
  db: GlobalDb,
  { id, business_id: businessId }: PersonOfLink,
  { name, passwordHash }: { name: string; passwordHash: string },
): Promise<number> {
  const { session_epoch } = await db.one<{ session_epoch: number }>(
    `UPDATE accounts SET person_name = $3, password_hash = $4, session_epoch = session_epoch + 1, link_hash = NULL,
       link_expires_at = NULL, joined_at = coalesce(joined_at, now()), let_in_at = now(), updated_at = clock_timestamp(), version = version + 1
     WHERE business_id = $1 AND id = $2 RETURNING session_epoch`,
    [businessId, id, name, passwordHash],
    'join-with-link',
  );
  return session_epoch;
}

export async function updateOwnName(db: GlobalDb, accountId: string, name: string): Promise<void> {
  await db.query(
    'UPDATE accounts SET person_name = $2, updated_at = clock_timestamp() WHERE id = $1',
    [accountId, name],
    'update-own-name',
  );
}

/** Lets this session look as another seat; null ends it. Returns until when. */
export async function updateViewAs(
  db: GlobalDb,
  sessionId: string,
  seat: string | null,
  minutes: number,
): Promise<string | null> {
  const [row] = await db.records<{ until: string | null }>(
    `UPDATE sessions SET view_as = $2::text, view_as_until = CASE WHEN $2::text IS NOT NULL THEN now() + $3::int * interval '1 minute' END
     WHERE id = $1 RETURNING view_as_until AS until`,
    [sessionId, seat, minutes],
    'update-view-as',
  );
  return row?.until ?? null;
}
