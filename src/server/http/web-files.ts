import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../shared/contract/define.ts';
import { Refusal } from '../refusal.ts';
import { isApi } from './api-headers.ts';
import { answerProblem } from './problems.ts';

/**
 * Serves the built web app. The build puts a compressed copy beside each file. Returns a function that makes the HTML of the
 * page at a path, which `answerUnknown` sends.
 */
export async function serveWeb(app: FastifyInstance, webRoot: string): Promise<PageAt> {
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: ['**/*.{map,br,gz}', 'index.html*', 'preloads.json*'],
    cacheControl: false,
    setHeaders: (response, filePath) => {
      // Names under assets/ contain a hash of their content, so these files can be cached for ever.
      const isHashed = filePath.includes(`${path.sep}assets${path.sep}`);
      response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const [page, preloads] = await Promise.all(
    ['index.html', 'preloads.json'].map((name) => readFile(path.join(webRoot, name), 'utf8')),
  );
  return pagesOf(page ?? '', JSON.parse(preloads ?? '') as Preloads);
}

/** The HTML of the page at a path. */
type PageAt = (pathname: string) => string;
/** The files of each screen, by its path: '/challans/edit/:id' (vite.config.ts). */
type Preloads = Readonly<Record<string, readonly string[]>>;

/** Every page is the same document, but for the links to the files of its screen. */
function pagesOf(page: string, preloads: Preloads): PageAt {
  const screens = Object.entries(preloads).map(([screen, files]) => {
    const links = files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
    return {
      pattern: new RegExp(`^${screen.replace(/:\w+/g, '[^/]+')}/?$`),
      html: page.replace('</head>', `${links.join('')}</head>`),
    };
  });
  return (pathname) => screens.find(({ pattern }) => pattern.test(pathname))?.html ?? page;
}

/**
 * Answers an address without a route: with a page of the web app, a refusal of the method, or a refusal of the address.
 */
export function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoints: Iterable<Endpoint>,
  pageAt: PageAt | undefined,
): void {
  const [pathname = '/'] = request.url.split('?');
  if ((request.method === 'GET' || request.method === 'HEAD') && pageAt && isPage(pathname)) {
    // The router in the browser decides what the page shows. The answer has no ETag, because a cached copy would have the nonce
    // of an earlier policy.
    const text = pageAt(pathname).replace('{{nonce}}', reply.cspNonce.style);
    void reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(request.method === 'HEAD' ? '' : text);
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

/**
 * Whether an address may be a page of the web app. A name that begins with a dot (`.git`, `.env`, `.well-known`) or has an
 * ending is a file: when it does not exist, answering with the page would claim that it does (docs/security.md §7).
 */
function isPage(pathname: string): boolean {
  if (isApi(pathname)) return false;
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return false;
  }
  return !/(^|[/\\])\./.test(decoded) && !/\.[^/\\]*$/.test(decoded);
}

function pathPattern(endpoint: Endpoint): RegExp {
  return new RegExp(`^/api${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
