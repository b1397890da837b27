import type { NewDevices } from '../../../shared/contract/session.ts';
import type { GlobalDb } from '../../db/tenant.ts';

interface Device {
  accountId: string;
  /** What the browser calls itself. */
  device: string;
  /** 'Chrome on Windows' */
  name: string;
  network: string;
}

/**
 * Notes that an account signs in with a device. Returns the devices that are new since it did so last with this one, the newest
 * five. On a device that the account never used there is no such time, and nothing is returned.
 */
export const noteDevice = (
  db: GlobalDb,
  { accountId, device, name, network }: Device,
): Promise<NonNullable<NewDevices>> =>
  db.records(
    `WITH noted AS (
       INSERT INTO account_devices (account_id, device, name, network) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, device) DO UPDATE SET name = excluded.name, network = excluded.network, last_used_at = now())
     SELECT n.name, n.network, n.first_used_at AS at
     FROM account_devices here JOIN account_devices n ON n.account_id = here.account_id AND n.first_used_at > here.last_used_at
     WHERE here.account_id = $1 AND here.device = $2 ORDER BY n.first_used_at DESC, n.device LIMIT 5`,
    [accountId, device, name, network],
    'note-device',
  );

/** Forgets devices that were not used for 90 days. */
export async function forgetOldDevices(db: GlobalDb): Promise<void> {
  await db.query(`DELETE FROM account_devices WHERE last_used_at < now() - interval '90 days'`);
}
