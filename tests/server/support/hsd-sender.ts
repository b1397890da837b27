import { readFile } from 'node:fs/promises';
import { send, type SocketAnswer } from './hsd-socket.ts';

/**
 * Sends one body many times at once, from a process of its own, so that the process under test does nothing but serve.
 * Arguments: port, token, count, file of the body. Prints the answers; null where the server closed the connection while the
 * body was still being sent, so that its answer was not read.
 */
const [port = '', token = '', count = '', file = ''] = process.argv.slice(2);
const body = await readFile(file);
const answers: (SocketAnswer | null)[] = await Promise.all(
  Array.from({ length: Number(count) }, () =>
    send(Number(port), { token }, body).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return null;
      throw error;
    }),
  ),
);
process.stdout.write(JSON.stringify(answers));
