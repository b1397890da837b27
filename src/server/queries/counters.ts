import { bankFileNumber, batchNumber, ownerStatementNumber } from '../../shared/calc/challan-number.ts';
import type { BatchKind } from '../../shared/contract/batches.ts';
import type { TenantDb } from '../db/tenant.ts';
import { financialYearOf } from './payments.ts';

/**
 * Takes the next `count` numbers of a counter of the account in the current financial year (docs/specification.md
 * §8.5). Returns the first one and the instant that decided the year. The counter's row stays locked until the
 * transaction ends, so take numbers late.
 */
async function takeCounters(db: TenantDb, name: string, count: number): Promise<{ first: number; at: Date }> {
  const { rows } = await db.query<{ value: string; at: Date }>(
    `WITH moment AS MATERIALIZED (
       SELECT clock_timestamp() AS at
     ), taken AS (
       INSERT INTO counters AS k (subadmin_id, name, value)
       SELECT $1, $2::text || '-' || ${financialYearOf('at')}, $3::bigint FROM moment
       ON CONFLICT (subadmin_id, name) DO UPDATE SET value = k.value + $3::bigint
       RETURNING value
     )
     SELECT value, at FROM taken, moment`,
    [db.tenantId, name, count],
    'take-counters',
  );
  // An upsert returns its row.
  const { value, at } = rows[0]!;
  return { first: Number(value) - count + 1, at };
}

/** Takes a number such as 'BF-2627-000012'. */
export async function takeBankFileNumber(db: TenantDb): Promise<string> {
  const { first, at } = await takeCounters(db, 'bank-file', 1);
  return bankFileNumber(at, first);
}

/** Takes a number such as 'ST-2627-000012'. Returns it with the instant that decided its year. */
export async function takeOwnerStatementNumber(db: TenantDb): Promise<{ number: string; at: Date }> {
  const { first, at } = await takeCounters(db, 'owner-statement', 1);
  return { number: ownerStatementNumber(at, first), at };
}

/** Takes a number such as 'Answer 2627-000012'. */
export async function takeBankAnswerNumber(db: TenantDb): Promise<string> {
  const { first, at } = await takeCounters(db, 'bank-answer', 1);
  return batchNumber('Answer', at, first);
}

const words: Readonly<Record<BatchKind, string>> = { sheet: 'Sheet', change: 'Change', import: 'Import' };

export async function takeBatchNumber(db: TenantDb, kind: BatchKind): Promise<string> {
  const { first, at } = await takeCounters(db, kind, 1);
  return batchNumber(words[kind], at, first);
}
