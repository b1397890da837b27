import fastify from 'fastify';
import { createPool } from '../../src/server/db/pool.ts';
import { bareCreate, bareEdit, bareHsd, barePay, everything, shortPage } from './sql.ts';

/**
 * Shows what HTTP alone costs: each handler runs the best SQL and sends the rows as they are, without session, tenant,
 * policies, contract or headers. No server with fastify and pg can be faster than this one.
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

/** A write in one statement, for the challan that the body names. */
const write = (name: string, text: string): void => {
  app.post<{ Body: { id: string } }>(`/${name}`, async ({ body }) => {
    const { rows } = await pool.query<object>({ name, text, values: [tenantId, body.id] });
    return { success: true, data: rows[0] };
  });
};
write('create', bareCreate);
write('edit', bareEdit);
write('hsd', bareHsd);
write('pay', barePay);

const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`running at ${address}\n`);
process.on('SIGTERM', () => void Promise.all([app.close(), pool.end()]).then(() => process.exit(0)));
