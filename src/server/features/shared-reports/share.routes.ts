import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Bucket } from '../../bucket.ts';
import { withGlobalStatement } from '../../db/tenant.ts';
import { csvContentType } from '../../files/csv.ts';
import { ownerPageCsv, ownerPageHtml, pageFonts, pagePolicy, emptyPage, tripsPerPage } from './owner-page.file.ts';
import { ownerPagePdf } from './owner-page-pdf.file.ts';
import { pdfContentType } from '../../files/pdf.ts';
import { contentDisposition } from '../../http/file-body.ts';
import type { Pools } from '../../http/implement.ts';
import { networkOf } from '../../http/network.ts';
import { hashToken, isToken, newToken } from '../../http/tokens.ts';
import { Refusal } from '../../refusal.ts';
import { selectOwnerPage, selectSharedFile } from './shared-reports.queries.ts';
import type { ReportLink } from './shared-reports.service.ts';

/**
 * The answer for a link that never existed, has expired, was revoked, or belongs to a closed account. All get the same
 * text.
 */
const goneText = 'This link is not valid, or is not valid any more. Please ask the sender for a new one.\n';
const busyText = 'Too many requests. Please try again in a moment.\n';
const plainText = 'text/plain; charset=utf-8';
const htmlText = 'text/html; charset=utf-8';

/**
 * An owner opens a link now and then. Thirty requests at once and one a second leave room for an office behind one
 * address.
 */
const allowance = { burst: 30, perSecond: 1 };

/** Larger than the number of trips of any report, which has at most 20,000. */
const allTrips = 1_000_000;
const maxPages = 9_999;

/** Compresses a page. A page of trips has about 30 kB, compressed 3 kB. */
const compress = promisify<string, Buffer>(gzip);

const modules = createRequire(import.meta.url);

/**
 * Twenty reports at once, then one every 15 s, because each report is a file that is made and stored (docs/security.md
 * §6.3).
 */
export const reportsPerAccount = { burst: 20, perSecond: 1 / 15 };

/**
 * Returns a limit for calls that store a file. It throws TOO_MANY_REQUESTS for a call of an account that comes too soon after the
 * others; `did` says of what there were many.
 */
export function limitReports(
  rate: { burst: number; perSecond: number },
  did: string = 'reports were sent',
): (accountId: string) => void {
  const bucket = new Bucket(rate);
  return (accountId) => {
    const waitSeconds = bucket.take(accountId);
    if (waitSeconds === 0) return;
    const wait = waitSeconds === 1 ? '1 second' : `${waitSeconds} seconds`;
    throw new Refusal('TOO_MANY_REQUESTS', `Many ${did} just now. Please try again in ${wait}.`, {
      retryAfterSeconds: waitSeconds,
    });
  };
}

/** Creates a new link to a report, for its owner. */
export function newLink(request: FastifyRequest, publicUrl: string | undefined): ReportLink {
  const token = newToken();
  return { tokenHash: hashToken(token), address: `${publicBaseUrl(request, publicUrl)}/share/${token}` };
}

/**
 * Returns the base URL of links that leave the app, without a slash at the end: PUBLIC_URL, or else the address that
 * the sender has open. Anybody can put any name into a Host header. So without PUBLIC_URL the Host counts only when it
 * is this machine's own name or the address at which the connection reached it (docs/security.md §6.3).
 * @throws Refusal INVALID_REQUEST for any other name
 */
function publicBaseUrl(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const { hostname, port } = request;
  const name = hostname.replace(/^\[|\]$/g, '');
  const reached = request.socket.localAddress?.replace(/^::ffff:/, '');
  if (!['localhost', '127.0.0.1', '::1', reached].includes(name)) {
    throw new Refusal(
      'INVALID_REQUEST',
      'Links cannot be made at this address, because the app does not know it as its own. Ask the operator to set PUBLIC_URL.',
    );
  }
  return `${request.protocol}://${hostname}${port === null ? '' : `:${port}`}`;
}

