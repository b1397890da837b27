import { Client } from 'pg';
import { expect } from 'vitest';
import type { Api } from './api.ts';

/** A second connection, as the owner of the schema: it holds what a request will wait for. */
export async function holding<T>(
  api: Api,
  statement: string,
  values: unknown[],
  work: (release: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement, values);
    return await work(async () => void (await client.query('COMMIT')));
  } finally {
    await client.end();
  }
}

/** Until so many requests of the app wait for a lock. */
export const untilWaiting = (api: Api, count: number = 1): Promise<void> =>
  pollWaiting(api, (waiting) => waiting.toBeGreaterThanOrEqual(count));

/** Until no request of the app waits for a lock: sooner than the database's own limit of 15 s ends the wait. */
export const untilNoneWaits = (api: Api): Promise<void> => pollWaiting(api, (waiting) => waiting.toBe(0), 8_000);

async function pollWaiting(
  api: Api,
  expected: (waiting: ReturnType<typeof expect.poll<number | null>>) => Promise<void>,
  timeout?: number,
): Promise<void> {
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  try {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expected(expect.poll(async () => (await client.query(waiting)).rowCount, { timeout }));
  } finally {
    await client.end();
  }
}
