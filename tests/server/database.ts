import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { postgresMissing } from '../../src/tasks/postgres.ts';
import { appPassword, templateName } from './global-setup.ts';

export interface TestDatabase {
  /** As the superuser, who owns the schema. */
  url: string;
  /** As the role that requests work as. */
  appUrl: string;
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
  await runOnServer(
    // Copies the files, which takes half as long as writing each page to the log.
    `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`,
    // A copy of a database has its objects' rights, not its own.
    `REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`,
  );
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  const appUrl = new URL(url);
  [appUrl.username, appUrl.password] = ['challan_app', appPassword];
  return { url: url.href, appUrl: appUrl.href, drop: () => runOnServer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function runOnServer(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const url = inject('serverUrl');
  if (url === '') throw new Error(postgresMissing);
  return url;
}
