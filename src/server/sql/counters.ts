import {
  bankFileNumber,
  batchNumber,
  monthPackNumber,
  ownerStatementNumber,
  preparedNumber,
  tallyExportNumber,
} from '../../shared/calc/challan-number.ts';
import type { BatchKind } from '../../shared/contract/batches.ts';
import type { TenantDb } from '../db/tenant.ts';

/** SQL: the financial year of an instant's day in Asia/Kolkata, April to March, as calc/dates.ts writes it: '2627'. */
export const financialYearOf = (instant: string): string =>
  `(to_char(${instant} AT TIME ZONE 'Asia/Kolkata' - interval '3 months', 'YY')
    || to_char(${instant} AT TIME ZONE 'Asia/Kolkata' + interval '9 months', 'YY'))`;

/**
 * Takes the next number of a counter of the account in the current financial year (docs/specification.md §8.5), and
 * returns it as `write` writes it, with the instant that decided the year. The counter's row stays locked until the
 * transaction ends, so take numbers late.
 */
async function takeNumber(
  db: TenantDb,
  counter: string,
  write: (at: Date, value: number) => string,
): Promise<{ number: string; at: Date }> {
  const { value, at } = await db.one<{ value: string; at: Date }>(
    `WITH moment AS MATERIALIZED (
       SELECT clock_timestamp() AS at
     ), taken AS (
       INSERT INTO counters AS k (subadmin_id, name, value)
       SELECT $1, $2::text || '-' || ${financialYearOf('at')}, 1 FROM moment
       ON CONFLICT (subadmin_id, name) DO UPDATE SET value = k.value + 1
       RETURNING value
     )
     SELECT value, at FROM taken, moment`,
    [db.tenantId, counter],
    'take-number',
  );
  return { number: write(at, Number(value)), at };
}

/** Takes a number such as 'BF-2627-000012'. */
export const takeBankFileNumber = async (db: TenantDb): Promise<string> =>
  (await takeNumber(db, 'bank-file', bankFileNumber)).number;

/** Takes a number such as 'PRP-2627-000012'. */
export const takePreparedNumber = async (db: TenantDb): Promise<string> =>
  (await takeNumber(db, 'prepared', preparedNumber)).number;

/** Takes a number such as 'TLY-2627-000012'. */
export const takeTallyExportNumber = async (db: TenantDb): Promise<string> =>
  (await takeNumber(db, 'tally', tallyExportNumber)).number;

/** Takes a number such as 'MP-2627-000012'. */
export const takeMonthPackNumber = async (db: TenantDb): Promise<string> =>
  (await takeNumber(db, 'month-pack', monthPackNumber)).number;

/** Takes a number such as 'ST-2627-000012'. Returns it with the instant that decided its year. */
export const takeOwnerStatementNumber = (db: TenantDb): Promise<{ number: string; at: Date }> =>
  takeNumber(db, 'owner-statement', ownerStatementNumber);

/** Takes a number such as 'Answer 2627-000012'. */
export const takeBankAnswerNumber = async (db: TenantDb): Promise<string> =>
  (await takeNumber(db, 'bank-answer', (at, value) => batchNumber('Answer', at, value))).number;

const words: Readonly<Record<BatchKind, string>> = { sheet: 'Sheet', change: 'Change', import: 'Import' };

export const takeBatchNumber = async (db: TenantDb, kind: BatchKind): Promise<string> =>
  (await takeNumber(db, kind, (at, value) => batchNumber(words[kind], at, value))).number;
