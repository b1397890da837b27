import type { TenantDb } from '../db/tenant.ts';

interface Earlier {
  requestHash: Buffer;
  status: number;
  answer: string;
}

/** Claims the key for this transaction, or returns the answer of the earlier request with it. */
export async function claimIdempotencyKey(
  db: TenantDb,
  key: string,
  requestHash: Buffer,
): Promise<'claimed' | Earlier> {
  const { rowCount } = await db.query(
    `INSERT INTO idempotency_keys (subadmin_id, key, request_hash) VALUES ($1, $2, $3)
     ON CONFLICT (subadmin_id, key) DO NOTHING`,
    [db.tenantId, key, requestHash],
  );
  if (rowCount === 1) return 'claimed';
  const { rows } = await db.query<{ request_hash: Buffer; status: number; answer: string }>(
    'SELECT request_hash, status, answer FROM idempotency_keys WHERE subadmin_id = $1 AND key = $2',
    [db.tenantId, key],
  );
  const row = rows[0];
  if (!row) throw new Error('An idempotency key that conflicts must be there');
  return { requestHash: row.request_hash, status: row.status, answer: row.answer };
}

export async function storeIdempotentAnswer(db: TenantDb, key: string, status: number, answer: string): Promise<void> {
  await db.query('UPDATE idempotency_keys SET status = $3, answer = $4 WHERE subadmin_id = $1 AND key = $2', [
    db.tenantId,
    key,
    status,
    answer,
  ]);
}
