import type { TenantDb } from '../db/tenant.ts';

/** Yields the rows of a query in batches, through a cursor of the transaction, because all rows may not fit in memory. */
export async function* fetchInBatches<Row extends object>(
  db: TenantDb,
  cursor: string,
  text: string,
  values: readonly unknown[],
  batchSize: number = 1_000,
): AsyncGenerator<Row[]> {
  await db.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${text}`, values);
  for (;;) {
    const { rows } = await db.query<Row>(`FETCH ${batchSize} FROM ${cursor}`);
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) break;
  }
  await db.query(`CLOSE ${cursor}`);
}
