import {
  fillPath,
  type AnswerOf,
  type CallArguments,
  type Endpoint,
  type EmptyAnswer,
  type FileAnswer,
} from '../../../shared/contract/define.ts';
import { splitQuery, typedHeader, typedTexts, withQuery } from '../../../shared/contract/typed-texts.ts';
import { ApiError, networkError, serverText, timeoutError } from './api-error.ts';
import { noteServerTime } from './server-clock.ts';
import {
  closeAndReload,
  compareWithStorage,
  endSession,
  getPause,
  getSession,
  loseSession,
  noteAnswer,
  subscribeSession,
} from './session-store.ts';

/**
 * How long a call may take (docs/specification.md §14.1). While a file is sent or received, the time starts again with each
 * part, so a slow network does not cause a timeout.
 */
const requestTimeoutMs = 30_000;
/** The timeout of a call that the user sees running and can cancel. */
const longTimeoutMs = 60_000;

/** The name of the screen at a path, for the history of changes; undefined if the path is not a screen. */
let screenName: (path: string) => string | undefined = () => undefined;
export function setScreenNames(find: typeof screenName): void {
  screenName = find;
}

/** Asks the user for what a call was refused without, and resolves when it can be made again; undefined: nothing can be asked. */
let askUser: (refusal: ApiError) => Promise<void> | undefined = () => undefined;
export function setAsker(ask: typeof askUser): void {
  askUser = ask;
}

export interface CallOptions {
  /** Made when the dialog opens, and used again on a retry (docs/specification.md §10.5). */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** The file of an upload, sent in the field `file`. */
  file?: File | undefined;
  timeoutMs?: number | undefined;
  /** An automatic call, such as a poll, which does not prolong the session (docs/specification.md §2.4). */
  background?: boolean | undefined;
  /** What this browser calls itself when it signs in. */
  device?: string;
  /** Called with each part of a downloaded file, to show the progress. */
  onChunk?: ((chunk: Uint8Array) => void) | undefined;
  /** Called with the amount of the file that has been sent, to show the progress. */
  onSent?: ((sent: Sent) => void) | undefined;
}

/** A downloaded file, with the name from the content-disposition header. */
export interface DownloadedFile {
  blob: Blob;
  filename: string | undefined;
}

export type ResultOf<E extends Endpoint> = E['answer'] extends FileAnswer
  ? DownloadedFile
  : E['answer'] extends EmptyAnswer
    ? undefined
    : AnswerOf<E>;

/** The timeout of a call. It starts again with each sign of progress, because a slow network is not a dead server. */
class CallTimeout {
  readonly #control = new AbortController();
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout>;

  constructor(ms: number) {
    this.#ms = ms;
    this.#timer = this.#begin();
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#begin();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #begin(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#control.abort(), this.#ms);
  }
}

