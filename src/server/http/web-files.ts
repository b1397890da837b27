import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../shared/contract/define.ts';
import { Refusal } from '../refusal.ts';
import { answerProblem } from './problems.ts';

/** Serves the built web app; the build has put a compressed twin beside each file. */
export async function serveWeb(app: FastifyInstance, webRoot: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, filePath) => {
      // Built names carry a hash of their content.
      const isHashed = filePath.includes(`${path.sep}assets${path.sep}`);
      response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

/** Any other address: a page of the web app, a wrong method, or nothing. */
export function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoints: Iterable<Endpoint>,
  webRoot: string | undefined,
): void {
  const [pathname = '/'] = request.url.split('?');
  const isOurs = /^\/(api|health|share)(\/|$)/.test(pathname);
  if (request.method === 'GET' && !isOurs && !/\.[a-z0-9]+$/i.test(pathname) && webRoot !== undefined) {
    // Every page is the one document; the router in the browser decides what it shows.
    void reply.header('cache-control', 'no-cache').sendFile('index.html', webRoot);
    return;
  }
  const allowed = [...endpoints].filter((endpoint) => pathPattern(endpoint).test(pathname)).map(({ method }) => method);
  if (allowed.length > 0) {
    void reply.header('allow', [...new Set(allowed)].join(', '));
    answerProblem(new Refusal('METHOD_NOT_ALLOWED', 'This address does not take that method.'), request, reply);
    return;
  }
  answerProblem(new Refusal('NOT_FOUND', 'There is nothing at this address.'), request, reply);
}

function pathPattern(endpoint: Endpoint): RegExp {
  return new RegExp(`^/api${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
