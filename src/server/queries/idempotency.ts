import type { TenantDb } from '../db/tenant.ts';

interface Earlier {
  requestHash: Buffer;
  status: number;
  answer: string;
}

/** Claims these keys for this transaction; returns the answers of earlier requests with one of them. */
export async function claimIdempotencyKeys(
  db: TenantDb,
  claims: readonly { key: string; requestHash: Buffer }[],
): Promise<ReadonlyMap<string, Earlier>> {
  const keys = claims.map(({ key }) => key);
  // In the order of the keys, so that two who claim the same ones do not wait for each other.
  const { rowCount } = await db.query(
    `INSERT INTO idempotency_keys (subadmin_id, key, request_hash)
     SELECT $1, key, request_hash FROM unnest($2::text[], $3::bytea[]) AS claim (key, request_hash) ORDER BY key
     ON CONFLICT (subadmin_id, key) DO NOTHING`,
    [db.tenantId, keys, claims.map(({ requestHash }) => requestHash)],
    'claim-idempotency-keys',
  );
  if (rowCount === keys.length) return new Map();
  const { rows } = await db.query<{ key: string; request_hash: Buffer; status: number | null; answer: string | null }>(
    'SELECT key, request_hash, status, answer FROM idempotency_keys WHERE subadmin_id = $1 AND key = ANY ($2::text[])',
    [db.tenantId, keys],
  );
  // Those just claimed have no answer yet.
  return new Map(
    rows.flatMap(({ key, request_hash, status, answer }) =>
      status === null || answer === null ? [] : [[key, { requestHash: request_hash, status, answer }]],
    ),
  );
}

export async function storeIdempotentAnswers(
  db: TenantDb,
  answers: readonly { key: string; status: number; text: string }[],
): Promise<void> {
  await db.query(
    `UPDATE idempotency_keys AS k SET status = a.status, answer = a.answer
     FROM unnest($2::text[], $3::integer[], $4::text[]) AS a (key, status, answer)
     WHERE k.subadmin_id = $1 AND k.key = a.key`,
    [db.tenantId, answers.map(({ key }) => key), answers.map(({ status }) => status), answers.map(({ text }) => text)],
    'store-idempotent-answers',
  );
}
