import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What fits into one packet arrives no sooner when it is smaller. */
const leastBytes = 1_400;

const ways = [
  ['br', (answer: Buffer | string) => brotliCompressSync(answer, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['gzip', (answer: Buffer | string) => gzipSync(answer, { level: 1 })],
] as const;

/**
 * Compresses the JSON that a GET answers (docs/decisions.md 153). The lowest levels take 0.1 ms for a page of a list, too short
 * to hand it to another thread. Answers of other calls stay as they are: those have tokens beside what the caller sent, and the
 * length of a compressed answer tells whether the two have a part in common (BREACH).
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || !isWhole(payload) || Buffer.byteLength(payload) < leastBytes) return payload;
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload;
    void reply.header('vary', 'accept-encoding');
    const way = ways.find(([name]) => takes(request, name));
    if (!way) return payload;
    const [name, compress] = way;
    void reply.header('content-encoding', name).removeHeader('content-length');
    return compress(payload);
  });
}

/** Files are streams. */
const isWhole = (payload: unknown): payload is Buffer | string =>
  typeof payload === 'string' || Buffer.isBuffer(payload);

/** Whether the client takes this encoding. `q=0` refuses it. */
const takes = ({ headers }: FastifyRequest, name: string): boolean =>
  new RegExp(`(^|,)\\s*${name}\\s*(?!;\\s*q=0(\\.0*)?\\s*(,|$))(;|,|$)`, 'i').test(
    String(headers['accept-encoding'] ?? ''),
  );
