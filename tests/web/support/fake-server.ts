import { onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import {
  allErrors,
  isVariant,
  isVariantFor,
  type AnswerOf,
  type BodyInput,
  type BodyOf,
  type Endpoint,
  type FileAnswer,
  type ParamsOf,
  type QueryOf,
} from '../../../src/shared/contract/define.ts';
import { errorDataOf } from '../../../src/shared/contract/error-data.ts';
import { errorStatus, type ErrorBody, type ErrorCode } from '../../../src/shared/contract/errors.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { documented } from '../../../src/shared/contract/scalars.ts';
import { typedHeader } from '../../../src/shared/contract/typed-texts.ts';
import { requestOverFetch, type Uploads } from './upload-request.ts';

/**
 * A server made from the contract, in place of the network. It finds the endpoint of a call by its method and path, reads
 * the call with the schemas of the endpoint, and compares the answer with what the endpoint declares. A call that nothing
 * answers, a call that the contract does not allow and an answer that it does not declare fail the test at its end.
 */

/** A call as a handler gets it: read by the schemas. */
export interface Asked<E extends Endpoint = Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
}

/** A call as it was sent. */
export interface Call {
  endpoint: Endpoint;
  method: string;
  /** Without /api. */
  path: string;
  query: Record<string, string>;
  body: unknown;
  headers: Headers;
  /** Its Idempotency-Key. */
  key: string | null;
}

/** An answer of the endpoint: the body without `success`, or a file. */
type Answered<E extends Endpoint> = E['answer'] extends FileAnswer ? { name: string; text?: string } : AnswerOf<E>;
/** A `Response` is a refusal, which a handler may also throw. */
export type Handler<E extends Endpoint = Endpoint> = (
  asked: Asked<E>,
) => Answered<E> | Response | Promise<Answered<E> | Response>;

interface Expected {
  endpoint: Endpoint;
  handler: Handler | undefined;
  params: Record<string, string>;
  until: Promise<void> | undefined;
}

export interface FakeServer {
  /** Every call of this kind gets this answer, in place of what answered it before. */
  serve: <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void;
  /** The next call of this kind, with these parameters in its path, gets this answer. */
  once: <E extends Endpoint>(endpoint: E, handler: Handler<E>, params?: Record<string, string>) => void;
  /** The answer to the next call of this kind waits until the returned function is called; without a handler it is the usual one. */
  hold: <E extends Endpoint>(endpoint: E, handler?: Handler<E>, params?: Record<string, string>) => () => void;
  /** Every call of this kind waits until the returned function is called, and then gets the usual answer. */
  holdAll: (endpoint: Endpoint) => () => void;
  /** The calls of these kinds, in their order; without any: every call. */
  calls: (...endpoints: Endpoint[]) => Call[];
  /** The queries of these calls as they were sent. */
  asks: (...endpoints: Endpoint[]) => Record<string, string>[];
  /** The bodies of these calls; without any kind: those of every call that is no GET. */
  writes: <E extends readonly Endpoint[]>(...endpoints: E) => BodyInput<E[number]>[];
  /** What was uploaded, and how the next uploads go. */
  uploads: Uploads;
  /** Uploads tell these shares and wait until the returned function is called. */
  holdUploads: (shares: number[]) => () => void;
  /** Answers every GET that nothing else answers, with the emptiest answer that the contract allows. */
  serveRest: () => void;
  /** A test that sends what the contract does not allow on purpose says so here. */
  mayBeUnfit: (endpoint: Endpoint) => void;
}

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** An error as the server says it. The endpoint must declare its code, and its data where it has any. */
export const refusal = (
  code: ErrorCode,
  message: string,
  rest: Partial<Pick<ErrorBody, 'error' | 'fields' | 'data'>> = {},
): Response => json({ success: false, message, code, ...rest, requestId: 'request-1' }, errorStatus[code]);

const foreign = new WeakSet<Response>();
/** An answer that this application does not give, but that something in between may: it is not compared with the contract. */
export function foreignAnswer(body: unknown, status = 200): Response {
  const response = body instanceof Response ? body : json(body, status);
  foreign.add(response);
  return response;
}
/** A failure without a sentence: the screen shows its own. */
export const speechless = (): Response => foreignAnswer({ success: false }, 500);
/** The server cannot be reached. */
export const offline = (): never => {
  throw new TypeError('Failed to fetch');
};
const isUnreachable = (thrown: unknown): boolean => thrown instanceof TypeError && thrown.message === 'Failed to fetch';

