import { Client } from 'pg';
import { explainedBy } from './pool.ts';

/**
 * Work on one connection that is closed afterwards, with an open transaction if there is one. What happens with the
 * database is said in one line for the operator (OperatorError). `name` is what the database's own lists call it.
 */
export async function withClient<T>(url: string, name: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: `challan-desk ${name}`,
    connectionTimeoutMillis: 10_000,
  });
  // The statement in progress rejects as well; without a listener the event alone would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw explainedBy(url, error);
  } finally {
    await client.end();
  }
}