interface LinkRoute {
  Params: { token: string };
  Querystring: { n?: string };
}

/**
 * The routes below /share, for anybody who has the link, without a session and outside /api: the stored file of a
 * report, and its page for phones with the page's own files. Opening a link does not use it up, so the preview of a
 * messenger does no harm (docs/security.md §6.3).
 */
export function shareRoutes(app: FastifyInstance, { pools }: { pools: Pools }): void {
  const bucket = new Bucket(allowance);
  /** Registers one address below the token. `answer` returns undefined for an invalid link. */
  const bind = (
    url: string,
    type: 'text' | 'page',
    answer: (request: FastifyRequest<LinkRoute>, reply: FastifyReply, tokenHash: Buffer) => Promise<unknown>,
  ): void => {
    app.route<LinkRoute>({
      method: ['GET', 'HEAD'],
      url: `/share/:token${url}`,
      handler: async (request, reply) => {
        void reply.header('x-robots-tag', 'noindex, nofollow, noarchive');
        if (type === 'page') void reply.header('content-security-policy', pagePolicy);
        const waitSeconds = bucket.take(networkOf(request.ip));
        if (waitSeconds > 0) {
          void reply.code(429).header('retry-after', String(waitSeconds));
          return type === 'page' ? reply.type(htmlText).send(emptyPage('busy')) : reply.type(plainText).send(busyText);
        }
        const { token } = request.params;
        const found = isToken(token) ? await answer(request, reply, hashToken(token)) : undefined;
        if (found !== undefined) return reply.send(found);
        void reply.code(404);
        return type === 'page' ? reply.type(htmlText).send(emptyPage('gone')) : reply.type(plainText).send(goneText);
      },
    });
  };
  const findPage = (tokenHash: Buffer, from = 1, to = allTrips) =>
    withGlobalStatement(pools.main, (db) => selectOwnerPage(db, tokenHash, from, to));
  const attach = (reply: FastifyReply, fileName: string, type: string): void =>
    void reply.header('content-disposition', contentDisposition(fileName)).type(type);

  bind('', 'text', async (_request, reply, tokenHash) => {
    const file = await withGlobalStatement(pools.main, (db) => selectSharedFile(db, tokenHash));
    if (!file) return undefined;
    attach(reply, file.fileName, csvContentType);
    return file.content;
  });

  bind('/page', 'page', async ({ headers, query: { n = '1' } }, reply, tokenHash) => {
    const number = /^[1-9]\d{0,3}$/.test(n) ? Math.min(Number(n), maxPages) : 1;
    const found = await findPage(tokenHash, (number - 1) * tripsPerPage + 1, number * tripsPerPage);
    // A page after the last has no trips.
    if (!found || (found.trips.length === 0 && number > 1)) return undefined;
    void reply.type(htmlText).header('vary', 'accept-encoding');
    const text = ownerPageHtml(found.page, found.trips, number);
    if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return text;
    void reply.header('content-encoding', 'gzip');
    return compress(text);
  });

  bind('/csv', 'text', async (_request, reply, tokenHash) => {
    const found = await findPage(tokenHash);
    if (!found) return undefined;
    attach(reply, found.fileName, csvContentType);
    return ownerPageCsv(found.page, found.trips);
  });

  bind('/pdf', 'text', async (request, reply, tokenHash) => {
    const found = await findPage(tokenHash);
    if (!found) return undefined;
    const pdf = await ownerPagePdf(networkOf(request.ip), found.page, found.trips);
    attach(reply, found.fileName.replace(/\.csv$/, '.pdf'), pdfContentType);
    return pdf;
  });

  app.get<{ Params: { name: string } }>('/share/fonts/:name', async ({ params: { name } }, reply) => {
    const font = Object.hasOwn(pageFonts, name) ? pageFonts[name] : undefined;
    if (font === undefined) return reply.code(404).type(plainText).send(goneText);
    return reply
      .header('cache-control', 'public, max-age=2592000')
      .type('font/woff2')
      .send(await readFile(modules.resolve(font)));
  });
}
