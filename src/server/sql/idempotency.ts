import type { TenantDb } from '../db/tenant.ts';

interface EarlierAnswer {
  status: number;
  /** The encrypted answer (migration 012). Without it the request is known as done, and is refused when it is repeated. */
  answer: Buffer | null;
}

/**
 * Claims the keys with these hashes for this transaction. Returns the answers of earlier requests with the same keys,
 * by the hash in hexadecimal.
 */
export async function claimIdempotencyKeys(
  db: TenantDb,
  hashes: readonly Buffer[],
): Promise<ReadonlyMap<string, EarlierAnswer>> {
  // Claimed in the order of the keys, so that two calls that claim the same keys cannot deadlock.
  const { rowCount } = await db.query(
    `INSERT INTO idempotency_keys (subadmin_id, key_hash)
     SELECT $1, key_hash FROM unnest($2::bytea[]) AS claim (key_hash) ORDER BY key_hash
     ON CONFLICT (subadmin_id, key_hash) DO NOTHING`,
    [db.tenantId, hashes],
    'claim-idempotency-keys',
  );
  if (rowCount === hashes.length) return new Map();
  const { rows } = await db.query<{ key_hash: Buffer; status: number | null; answer: Buffer | null }>(
    'SELECT key_hash, status, answer FROM idempotency_keys WHERE subadmin_id = $1 AND key_hash = ANY ($2::bytea[])',
    [db.tenantId, hashes],
  );
  // Keys that were just claimed have no answer yet.
  return new Map(
    rows.flatMap(({ key_hash, status, answer }) =>
      status === null ? [] : [[key_hash.toString('hex'), { status, answer }]],
    ),
  );
}

export async function storeIdempotentAnswers(
  db: TenantDb,
  answers: readonly { keyHash: Buffer; status: number; answer: Buffer }[],
): Promise<void> {
  await db.query(
    // The keys are claimed, so all of them are in conflict. An UPDATE with a join would be planned again for each call.
    `INSERT INTO idempotency_keys (subadmin_id, key_hash, status, answer)
     SELECT $1, a.* FROM unnest($2::bytea[], $3::integer[], $4::bytea[]) AS a (key_hash, status, answer)
     ON CONFLICT (subadmin_id, key_hash) DO UPDATE SET status = excluded.status, answer = excluded.answer`,
    [
      db.tenantId,
      answers.map(({ keyHash }) => keyHash),
      answers.map(({ status }) => status),
      answers.map(({ answer }) => answer),
    ],
    'store-idempotent-answers',
  );
}