/** The emptiest value of a schema. */
export function emptiest<S extends z.ZodType>(schema: S): z.output<S>;
export function emptiest(schema: unknown): unknown {
  if (schema instanceof z.ZodObject) {
    return Object.fromEntries(Object.entries(schema.shape).map(([name, part]) => [name, emptiest(part as z.ZodType)]));
  }
  if (schema instanceof z.ZodUnion) return emptiest(schema.options[0] as z.ZodType);
  if (schema instanceof z.ZodArray) return [];
  // An amount.
  if (schema instanceof z.ZodString && new RegExp(String(documented.get(schema)?.['pattern'] ?? '^$')).test('0.00'))
    return '0.00';
  // A text that may not be empty is a day.
  if (schema instanceof z.ZodString) return schema.safeParse('').success ? '' : '2026-04-01';
  if (schema instanceof z.ZodNumber) return schema.safeParse(0).success ? 0 : schema.minValue;
  // A text of a form, which is trimmed and then checked.
  if (schema instanceof z.ZodPipe) return ['', '-'].find((text) => schema.safeParse(text).success);
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  return schema instanceof z.ZodNullable ? null : undefined;
}

const typedOf = (headers: HeadersInit | undefined): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(new Headers(headers).get(typedHeader) ?? ''));

const endpoints: readonly Endpoint[] = Object.values(contract).flatMap((calls) => Object.values<Endpoint>(calls));
const parts = (path: string): string[] => path.split('/').slice(1);
const isParameter = (part: string): boolean => part.startsWith('{');

/** The parameters of a path; undefined: it is not the path of this endpoint. */
function paramsOf(endpoint: Endpoint, path: string): Record<string, string> | undefined {
  const [wanted, given] = [parts(endpoint.path), parts(path)];
  const fits = wanted.length === given.length && wanted.every((part, at) => isParameter(part) || part === given[at]);
  if (!fits) return undefined;
  return Object.fromEntries(
    wanted.flatMap((part, at) => (isParameter(part) ? [[part.slice(1, -1), decodeURIComponent(given[at] ?? '')]] : [])),
  );
}

/** As the server's router: words win over parameters, and of two endpoints of one path the variant that the query names. */
function find(method: string, path: string, query: Record<string, string>) {
  return endpoints
    .filter((endpoint) => endpoint.method === method && (!isVariant(endpoint) || isVariantFor(endpoint, query)))
    .map((endpoint) => ({ endpoint, params: paramsOf(endpoint, path) }))
    .filter((found): found is { endpoint: Endpoint; params: Record<string, string> } => found.params !== undefined)
    .toSorted(
      (a, b) =>
        Object.keys(a.params).length - Object.keys(b.params).length ||
        Number(isVariant(b.endpoint)) - Number(isVariant(a.endpoint)),
    )[0];
}

/** What is wrong with an answer or an error, as the contract has it; '' where nothing is. */
const unfit = (schema: z.ZodType | undefined, value: unknown): string => {
  if (!schema) return 'no such data';
  const parsed = schema.safeParse(value);
  return parsed.success ? '' : parsed.error.message;
};

async function unfitResponse(endpoint: Endpoint, response: Response): Promise<string> {
  if (foreign.has(response)) return '';
  const { code, data } = (await response.clone().json()) as ErrorBody;
  if (!allErrors(endpoint).includes(code)) return `the error ${code}, which it does not declare`;
  return data === undefined ? '' : unfit(errorDataOf(endpoint, code), data);
}

/** The answer of a handler, and what is wrong with it. */
async function sent(endpoint: Endpoint, answer: unknown): Promise<{ response: Response; wrong: string }> {
  const { answer: declared, status } = endpoint;
  if (answer instanceof Response) return { response: answer, wrong: await unfitResponse(endpoint, answer) };
  if (!('kind' in declared)) {
    return { response: json({ success: true, ...(answer as object) }, status), wrong: unfit(declared, answer) };
  }
  if (declared.kind === 'empty') return { response: new Response(null, { status }), wrong: '' };
  const { name, text = '' } = answer as { name: string; text?: string };
  const headers = { 'content-type': declared.type, 'content-disposition': `attachment; filename="${name}"` };
  return { response: new Response(text, { headers }), wrong: '' };
}

/** A promise that waits for `release`. */
function gate(): { until: Promise<void>; release: () => void } {
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  return { until, release: () => release() };
}

