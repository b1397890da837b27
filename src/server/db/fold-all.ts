import type { Client } from 'pg';

/** Folds all open differences of a business (migration 005), where nobody else works on it. */
export async function foldAll(client: Client, tenantId: string): Promise<void> {
  for (let isOpen = true; isOpen;) {
    const { rows } = await client.query<{ isOpen: boolean }>('SELECT fold_totals_of($1) > 0 AS "isOpen"', [tenantId]);
    isOpen = rows[0]?.isOpen === true;
  }
}
