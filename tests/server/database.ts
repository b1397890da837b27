import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { postgresMissing } from '../../src/tasks/postgres.ts';
import { templateName } from './global-setup.ts';

export interface TestDatabase {
  /** As the superuser, who owns the schema. The app's own way in is createPool(url, { role: 'challan_app' }). */
  url: string;
  /** Ends what is still connected, and removes the database. */
  drop(): Promise<void>;
}

/** A database of its own for a test file, cloned from the migrated template. Drop it in afterAll. */
export function freshDatabase(): Promise<TestDatabase> {
  return create(templateName);
}

/** The same without any schema. */
export function emptyDatabase(): Promise<TestDatabase> {
  return create('template1');
}

async function create(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOnServer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function runOnServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const url = inject('serverUrl');
  if (url === '') throw new Error(postgresMissing);
  return url;
}