/** Replaces `fetch`. What is answered without `serve` is nothing: `fakeServer` in records.ts adds what every screen needs. */
export function emptyServer(): FakeServer {
  const served = new Map<Endpoint, Handler>();
  const expected: Expected[] = [];
  const unfitOnPurpose = new Set<Endpoint>();
  const calls: Call[] = [];
  const problems: string[] = [];
  const uploads: Uploads = { files: [], shares: [1], until: Promise.resolve() };
  // Safe: the handler gets what the schemas of its own endpoint returned.
  const widen = (handler: unknown) => handler as Handler;

  /** The call as its schemas read it, or the refusal that it gets. */
  function read(endpoint: Endpoint, params: Record<string, string>, call: Call): Asked | Response {
    const asked: Record<string, unknown> = {};
    const body = endpoint.upload || endpoint.method === 'GET' ? undefined : (call.body ?? {});
    for (const [place, value] of Object.entries({ params, query: call.query, body })) {
      const schema = endpoint[place as 'params' | 'query' | 'body'];
      const parsed = value === undefined ? undefined : schema?.safeParse(value);
      if (parsed?.success === false) {
        const said = `${call.method} ${call.path} was sent with this ${place}: ${parsed.error.message}`;
        if (!unfitOnPurpose.has(endpoint)) problems.push(said);
        const fields = Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]));
        const invalid = endpoint.errors.includes('INVALID_REQUEST') ? 'INVALID_REQUEST' : 'VALIDATION_ERROR';
        return refusal(place === 'params' ? 'INVALID_ID' : invalid, parsed.error.issues[0]?.message ?? 'wrong', {
          fields,
        });
      }
      asked[place] = parsed?.data;
    }
    return asked as unknown as Asked;
  }

  async function answer(target: string, init: RequestInit): Promise<Response> {
    const url = new URL(target, 'http://here');
    const method = init.method ?? 'GET';
    // A test sees what was typed where it belongs (src/shared/contract/typed-texts.ts).
    const { vehicleNumber = '-', ...typed } = typedOf(init.headers);
    const path = url.pathname.replace(/^\/api/, '').replace(/\/-$/, () => `/${encodeURIComponent(vehicleNumber)}`);
    const query = { ...Object.fromEntries(url.searchParams), ...typed };
    const found = find(method, path, query);
    if (!found) {
      problems.push(`The contract has no ${method} ${path}`);
      return refusal('NOT_FOUND', `Nothing answers ${method} ${path}`);
    }
    const { endpoint, params } = found;
    const headers = new Headers(init.headers);
    const call: Call = {
      endpoint,
      method,
      path,
      query,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      headers,
      key: headers.get('idempotency-key'),
    };
    calls.push(call);
    const at = expected.findIndex(
      (item) =>
        item.endpoint === endpoint && Object.entries(item.params).every(([name, value]) => params[name] === value),
    );
    const special = at < 0 ? undefined : expected.splice(at, 1)[0];
    const asked = read(endpoint, params, call);
    await special?.until;
    if (asked instanceof Response) return asked;
    const handler = special?.handler ?? served.get(endpoint);
    if (!handler) {
      problems.push(`Nothing answers ${method} ${path}`);
      return refusal('NOT_FOUND', `Nothing answers ${method} ${path}`);
    }
    const given = await Promise.resolve()
      .then(() => handler(asked))
      .catch((thrown: unknown) => {
        if (thrown instanceof Response) return thrown;
        if (!isUnreachable(thrown)) problems.push(`${method} ${path}: ${String(thrown)}`);
        throw thrown;
      });
    const { response, wrong } = await sent(endpoint, given);
    if (wrong) problems.push(`The answer to ${method} ${path} has ${wrong}`);
    return response;
  }

  vi.stubGlobal('fetch', async (target: string, init: RequestInit) => {
    const answered = answer(target, init);
    const { signal } = init;
    if (!signal) return answered;
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    return Promise.race([answered, aborted]);
  });
  vi.stubGlobal('XMLHttpRequest', requestOverFetch(uploads));
  onTestFinished(() => {
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });

  const server: FakeServer = {
    serve: (endpoint, handler) => void served.set(endpoint, widen(handler)),
    once: (endpoint, handler, params = {}) =>
      void expected.push({ endpoint, handler: widen(handler), params, until: undefined }),
    hold: (endpoint, handler, params = {}) => {
      const { until, release } = gate();
      expected.push({ endpoint, handler: handler && widen(handler), params, until });
      return release;
    },
    holdAll: (endpoint) => {
      const { until, release } = gate();
      const usual = served.get(endpoint);
      if (!usual) throw new Error(`Nothing answers ${endpoint.method} ${endpoint.path}`);
      served.set(endpoint, (asked) => until.then(() => usual(asked)));
      return release;
    },
    calls: (...of) => calls.filter(({ endpoint }) => of.length === 0 || of.includes(endpoint)),
    asks: (...of) => server.calls(...of).map(({ query }) => query),
    // Safe where the test is green: a body that does not fit its endpoint fails it.
    writes: <E extends readonly Endpoint[]>(...of: E) =>
      server.calls(...of).flatMap(({ method, body }) => (method === 'GET' ? [] : [body as BodyInput<E[number]>])),
    uploads,
    holdUploads: (shares) => {
      const { until, release } = gate();
      Object.assign(uploads, { shares, until });
      return release;
    },
    serveRest: () => {
      for (const endpoint of endpoints) {
        if (endpoint.method !== 'GET' || served.has(endpoint) || 'kind' in endpoint.answer) continue;
        const body = emptiest(endpoint.answer);
        served.set(
          endpoint,
          widen(() => body),
        );
      }
    },
    mayBeUnfit: (endpoint) => void unfitOnPurpose.add(endpoint),
  };
  return server;
}
