import { Client } from 'pg';
import { toOperatorError } from './pool.ts';

/**
 * Runs `work` on one connection and closes it afterwards, together with an open transaction. Errors of the database are
 * converted to one line for the operator (OperatorError). `name` is shown in the database's own lists of connections.
 */
export async function withClient<T>(url: string, name: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: `challan-desk ${name}`,
    connectionTimeoutMillis: 10_000,
  });
  // The running statement rejects too. Without a listener this event alone would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw toOperatorError(url, error);
  } finally {
    await client.end();
  }
}