/**
 * Calls one endpoint of the contract. Rejects with ApiError, or with the AbortError of the caller's own signal. When the
 * session has expired while screens are open, a read waits for the sign-in and is sent again; its screen sees only a slow
 * call. A write fails: it was not done, and only the user knows whether to do it again. A call that is refused because the user
 * has to say again who they are waits for that, and is sent again as it was.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  args: CallArguments<E>,
  options: CallOptions = {},
): Promise<ResultOf<E>> {
  try {
    return await send(endpoint, args, options);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const asked = askUser(error);
    if (asked) await asked;
    else if (error.status !== 401 || getPause() === null || endpoint.method !== 'GET') throw error;
    else await waitForSignIn(error, options.signal);
  }
  return call(endpoint, args, options);
}

/** Waits until the same account has signed in again. Rejects with `error` if the user leaves its screens instead. */
function waitForSignIn(error: ApiError, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (settle: () => void): void => {
      unsubscribe();
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => stop(() => reject(signal && abortError(signal)));
    const unsubscribe = subscribeSession(() => {
      if (getPause() === null) stop(getSession() === null ? () => reject(error) : resolve);
    });
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
}

async function send<E extends Endpoint>(
  endpoint: E,
  args: CallArguments<E>,
  options: CallOptions,
): Promise<ResultOf<E>> {
  const account = compareWithStorage();
  // The page is about to reload, so the call never settles: an answer or an error would only flash.
  if (account === 'other-account') return reloadForOtherAccount();
  const isSigningInAgain = getPause() !== null && endpoint.roles === 'public';
  if (account === 'ended' && !isSigningInAgain) {
    loseSession('elsewhere');
    throw new ApiError({ status: 401, code: 'UNAUTHORIZED', text: 'Session expired or invalid token' });
  }
  const token = endpoint.roles === 'public' ? undefined : getSession()?.token;
  const { params, query, body } = args as { params?: Record<string, string>; query?: object; body?: unknown };
  const { open, typed } = splitQuery(queryOf(query));
  const path = fillPath(endpoint.path, params && withoutTyped(params, typed));
  const timeoutMs = options.timeoutMs ?? (endpoint.stopsWithClient ? longTimeoutMs : requestTimeoutMs);
  const timeout = new CallTimeout(timeoutMs);

  const file = 'kind' in endpoint.answer && endpoint.answer.kind === 'file' ? `, ${endpoint.answer.type}` : '';
  const headers = new Headers({ accept: `application/json${file}` });
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey);
  if (options.device) headers.set('x-device', options.device);
  if (options.background) headers.set('x-background', '1');
  const screen = endpoint.method === 'GET' ? undefined : screenName(location.pathname);
  if (screen) headers.set('x-screen', screen);
  if (typed.size > 0) headers.set(typedHeader, typed.toString());
  const payload = requestBody(endpoint, body, options.file);
  if (typeof payload === 'string') headers.set('content-type', 'application/json');

  try {
    const url = withQuery(`/api${path}`, open);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal;
    const init = { method: endpoint.method, headers, body: payload ?? null, signal };
    const onSent = (sentSoFar: Sent): void => {
      timeout.restart();
      options.onSent?.(sentSoFar);
    };
    const response = endpoint.upload
      ? await sendWithProgress(url, init, onSent)
      : await fetch(url, { ...init, credentials: 'omit', cache: 'no-store' });
    noteServerTime(response.headers.get('date'));
    if (token && response.status !== 401) noteAnswer(token);
    if (!response.ok) throw await failureOf(response, path, token);
    if ('kind' in endpoint.answer) timeout.restart();
    const onChunk = (chunk: Uint8Array): void => {
      timeout.restart();
      options.onChunk?.(chunk);
    };
    // The cast is safe: `readAnswer` returns what the contract names for each of the three kinds of answer.
    return (await readAnswer(endpoint, response, onChunk)) as ResultOf<E>;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (options.signal?.aborted) throw error;
    if (timeout.signal.aborted) throw new ApiError({ status: 0, code: 'TIMEOUT', text: timeoutError(timeoutMs) });
    throw new ApiError({ status: 0, code: 'NETWORK', text: networkError });
  } finally {
    timeout.stop();
  }
}

/** Reloads a tab whose account is no longer the stored one. It may neither read nor write (docs/specification.md §2.5). */
function reloadForOtherAccount(): Promise<never> {
  closeAndReload(() => location.reload());
  return new Promise<never>(() => undefined);
}

/** Leaves out undefined, null and empty values: they mean that the filter is not set. */
function queryOf(query: object | undefined): URLSearchParams {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null || value === '') continue;
    search.set(key, String(value));
  }
  return search;
}

/** Moves typed texts from the parameters of a path to the others; a dash takes their place. */
function withoutTyped(params: Record<string, string>, typed: URLSearchParams): Record<string, string> {
  const shown = { ...params };
  for (const [name, value] of Object.entries(params)) {
    if (!typedTexts.has(name)) continue;
    typed.set(name, value);
    shown[name] = '-';
  }
  return shown;
}

function requestBody(endpoint: Endpoint, body: unknown, file: File | undefined): string | FormData | undefined {
  if (endpoint.upload) {
    const form = new FormData();
    if (file) form.set('file', file);
    return form;
  }
  return body === undefined ? undefined : JSON.stringify(body);
}

async function readAnswer(
  endpoint: Endpoint,
  response: Response,
  onChunk: (chunk: Uint8Array) => void,
): Promise<unknown> {
  if ('kind' in endpoint.answer) {
    if (endpoint.answer.kind === 'empty') return undefined;
    return {
      blob: await readFile(response, onChunk),
      filename: filenameOf(response.headers.get('content-disposition')),
    } satisfies DownloadedFile;
  }
  const body = parseJson(await response.text());
  if (typeof body !== 'object' || body === null) {
    // Probably the page of a proxy instead of the API's JSON (docs/specification.md §3.8).
    throw new ApiError({ status: response.status, code: 'UNREADABLE', text: networkError });
  }
  // `success: false` is a failure whatever the status is, with the message of the server (docs/specification.md §15.1).
  if ('success' in body && body.success === false) {
    throw new ApiError({ status: response.status, code: 'UNREADABLE', text: serverText(body) });
  }
  return body;
}

