import { rights } from '../../../shared/contract/seats.ts';
import type { SecondStepState } from '../../../shared/contract/second-step.ts';
import type { GlobalDb } from '../../db/tenant.ts';

/** SQL: whether an account signs in with a second step. */
export const hasSecondStep = (account: string): string =>
  `EXISTS (SELECT FROM second_steps t WHERE t.account_id = ${account}.id AND t.confirmed_at IS NOT NULL)`;

/** SQL: an account `a` of `b` of which a second step is demanded: of an admin by the server, of who pays by the business. */
const isDemanded = `(b.demands_second_step
  AND coalesce(a.seat, 'owner') IN (${rights.pay.of.map((seat) => `'${seat}'`).join(', ')}))`;

/** SQL: the accounts `a` that lack a second step that is demanded of them. */
export const whoLacksIt = `accounts a JOIN accounts b ON b.id = coalesce(a.business_id, a.id)
  WHERE ${isDemanded} AND NOT ${hasSecondStep('a')}`;

export async function selectSecondStep(db: GlobalDb, accountId: string): Promise<SecondStepState> {
  const [state] = await db.records<SecondStepState>(
    `SELECT t.confirmed_at IS NOT NULL AS "isOn", t.confirmed_at AS since,
       (SELECT count(*) FROM recovery_codes r WHERE r.account_id = a.id)::int AS "codesLeft", ${isDemanded} AS "isDemanded"
     FROM accounts a JOIN accounts b ON b.id = coalesce(a.business_id, a.id) LEFT JOIN second_steps t ON t.account_id = a.id
     WHERE a.id = $1`,
    [accountId],
    'select-second-step',
  );
  // Safe: accounts are never removed.
  return state!;
}

