import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { finished } from 'node:stream';
import helmet from '@fastify/helmet';
import type { Registry } from 'prom-client';
import fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { LogHealth } from '../shared/contract/health.ts';
import { apiHeaders, headersOf } from './http/api-headers.ts';
import { Implementer, type Pools } from './http/implement.ts';
import type { Limits } from './http/limits.ts';
import { parseJson } from './http/json.ts';
import { onlyLoggedFacts } from './http/log-stream.ts';
import type { Directories } from './features/system/disks.service.ts';
import { shedLoad } from './http/overload.ts';
import { applyTlsTimeouts, closeConnectionAfter, type TlsOptions } from './http/tls.ts';
import { answerProblem, errorBody } from './http/problems.ts';
import { compressAnswers } from './http/compress.ts';
import { answerUnknown, serveWeb } from './http/web-files.ts';
import { Refusal } from './refusal.ts';
import { SecretBox } from './secret-box.ts';
import { apiDocsRoutes } from './features/system/api-docs.routes.ts';
import { healthRoutes } from './features/system/health.routes.ts';
import { registerRoutes } from './features/routes.ts';
import { policyReportRoute, policyReportsPath } from './features/system/policy-reports.routes.ts';
import { shareRoutes } from './features/shared-reports/share.routes.ts';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorStatus, type ErrorCode } from '../shared/contract/errors.ts';

interface AppOptions {
  pools: Pools;
  logLevel: string;
  /** Where the log goes. Absent: standard output, one write for each line. */
  log?: { write(line: string): void };
  /** The address at which people reach the app, for links that leave it (PUBLIC_URL). */
  publicUrl?: string | undefined;
  /** The file of the key that encrypts the secrets of second steps. Absent: a key that ends with the process. */
  secondStepKeyFile?: string | undefined;
  /** The proxies in front whose X-Forwarded-* headers are trusted (TRUST_PROXY). Absent: none. */
  trustProxy?: readonly string[] | undefined;
  /** The certificate and key with which the app serves HTTPS, as HTTP/2 or HTTP/1. Absent: plain HTTP. */
  tls?: TlsOptions | undefined;
  /** The registry that counts requests, pools and gates (METRICS_PORT). Absent: nothing is counted. */
  metrics?: Registry | undefined;
  /** Returns the state of the archive of the embedded database's log. Absent: there is no archive. */
  logArchive?: (() => LogHealth) | undefined;
  /** The directories whose disks are watched. */
  directories?: Directories | undefined;
  /** Whether the API document and its page are served. Absent: yes. */
  apiDocs?: boolean | undefined;
  /** The folder of the built web app. Absent in tests that only call the API. */
  webRoot?: string;
  /** Once it returns true, every new call is answered with 503; so is /health/ready. */
  isStopping?: () => boolean;
  /** While it returns true, calls are refused with 503. Absent: never. */
  isOverloaded?: () => boolean;
  /** Other limits than the defaults, for tests. */
  limits?: Partial<Limits>;
}

/** Time limits in milliseconds for the headers and for the whole request. The latter leaves an upload its 60 s. */
const timeouts = { headersTimeout: 15_000, requestTimeout: 70_000 };

/**
 * Fastify would derive the type of the server from these options. Typed as `object`, so that the rest of the app is
 * written for the plain HTTP server.
 */
const tlsOptions = (tls: AppOptions['tls']): object =>
  tls === undefined ? {} : { http2: true, https: { ...tls, allowHTTP1: true } };