function readFile(response: Response, onChunk: (chunk: Uint8Array) => void): Promise<Blob> {
  if (!response.body) return response.blob();
  const watched = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, out) => {
        onChunk(chunk);
        out.enqueue(chunk);
      },
    }),
  );
  const type = response.headers.get('content-type') ?? '';
  return new Response(watched, { headers: { 'content-type': type } }).blob();
}

async function failureOf(response: Response, path: string, token: string | undefined): Promise<ApiError> {
  const body = parseJson(await response.text());
  const isJson = typeof body === 'object' && body !== null;
  const text = isJson ? serverText(body) : networkError;
  const parts = (isJson ? body : {}) as { code?: unknown; fields?: unknown; data?: unknown; requestId?: unknown };
  const isLogin = path.includes('/login') || path.includes('/auth');
  if (response.status === 401 && (isLogin || /token|expired|invalid/i.test(text ?? ''))) {
    // docs/specification.md §15.2. A late answer to a call of an earlier session must not end the current session.
    if (token !== undefined && token === getSession()?.token) loseSession('expired');
    else if (isLogin && getPause() === null) endSession('expired');
  }
  return new ApiError({
    status: response.status,
    // The cast does no harm: an unknown code is only compared with known ones.
    code: (typeof parts.code === 'string' ? parts.code : 'UNREADABLE') as ApiError['code'],
    text,
    fields: stringsOf(parts.fields),
    data: parts.data,
    requestId:
      typeof parts.requestId === 'string' ? parts.requestId : (response.headers.get('x-request-id') ?? undefined),
    retryAfterSeconds: Number.parseInt(response.headers.get('retry-after') ?? '', 10) || undefined,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stringsOf(fields: unknown): Record<string, string> {
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The file name in a content-disposition header. `filename*` (UTF-8) is preferred to `filename`. */
export function filenameOf(header: string | null): string | undefined {
  if (!header) return undefined;
  const encoded = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded) {
    try {
      return decodeURIComponent(encoded.trim());
    } catch {
      // Not valid UTF-8, so the plain name below is used.
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(header);
  return (plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2])?.trim() || undefined;
}

/** Saves a file as a download of the browser. `fallback` is its name if the header had none. */
export function saveFile(file: DownloadedFile, fallback: string): void {
  const url = URL.createObjectURL(file.blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.filename ?? fallback;
  document.body.append(link);
  link.click();
  link.remove();
  // Firefox starts the download only after the click has been handled, so revoking the URL at once would cancel it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Saves a text, such as the CSV in the answer to a payment, as a file. */
export function saveText(csv: { content: string; filename: string; contentType: string }): void {
  saveFile({ blob: new Blob([csv.content], { type: csv.contentType }), filename: csv.filename }, csv.filename);
}

/** How much of a request's body has been sent. `total` is undefined if the browser does not report it. */
interface Sent {
  bytes: number;
  total: number | undefined;
}

interface UploadCall {
  method: string;
  headers: Headers;
  body: XMLHttpRequestBodyInit | null;
  signal: AbortSignal;
}

/** Like `fetch`, but reports the progress of an upload, which `fetch` cannot do. */
function sendWithProgress(url: string, call: UploadCall, onSent: (sent: Sent) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = call;
    const fail = (): void => reject(signal.aborted ? abortError(signal) : new TypeError('The call got no answer'));
    if (signal.aborted) {
      fail();
      return;
    }
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    signal.addEventListener('abort', stop);
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) =>
      onSent({ bytes: loaded, total: lengthComputable ? total : undefined }),
    );
    request.addEventListener('load', () => resolve(responseOf(request)));
    request.addEventListener('error', fail);
    request.addEventListener('abort', fail);
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop));
    request.open(call.method, url);
    for (const [name, value] of call.headers) request.setRequestHeader(name, value);
    request.send(call.body);
  });
}

const abortError = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException('The call was stopped', 'AbortError');

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const [name = '', ...value] = line.split(': ');
    if (name !== '') headers.append(name, value.join(': '));
  }
  const { status } = request;
  return new Response(status === 204 ? null : request.responseText, { status, headers });
}
