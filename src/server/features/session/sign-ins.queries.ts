import type { AccountRole } from '../../../shared/contract/define.ts';
import type { SignIn } from '../../../shared/contract/session.ts';
import type { GlobalDb } from '../../db/tenant.ts';

export async function insertSignIn(
  db: GlobalDb,
  signIn: { role: AccountRole; accountId: string | null; network: string; result: SignIn['result'] },
): Promise<void> {
  await db.query(
    'INSERT INTO sign_ins (role, account_id, network, result) VALUES ($1, $2, $3, $4)',
    [signIn.role, signIn.accountId, signIn.network, signIn.result],
    'insert-sign-in',
  );
}

/** Returns the last 200 sign-ins, of all accounts or of one. */
export const selectSignIns = (db: GlobalDb, accountId: string | undefined): Promise<SignIn[]> =>
  db.records(
    `SELECT s.id, s.at, s.role, s.account_id AS "accountId", a.email, s.network, s.result
     FROM sign_ins s LEFT JOIN accounts a ON a.id = s.account_id
     WHERE $1::uuid IS NULL OR s.account_id = $1 ORDER BY s.at DESC, s.id LIMIT 200`,
    [accountId ?? null],
    'select-sign-ins',
  );

/** Returns the accounts that have sign-ins, by e-mail. */
export async function selectSignInAccounts(db: GlobalDb): Promise<{ id: string; email: string }[]> {
  const { rows } = await db.query<{ id: string; email: string }>(
    `SELECT a.id, a.email FROM accounts a WHERE EXISTS (SELECT FROM sign_ins s WHERE s.account_id = a.id)
     ORDER BY a.email`,
    [],
    'select-sign-in-accounts',
  );
  return rows;
}

export async function forgetOldSignIns(db: GlobalDb): Promise<void> {
  await db.query(`DELETE FROM sign_ins WHERE at < now() - interval '90 days'`);
}