/** Builds the whole server without opening a port: tests inject requests, and start.ts listens. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    logger: {
      level: options.logLevel,
      base: null,
      formatters: { log: onlyLoggedFacts },
      ...(options.log && { stream: options.log }),
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    // Our own hook answers in the product's words (refuseWhileStopping).
    return503OnClosing: false,
    // Our own parser and zod handle prototype keys; see http/json.ts.
    onProtoPoisoning: 'ignore',
    // The limits are checked often enough to cut off a slow sender within 30 s (docs/security.md §4.3). A hook below
    // refuses a missing Host header, so that the answer has the form of every error.
    http: { headersTimeout: timeouts.headersTimeout, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    requestTimeout: timeouts.requestTimeout,
    ...tlsOptions(options.tls),
    // Closes an idle connection, for example one whose client does not read the answer. The time is longer than any
    // call or file may be silent.
    connectionTimeout: 130_000,
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    // The schema limits the length of a parameter, after the session check. The router must not refuse a long one
    // before it.
    routerOptions: { maxParamLength: 20_000 },
    clientErrorHandler: answerMalformed,
    // For an address that cannot be decoded, Fastify would answer before any hook and repeat the address.
    frameworkErrors: (_, request, reply) => {
      void reply.headers({ ...apiHeaders, 'x-content-type-options': 'nosniff', 'x-request-id': request.id });
      answerProblem(new Refusal('NOT_FOUND', 'There is nothing at this address.'), request, reply);
    },
  });
  if (options.tls !== undefined) applyTlsTimeouts(app, timeouts);
  app.decorateRequest('caller', null);
  app.decorateRequest('left');

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    try {
      checkContentType(request);
      // With parseAs 'string' the text is always a string. A call without a body (logout) may still send a content
      // type.
      done(null, text === '' ? undefined : parseJson(text as string));
    } catch (error) {
      done(error as Error);
    }
  });

  refuseExpectations(app.server);
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    // Logs the route's pattern and never the address: a query string or a list of ids must not be in a log
    // (docs/security.md §8).
    const { caller } = request;
    request.log.info(
      {
        route: request.routeOptions.url ?? 'unknown',
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        actor: caller?.accountId,
      },
      'request',
    );
  });
  if (options.metrics !== undefined) {
    const { registerMetrics: watchApp } = await import('./metrics.ts');
    watchApp(app, options.pools, options.metrics, options.logArchive, options.directories);
  }
  app.setErrorHandler((error, request, reply) => {
    if (reply.raw.headersSent) {
      request.log.warn('a response failed after it had begun');
      reply.raw.destroy();
      return;
    }
    answerProblem(error, request, reply);
  });

  await app.register(helmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // Helmet also allows style elements with the nonce of the page, which AG Grid, the toaster and the dialogs
        // create.
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        reportUri: [policyReportsPath],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
  });
  // Runs after helmet's hook, which sets the policy of the web page.
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(headersOf(request.url));
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new Refusal('INVALID_REQUEST', 'The request has no Host header.');
    }
    // A compressed body would be parsed as if it were plain. The body of a GET is not read at all.
    if (request.method !== 'GET' && !/^(identity)?$/i.test(request.headers['content-encoding']?.trim() ?? '')) {
      throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The request must be sent without a content encoding.');
    }
  });
  compressAnswers(app);
  app.decorate(
    'callsUnderWay',
    refuseWhileStopping(app, () => options.isStopping?.() ?? false),
  );

  if (options.isOverloaded) shedLoad(app, options.isOverloaded);

  healthRoutes(app, options);
  shareRoutes(app, options);
  policyReportRoute(app);
  const implement = new Implementer(app, options.pools, options.limits);
  registerRoutes(implement, {
    publicUrl: options.publicUrl,
    secrets: new SecretBox(options.secondStepKeyFile),
    log: options.logArchive,
    directories: options.directories,
  });
  app.decorate('implemented', implement.endpoints);
  app.decorate('gates', implement.gates);

  if (options.apiDocs ?? true) apiDocsRoutes(app);

  const webRoot = options.webRoot !== undefined && existsSync(options.webRoot) ? options.webRoot : undefined;
  const pageAt = webRoot === undefined ? undefined : await serveWeb(app, webRoot);
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply, implement.endpoints, pageAt));
  return app;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The endpoints that have a handler. The matrix test fails for an endpoint that is missing here. */
    implemented: Implementer['endpoints'];
    gates: Implementer['gates'];
    /** How many calls that began before a stop are not answered yet. */
    callsUnderWay: () => number;
  }
}

/** Accepts only plain JSON in UTF-8. In other products, odd spellings of this header let bodies bypass validation. */
function checkContentType(request: FastifyRequest): void {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json(\s*;\s*charset="?utf-8"?)?$/i.test(type.trim())) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The request must be sent as application/json.');
  }
}

/**
 * While the server is stopping, it finishes the running calls and answers every new one with 503. Each answer closes
 * its connection, so that the client's next call goes to another server. Cutting the connections instead would leave
 * clients not knowing whether their call was executed.
 *
 * Call this after the hooks that set headers. Returns a function that counts the running calls.
 */
function refuseWhileStopping(app: FastifyInstance, isStopping: () => boolean): () => number {
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
  app.addHook('onSend', async (request, reply) => {
    if (isStopping()) closeConnectionAfter(request, reply);
  });
  return () => underWay;
}

const problems: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'REQUEST_TIMEOUT',
    message: 'The request took too long to arrive. Please try again.',
  },
};
const notHttp = { code: 'INVALID_REQUEST', message: 'The request is not valid HTTP.' } as const;

/**
 * Answers what cannot be parsed as a request, in the form of every refusal, and closes the connection. Such a request
 * never reaches a route. The server gets this function as its `clientErrorHandler`.
 */
function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  // An internal field of Node: the answer that this connection is sending. Nothing may be written into the middle of
  // it.
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) {
    socket.destroy();
    return;
  }
  const problem = problems[error.code ?? ''] ?? notHttp;
  const status = errorStatus[problem.code];
  const { text, headers } = malformedAnswer(problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () => socket.destroy());
}

/** Refuses an Expect header other than 100-continue, because Node would answer it without a body. */
function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_, response: ServerResponse) => {
    const { text, headers } = malformedAnswer({
      code: 'INVALID_REQUEST',
      message: 'The header Expect is not supported.',
    });
    response.writeHead(400, headers).end(text);
  });
}

function malformedAnswer(problem: { code: ErrorCode; message: string }): {
  text: string;
  headers: Record<string, string>;
} {
  const requestId = randomUUID();
  const text = errorBody(problem, requestId);
  return {
    text,
    headers: {
      ...apiHeaders,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      connection: 'close',
    },
  };
}
