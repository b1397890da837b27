import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify';
import { contract } from '../shared/contract/index.ts';
import { buildOpenApi } from '../shared/contract/openapi.ts';
import { apiHeaders, headersOf } from './http/api-headers.ts';
import { Implementer, type Pools } from './http/implement.ts';
import type { Limits } from './http/limits.ts';
import { parseJson } from './http/json.ts';
import { answerProblem } from './http/problems.ts';
import { answerUnknown, serveWeb } from './http/web-files.ts';
import { Refusal } from './refusal.ts';
import { healthRoutes } from './routes/health.ts';
import { registerRoutes } from './routes/index.ts';
import { shareRoutes } from './routes/share.ts';

export interface AppOptions {
  pools: Pools;
  logLevel: string;
  /** Where people reach the app, for links that leave it (PUBLIC_URL). */
  publicUrl?: string | undefined;
  /** Proxies in front, whose word on the caller's address is taken (TRUST_PROXY); absent: nobody's. */
  trustProxy?: readonly string[] | undefined;
  /** The built web app; absent in tests that only call the API. */
  webRoot?: string;
  /** Answers 503 to /health/ready as soon as the server is stopping. */
  isStopping?: () => boolean;
  /** Other limits than the usual ones, for tests. */
  limits?: Partial<Limits>;
}

const version = '0.1.0';

/** The whole server without a port: tests inject requests, main.ts listens. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    logger: { level: options.logLevel, base: null },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    return503OnClosing: true,
    // Our own parser and zod do this work; see http/json.ts.
    onProtoPoisoning: 'ignore',
    // For the headers of a request and for all of it, looked at often enough that a slow sender is gone within 30 s
    // (safety.md, C21). The whole leaves an upload its 60 s.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    requestTimeout: 70_000,
    // A line on which nothing moves, as with an answer nobody reads; longer than any call or file may be silent.
    connectionTimeout: 130_000,
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    // What is too long for a parameter its schema says, behind the session check. The limit is for routes with patterns.
    routerOptions: { maxParamLength: 20_000 },
    // An address that cannot be decoded; Fastify's own answer, before any hook, would repeat it.
    frameworkErrors: (_, request, reply) => {
      void reply.headers({ ...apiHeaders, 'x-content-type-options': 'nosniff', 'x-request-id': request.id });
      answerProblem(new Refusal('NOT_FOUND', 'There is nothing at this address.'), request, reply);
    },
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('confirmed', null);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    try {
      checkContentType(request);
      // parseAs: 'string' hands over a string; a call without a body (logout) may still name its type.
      done(null, text === '' ? undefined : parseJson(text as string));
    } catch (error) {
      done(error as Error);
    }
  });

  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    // Route patterns, never addresses: a query string or an id list has no place in a log (safety.md, rule 32).
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
  app.setErrorHandler((error, request, reply) => {
    if (reply.raw.headersSent) {
      request.log.warn('an answer broke off');
      reply.raw.destroy();
      return;
    }
    answerProblem(error, request, reply);
  });

  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // AG Grid and the toaster make style elements at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
  });
  // After helmet's own hook, whose policy is the web page's.
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(headersOf(request.url));
  });

  healthRoutes(app, options);
  shareRoutes(app, options);
  const implement = new Implementer(app, options.pools, options.limits);
  registerRoutes(implement, options);
  app.decorate('implemented', implement.done);

  const document = buildOpenApi(contract, { version });
  app.get('/api/openapi.json', async () => document);
  // The plugin's own type wants OpenAPI 3.0's; it serves the document as it is.
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true });

  const webRoot = options.webRoot !== undefined && existsSync(options.webRoot) ? options.webRoot : undefined;
  if (webRoot !== undefined) await serveWeb(app, webRoot);
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply, implement.done, webRoot));
  return app;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The endpoints that have a handler: the matrix test fails for one that is missing there. */
    implemented: Implementer['done'];
  }
}

/** Only plain JSON in UTF-8; odd spellings of the header have let bodies slip past validation elsewhere. */
function checkContentType(request: FastifyRequest): void {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json(\s*;\s*charset="?utf-8"?)?$/i.test(type.trim())) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The request must be sent as application/json.');
  }
}