/** Stores a secret that no code has confirmed yet, in place of an earlier such one. Returns false when a confirmed one is there. */
export async function beginSecondStep(db: GlobalDb, accountId: string, sealedSecret: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO second_steps AS t (account_id, sealed_secret) VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET sealed_secret = excluded.sealed_secret WHERE t.confirmed_at IS NULL`,
    [accountId, sealedSecret],
    'begin-second-step',
  );
  return rowCount === 1;
}

export interface LockedSecret {
  sealed_secret: Buffer;
  is_on: boolean;
  last_step: number;
  /** Milliseconds since 1970, by the clock of the database. */
  now: number;
}

/** Locks the second step of an account, so that two who use a code at once come one after the other. */
export function lockSecondStep(db: GlobalDb, accountId: string): Promise<LockedSecret | undefined> {
  return db.first<LockedSecret>(
    `SELECT sealed_secret, confirmed_at IS NOT NULL AS is_on, last_step::float8 AS last_step,
       (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now
     FROM second_steps WHERE account_id = $1 FOR UPDATE`,
    [accountId],
    'lock-second-step',
  );
}

/** Notes the step of a code that was used, under the lock. The first one turns the second step on. */
export async function updateLastStep(db: GlobalDb, accountId: string, step: number): Promise<void> {
  await db.query(
    'UPDATE second_steps SET last_step = $2, confirmed_at = coalesce(confirmed_at, now()) WHERE account_id = $1',
    [accountId, step],
    'update-last-step',
  );
}

/** Puts these recovery codes in the place of those that there are. */
export async function replaceRecoveryCodes(db: GlobalDb, accountId: string, hashes: readonly Buffer[]): Promise<void> {
  await db.query('DELETE FROM recovery_codes WHERE account_id = $1', [accountId], 'delete-recovery-codes');
  await db.query(
    'INSERT INTO recovery_codes (account_id, code_hash) SELECT $1, unnest($2::bytea[])',
    [accountId, hashes],
    'insert-recovery-codes',
  );
}

/** Uses a recovery code up. Returns false when there is no such code, or no more. */
export async function deleteRecoveryCode(db: GlobalDb, accountId: string, hash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    'DELETE FROM recovery_codes WHERE account_id = $1 AND code_hash = $2',
    [accountId, hash],
    'delete-recovery-code',
  );
  return rowCount === 1;
}

/** Takes the second step away, with its recovery codes and with sign-ins that wait for a code. Returns whether it was on. */
export async function deleteSecondStep(db: GlobalDb, accountId: string): Promise<boolean> {
  const row = await db.first<{ was_on: boolean }>(
    'DELETE FROM second_steps WHERE account_id = $1 RETURNING confirmed_at IS NOT NULL AS was_on',
    [accountId],
    'delete-second-step',
  );
  await db.query('DELETE FROM code_waits WHERE account_id = $1', [accountId], 'delete-code-waits-of');
  return row?.was_on ?? false;
}

/** Remembers a right password that waits for its code, for 5 minutes. */
export async function insertCodeWait(
  db: GlobalDb,
  { tokenHash, accountId, epoch }: { tokenHash: Buffer; accountId: string; epoch: number },
): Promise<void> {
  await db.query(
    'INSERT INTO code_waits (token_hash, account_id, session_epoch) VALUES ($1, $2, $3)',
    [tokenHash, accountId, epoch],
    'insert-code-wait',
  );
}

/** Returns whose password waits for a code with this token, and as whom. Null when it has waited too long, or was used. */
export function selectCodeWait(
  db: GlobalDb,
  tokenHash: Buffer,
): Promise<{ account_id: string; email: string } | undefined> {
  return db.first<{ account_id: string; email: string }>(
    `SELECT w.account_id, a.email FROM code_waits w JOIN accounts a ON a.id = w.account_id AND a.session_epoch = w.session_epoch
     WHERE w.token_hash = $1 AND w.expires_at > now()`,
    [tokenHash],
    'select-code-wait',
  );
}

/** Uses the token up. Returns false when another call has. */
export async function deleteCodeWait(db: GlobalDb, tokenHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM code_waits WHERE token_hash = $1', [tokenHash], 'delete-code-wait');
  return rowCount === 1;
}

export async function forgetOldCodeWaits(db: GlobalDb): Promise<void> {
  await db.query('DELETE FROM code_waits WHERE expires_at < now()');
}

/** Stores whether a second step is demanded: by a business of its seats that pay, or by the server of its admins. */
export async function updateDemand(db: GlobalDb, of: { businessId: string } | 'admins', isOn: boolean): Promise<void> {
  await db.query(
    of === 'admins'
      ? `UPDATE accounts SET demands_second_step = $1 WHERE role = 'admin' AND demands_second_step <> $1`
      : 'UPDATE accounts SET demands_second_step = $1 WHERE id = $2',
    of === 'admins' ? [isOn] : [isOn, of.businessId],
    of === 'admins' ? 'update-demand-of-admins' : 'update-demand',
  );
}

/** Lets each open session of a business, of the admins, or of one account know whether it has to set a second step up. */
export async function markSessions(db: GlobalDb, of: { businessId: string } | 'admins'): Promise<void> {
  await db.query(
    `UPDATE sessions s SET must_set_up = EXISTS (SELECT FROM ${whoLacksIt} AND a.id = s.account_id)
     WHERE s.account_id IN (SELECT o.id FROM accounts o
       WHERE ${of === 'admins' ? "o.role = 'admin'" : '(o.id = $1 OR o.business_id = $1)'})`,
    of === 'admins' ? [] : [of.businessId],
    of === 'admins' ? 'mark-sessions-of-admins' : 'mark-sessions',
  );
}

/** What decides whether a session is asked again who it is. */
export async function selectConfirmation(
  db: GlobalDb,
  sessionId: string,
): Promise<{ is_fresh: boolean; has_people: boolean; has_second_step: boolean }> {
  const row = await db.first<{ is_fresh: boolean; has_people: boolean; has_second_step: boolean }>(
    `SELECT s.confirmed_at > now() - interval '10 minutes' AS is_fresh, ${hasSecondStep('a')} AS has_second_step,
       EXISTS (SELECT FROM accounts p WHERE p.business_id = coalesce(a.business_id, a.id)) AS has_people
     FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE s.id = $1`,
    [sessionId],
    'select-confirmation',
  );
  return row ?? { is_fresh: false, has_people: true, has_second_step: false };
}

export async function confirmSession(db: GlobalDb, sessionId: string): Promise<void> {
  await db.query('UPDATE sessions SET confirmed_at = now() WHERE id = $1', [sessionId], 'confirm-session');
}
