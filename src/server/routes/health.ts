import type { FastifyInstance } from 'fastify';
import type { Pools } from '../http/implement.ts';
import { selectOne, writeReadiness } from '../queries/maintenance.ts';
import { withGlobal } from '../db/tenant.ts';

/** A write is tried at most this often, so that an idle server does not fill the log of its database. */
const writeEveryMs = 15_000;

/**
 * The health checks. Liveness never queries the database; readiness does, at most once a second, and writes. Until a write succeeds
 * again, each check tries one.
 */
export function healthRoutes(app: FastifyInstance, options: { pools: Pools; isStopping?: () => boolean }): void {
  app.get('/health/live', async () => ({ status: 'live' }));

  let checkedAt = 0;
  let writtenAt = 0;
  let isReady = false;
  app.get('/health/ready', async (_, reply) => {
    if (options.isStopping?.()) return reply.code(503).send({ status: 'stopping' });
    if (Date.now() - checkedAt > 1_000) {
      checkedAt = Date.now();
      const isWrite = !isReady || checkedAt - writtenAt > writeEveryMs;
      if (isWrite) writtenAt = checkedAt;
      isReady = await withGlobal(
        options.pools.main,
        isWrite ? 'write' : 'read',
        isWrite ? writeReadiness : selectOne,
      ).then(
        () => true,
        () => false,
      );
    }
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'database away' });
  });
}
