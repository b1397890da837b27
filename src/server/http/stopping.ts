import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../refusal.ts';

/**
 * While the server is stopping, calls that had begun are finished and every other one is answered with 503; each answer
 * closes its connection, so that the client's next call goes elsewhere. A connection that was simply cut would leave the
 * client not knowing whether its call was taken. Register it after the hooks that set headers; it answers how many of the
 * calls that count are under way.
 */
export function refuseWhileStopping(app: FastifyInstance, isStopping: () => boolean): () => number {
  let underWay = 0;
  app.addHook('onRequest', async (request, reply) => {
    if (!isStopping()) {
      underWay += 1;
      finished(reply.raw, () => (underWay -= 1));
    } else if (!request.url.startsWith('/health/')) {
      throw new Refusal('SERVICE_UNAVAILABLE', 'The server is restarting. Please try again in a moment.', {
        retryAfterSeconds: 2,
      });
    }
  });
  app.addHook('onSend', async (_, reply) => {
    if (isStopping()) void reply.header('connection', 'close');
  });
  return () => underWay;
}
