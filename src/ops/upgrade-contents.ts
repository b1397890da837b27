import { escapeIdentifier, escapeLiteral } from 'pg';
import { withClient } from '../server/db/client.ts';

/** Counts the rows of each table. Connect as a superuser, from whom no policy hides rows. */
export async function countRows(url: string): Promise<Map<string, number>> {
  return withClient(url, 'upgrade', async (client) => {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `SELECT schemaname AS schema, tablename AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
    );
    const counts = new Map<string, number>();
    for (const { schema, name } of tables) {
      const table = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
      const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${table}`);
      counts.set(table, Number(rows[0]?.count));
    }
    return counts;
  });
}

/** Returns the databases of the cluster that do not belong to this program. */
export async function otherDatabases(url: string): Promise<string[]> {
  return withClient(url, 'upgrade', async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE NOT datistemplate AND datname <> current_database() ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  });
}

/** Sets the superuser's password to the given one, so that the file with the password need not change. */
export async function setPassword(url: string, password: string): Promise<void> {
  await withClient(url, 'upgrade', (client) =>
    client.query(`ALTER ROLE CURRENT_USER PASSWORD ${escapeLiteral(password)}`),
  );
}
