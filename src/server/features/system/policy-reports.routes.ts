import type { FastifyInstance } from 'fastify';
import { Bucket } from '../../bucket.ts';
import { parseJson } from '../../http/json.ts';
import { networkOf } from '../../http/network.ts';
import { Refusal } from '../../refusal.ts';

/** The address to which browsers report violations of a page's content security policy (docs/security.md §7). */
export const policyReportsPath = '/api/policy-reports';

/** Browser extensions violate the policy again and again, so reports are rate limited. */
const allowance = { burst: 20, perSecond: 0.1 };
const maxBytes = 16 * 1024;

/** Anybody can send a report, without a session, so it causes nothing but a line of the log. */
export function policyReportRoute(app: FastifyInstance): void {
  const bucket = new Bucket(allowance);
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/csp-report', { parseAs: 'string' }, (_request, text, done) => {
      try {
        // With parseAs 'string' the text is always a string.
        done(null, parseJson(text as string));
      } catch (error) {
        done(error as Error);
      }
    });
    scope.post(policyReportsPath, {
      bodyLimit: maxBytes,
      onRequest: async (request) => {
        const retryAfterSeconds = bucket.take(networkOf(request.ip));
        if (retryAfterSeconds > 0) {
          throw new Refusal('TOO_MANY_REQUESTS', 'Too many requests. Please wait a moment.', { retryAfterSeconds });
        }
      },
      handler: async (request, reply) => {
        const report = (request.body as { 'csp-report'?: unknown } | null)?.['csp-report'];
        if (typeof report !== 'object' || report === null) throw new Refusal('INVALID_REQUEST', 'This is no report.');
        request.log.warn(loggableFacts(report as Record<string, unknown>), 'a page broke its policy');
        return reply.code(204).send();
      },
    });
  });
}

/** Keeps only keywords and file names of the program: an address may name a record or be the address of a link. */
function loggableFacts(report: Record<string, unknown>): Record<string, string | number | undefined> {
  const matching = (name: string, pattern: RegExp): string | undefined => {
    const value = report[name];
    return typeof value === 'string' ? pattern.exec(value)?.[0] : undefined;
  };
  const line = report['line-number'];
  return {
    directive: matching('effective-directive', /^[a-z-]{1,40}$/),
    blocked: matching('blocked-uri', /^([a-z-]{1,40}(:\/\/[\w.:[\]-]{1,200})?)/),
    file: matching('source-file', /\/assets\/[\w.-]{1,100}$/),
    line: typeof line === 'number' && Number.isSafeInteger(line) ? line : undefined,
  };
}
