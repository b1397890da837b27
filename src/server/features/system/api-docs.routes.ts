import fastify, { type FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract/index.ts';
import { buildOpenApi } from '../../../shared/contract/openapi.ts';

const version = '0.1.0';
const routePrefix = '/api/docs';

/**
 * Serves the OpenAPI document and the page that shows it. They need ten thousand objects and three libraries and are
 * rarely requested, so both are built at the first request.
 */
export function apiDocsRoutes(app: FastifyInstance): void {
  let text: string | undefined;
  const document = (): string => (text ??= JSON.stringify(buildOpenApi(contract, { version })));
  app.get('/api/openapi.json', async (_request, reply) => {
    void reply.type('application/json; charset=utf-8');
    return document();
  });

  // Plugins cannot be added to a running server, so the page is a small server of its own, which never listens.
  let page: Promise<FastifyInstance> | undefined;
  const openOnce = (): Promise<FastifyInstance> => {
    page ??= openPage(document());
    // A failed start is retried at the next request.
    page.catch(() => (page = undefined));
    return page;
  };
  for (const url of [routePrefix, `${routePrefix}/*`]) {
    app.get(url, async (request, reply) => {
      const { headers } = request;
      const answer = await (await openOnce()).inject({ method: 'GET', url: request.url, headers });
      if (answer.statusCode >= 500) throw new Error(`The page of the API document failed: ${answer.statusMessage}`);
      if (answer.statusCode === 404) return reply.callNotFound();
      const { connection: _, date: __, 'transfer-encoding': ___, ...kept } = answer.headers;
      const body = answer.rawPayload;
      return reply
        .code(answer.statusCode)
        .headers(kept)
        .send(body.length === 0 ? undefined : body);
    });
  }
}

async function openPage(document: string): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
  const page = fastify({ exposeHeadRoutes: false, routerOptions: { maxParamLength: 20_000 } });
  // The plugin's type expects OpenAPI 3.0; it serves the document unchanged.
  await page.register(swagger, { mode: 'static', specification: { document: JSON.parse(document) as never } });
  await page.register(swaggerUi, { routePrefix, staticCSP: true });
  await page.ready();
  return page;
}
