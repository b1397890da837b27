import { createConnection } from 'node:net';
import type { PoolClient } from 'pg';

/** Asks the server to cancel the statement of a connection; the protocol needs a second connection for that. */
export function cancelStatement(client: PoolClient): Promise<void> {
  // pg keeps both from the start of the session and its types leave them out.
  const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80_877_102, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = client.host.startsWith('/')
      ? createConnection(`${client.host}/.s.PGSQL.${client.port}`)
      : createConnection(client.port, client.host);
    socket.setTimeout(2_000, () => socket.destroy());
    // A cancel that does not arrive only means that the statement runs into its own timeout.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    // The server closes it. Closed from here, PgBouncer before 1.20 ends with a fatal error.
    socket.on('connect', () => socket.write(request));
    socket.resume();
  });
}
