import { Client } from 'pg';
import type { Api } from './api.ts';

/** Runs statements as the owner of the schema, past row-level security. */
export async function asSchemaOwner<T>(api: Api, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The tables whose rows belong to one account, as the database itself lists them. */
export function tenantTables(api: Api): Promise<string[]> {
  return asSchemaOwner(api, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'subadmin_id'
         AND NOT a.attisdropped ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  });
}
