import type { FastifyInstance } from 'fastify';
import { Bucket } from '../bucket.ts';
import { withGlobalStatement } from '../db/tenant.ts';
import { csvContentType } from '../files/csv.ts';
import { contentDisposition } from '../http/file-body.ts';
import type { Pools } from '../http/implement.ts';
import { networkOf } from '../http/network.ts';
import { hashToken, isToken } from '../http/tokens.ts';
import { selectSharedFile } from '../queries/shared-reports.ts';

/** The same answer for a link that never existed, has expired, was revoked, or belongs to a closed account. */
const gone = 'This link is not valid, or is not valid any more. Please ask the sender for a new one.\n';
const busy = 'Too many requests. Please try again in a moment.\n';
const plainText = 'text/plain; charset=utf-8';

/** An owner opens a link now and then; thirty at once and one a second leave room for an office behind one address. */
const allowance = { burst: 30, perSecond: 1 };

/**
 * GET /share/{token}: the frozen file of a report, for anybody who has the link, without a session and outside /api.
 * Opening it uses nothing up, so the preview of a messenger does no harm (docs/security.md §6.3).
 */
export function shareRoutes(app: FastifyInstance, { pools }: { pools: Pools }): void {
  const bucket = new Bucket(allowance);
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: '/share/:token',
    handler: async (request, reply) => {
      void reply.header('x-robots-tag', 'noindex, nofollow, noarchive');
      const waitSeconds = bucket.take(networkOf(request.ip));
      if (waitSeconds > 0) {
        return reply.code(429).header('retry-after', String(waitSeconds)).type(plainText).send(busy);
      }
      const { token } = request.params;
      const file = isToken(token)
        ? await withGlobalStatement(pools.main, (db) => selectSharedFile(db, hashToken(token)))
        : undefined;
      if (!file) return reply.code(404).type(plainText).send(gone);
      return reply
        .header('content-disposition', contentDisposition(file.fileName))
        .type(csvContentType)
        .send(file.content);
    },
  });
}
