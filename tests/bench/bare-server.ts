import fastify from 'fastify';
import { createPool } from '../../src/server/db/pool.ts';
import { everything, shortPage } from './sql.ts';

/**
 * Shows what HTTP alone costs: one handler runs the best SQL of the list page and sends the rows as they are, without
 * session, tenant, policies, contract or headers. No server with fastify and pg can be faster than this one.
 */
const [tenantId = '', url = ''] = process.argv.slice(2);
const pool = createPool(url, { max: 8 });
const { totals, page, values } = everything();

const answer = async (name: string, text: string, parameters: unknown[]) => {
  const [summary, data] = await Promise.all([
    pool.query({ name: 'totals', text: totals, values: values(tenantId) }),
    pool.query({ name, text, values: parameters }),
  ]);
  return { success: true, data: data.rows, summary: summary.rows };
};
const app = fastify();
app.get('/', () => answer('page', page, values(tenantId)));
app.get('/short', () => answer('short page', shortPage, [tenantId]));
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`running at ${address}\n`);
process.on('SIGTERM', () => void Promise.all([app.close(), pool.end()]).then(() => process.exit(0)));
