import { buildApp } from '../../../src/server/app.ts';
import { createPool } from '../../../src/server/db/pool.ts';

/** The real app as a process of its own on a test's database, made to be killed. Says its port on the first line. */
const url = process.env.DATABASE_URL;
if (url === undefined) throw new Error('DATABASE_URL is missing');
const pools = {
  main: createPool(url, { max: 10 }),
  stream: createPool(url, { max: 2, pipeline: false }),
};
const app = await buildApp({ pools, logLevel: 'silent' });
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
