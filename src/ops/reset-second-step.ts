import { OperatorError } from '../server/operator-error.ts';
import { withClient } from '../server/db/client.ts';

/**
 * Takes the second step at sign-in away from an admin whose phone and recovery codes are lost. The sign-in log, which admins
 * see, says so. Connect as the owner of the schema.
 * @throws OperatorError when no admin has this e-mail, or this one has no second step
 */
export async function resetSecondStepOfAdmin(url: string, email: string): Promise<void> {
  await withClient(url, 'reset-second-step', async (client) => {
    const { rows } = await client.query<{ was_on: boolean }>(
      `WITH admin AS (SELECT id FROM accounts WHERE role = 'admin' AND lower(email) = lower($1) AND deleted_at IS NULL),
         waits AS (DELETE FROM code_waits WHERE account_id IN (SELECT id FROM admin)),
         gone AS (DELETE FROM second_steps WHERE account_id IN (SELECT id FROM admin) RETURNING account_id),
         told AS (INSERT INTO sign_ins (role, account_id, network, result)
           SELECT 'admin', account_id, 'the server itself', 'second-step-reset' FROM gone)
       SELECT EXISTS (SELECT FROM gone) AS was_on FROM admin`,
      [email],
    );
    const [admin] = rows;
    if (!admin) throw new OperatorError(`There is no admin with the e-mail ${email}.`);
    if (!admin.was_on) throw new OperatorError(`The admin ${email} has no second step.`);
  });
}
