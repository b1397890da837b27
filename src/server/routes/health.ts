import type { FastifyInstance } from 'fastify';
import type { Pools } from '../http/implement.ts';
import { selectOne } from '../queries/maintenance.ts';
import { withGlobal } from '../db/tenant.ts';

/** The health checks. Liveness never queries the database; readiness does, at most once a second. */
export function healthRoutes(app: FastifyInstance, options: { pools: Pools; isStopping?: () => boolean }): void {
  app.get('/health/live', async () => ({ status: 'live' }));

  let checkedAt = 0;
  let isReady = false;
  app.get('/health/ready', async (_, reply) => {
    if (options.isStopping?.()) return reply.code(503).send({ status: 'stopping' });
    if (Date.now() - checkedAt > 1_000) {
      checkedAt = Date.now();
      isReady = await withGlobal(options.pools.main, 'read', selectOne).then(
        () => true,
        () => false,
      );
    }
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'database away' });
  });
}
