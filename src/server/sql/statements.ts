import type { GlobalDb, TenantDb } from '../db/tenant.ts';

/** What statements are put together from, and how they are run. */

/** Adds a value to a statement and returns its SQL: `$n`, or a literal where there are no parameters (COPY). */
export type Bind = (value: unknown) => string;

/** The parameters of one statement; the first is the tenant. */
export class Parameters {
  readonly values: unknown[];
  constructor(db: TenantDb) {
    this.values = [db.tenantId];
  }

  readonly bind: Bind = (value) => `$${this.values.push(value)}`;
}

/** Escapes a search text for LIKE: % and _ have no special meaning there (docs/specification.md §3.3). */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

const names = new Map<string, string>();

/**
 * Returns the name under which a statement with this text is prepared. The same text always gets the same name, and no
 * two texts share one. Each connection keeps every statement that was prepared on it, so only texts that are used often
 * should have a name.
 */
export function preparedName(kind: string, text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `${kind}-${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** Counts rows. `source` is the SQL after FROM: a table or a subquery, with its conditions. */
export async function countRows(
  db: GlobalDb | TenantDb,
  source: string,
  values: readonly unknown[],
  name?: string,
): Promise<number> {
  const { count } = await db.one<{ count: number }>(`SELECT count(*)::int AS count FROM ${source}`, values, name);
  return count;
}

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
