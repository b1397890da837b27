import { readFile } from 'node:fs/promises';
import { send, type SocketAnswer } from './hsd-socket.ts';

/**
 * Sends one body many times at once, from a process of its own, so that the process under test does nothing but serve.
 * Arguments: port, token, count, file of the body. Prints the answers.
 */
const [port = '', token = '', count = '', file = ''] = process.argv.slice(2);
const body = await readFile(file);
const answers: SocketAnswer[] = await Promise.all(
  Array.from({ length: Number(count) }, () => send(Number(port), { token }, body)),
);
process.stdout.write(JSON.stringify(answers));
