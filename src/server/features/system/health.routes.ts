import type { FastifyInstance } from 'fastify';
import type { Pools } from '../../http/implement.ts';
import { selectOne, writeReadiness } from './maintenance.queries.ts';
import { withGlobal } from '../../db/tenant.ts';
import { roomOf, type Directories } from './disks.service.ts';

/** A write is tried at most this often, so that an idle server does not fill the log of its database. */
const writeEveryMs = 15_000;

/**
 * The room that a database must have on its disk to be ready: a segment of its log. Where a file cannot grow, a write into a
 * page that has room still succeeds, and so would the write that is tried here.
 */
const leastRoom = 16 * 2 ** 20;

/**
 * The health checks. Liveness never queries the database; readiness does, at most once a second, and writes. Until a write succeeds
 * again, each check tries one.
 */
export function healthRoutes(
  app: FastifyInstance,
  options: { pools: Pools; isStopping?: () => boolean; directories?: Directories | undefined },
): void {
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
        () => hasRoom(options.directories?.data),
        () => false,
      );
    }
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'database away' });
  });
}

async function hasRoom(data: string | undefined): Promise<boolean> {
  const [disk] = data === undefined ? [] : await roomOf({ data });
  return disk === undefined || disk.freeBytes >= leastRoom;
}
