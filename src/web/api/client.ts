import {
  fillPath,
  type AnswerOf,
  type CallArguments,
  type Endpoint,
  type EmptyAnswer,
  type FileAnswer,
} from '../../shared/contract/define.ts';
import { ApiError, networkError, serverText, timeoutError } from './api-error.ts';
import {
  compareWithStorage,
  endSession,
  getPause,
  getSession,
  leaveToOther,
  loseSession,
  noteAnswer,
  subscribeSession,
} from './session-store.ts';

/**
 * docs/specification.md §14.1. For a file, sent or received, it starts again with each part, so a slow line does not end
 * it.
 */
const requestTimeoutMs = 30_000;
/** Of a call that the screen shows and lets cancel. */
const longTimeoutMs = 60_000;

/** From which screen a change is made, for the record's history; undefined for an address that is none. */
let screenName: (path: string) => string | undefined = () => undefined;
export function nameScreensBy(find: typeof screenName): void {
  screenName = find;
}

export interface CallOptions {
  /** Minted when the dialog opens, reused on retry (docs/specification.md §10.5). */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** The one file of a multipart call, sent in the field `file`. */
  file?: File | undefined;
  timeoutMs?: number | undefined;
  /** A poll nobody asked for: it does not prolong the session (docs/specification.md §2.4). */
  background?: boolean | undefined;
  /** Told of each piece of a file answer as it comes, for showing how far it is. */
  onChunk?: ((chunk: Uint8Array) => void) | undefined;
  /** Told how much of the file has been sent, for showing how far it is. */
  onSent?: ((sent: Sent) => void) | undefined;
}

/** A file answer: what to save, and the name its content-disposition gives. */
export interface DownloadedFile {
  blob: Blob;
  filename: string | undefined;
}

export type ResultOf<E extends Endpoint> = E['answer'] extends FileAnswer
  ? DownloadedFile
  : E['answer'] extends EmptyAnswer
    ? undefined
    : AnswerOf<E>;

/** The time a call has, which starts again with each sign of progress: a slow line is not a dead server. */
class CallClock {
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
 * call. A write fails: it was not done, and only the user knows whether to do it again.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  args: CallArguments<E>,
  options: CallOptions = {},
): Promise<ResultOf<E>> {
  try {
    return await send(endpoint, args, options);
  } catch (error) {
    const isForSignIn = error instanceof ApiError && error.status === 401 && getPause() !== null;
    if (!isForSignIn || endpoint.method !== 'GET') throw error;
    await signInAgain(error, options.signal);
  }
  return call(endpoint, args, options);
}

/** Waits until the same account has signed in again. Rejects with `error` if the user leaves its screens instead. */
function signInAgain(error: ApiError, signal: AbortSignal | undefined): Promise<void> {
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
  // The page is going away: an answer or an error would only flash.
  if (account === 'other-account') return reloadForOtherAccount();
  const isSigningInAgain = getPause() !== null && endpoint.roles === 'public';
  if (account === 'ended' && !isSigningInAgain) {
    loseSession('elsewhere');
    throw new ApiError({ status: 401, code: 'UNAUTHORIZED', text: 'Session expired or invalid token' });
  }
  const token = endpoint.roles === 'public' ? undefined : getSession()?.token;
  const { params, query, body } = args as { params?: Record<string, string>; query?: object; body?: unknown };
  const path = fillPath(endpoint.path, params);
  const timeoutMs = options.timeoutMs ?? (endpoint.stopsWithClient ? longTimeoutMs : requestTimeoutMs);
  const clock = new CallClock(timeoutMs);

  const file = 'kind' in endpoint.answer && endpoint.answer.kind === 'file' ? `, ${endpoint.answer.type}` : '';
  const headers = new Headers({ accept: `application/json${file}` });
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey);
  if (options.background) headers.set('x-background', '1');
  const screen = endpoint.method === 'GET' ? undefined : screenName(location.pathname);
  if (screen) headers.set('x-screen', screen);
  const sent = requestBody(endpoint, body, options.file);
  if (typeof sent === 'string') headers.set('content-type', 'application/json');

  try {
    const url = `/api${path}${searchOf(query)}`;
    const signal = options.signal ? AbortSignal.any([options.signal, clock.signal]) : clock.signal;
    const init = { method: endpoint.method, headers, body: sent ?? null, signal };
    const onSent = (soFar: Sent): void => {
      clock.restart();
      options.onSent?.(soFar);
    };
    const response = endpoint.upload
      ? await sendWatched(url, init, onSent)
      : await fetch(url, { ...init, credentials: 'omit', cache: 'no-store' });
    if (token && response.status !== 401) noteAnswer(token);
    if (!response.ok) throw await failureOf(response, path, token);
    if ('kind' in endpoint.answer) clock.restart();
    const onChunk = (chunk: Uint8Array): void => {
      clock.restart();
      options.onChunk?.(chunk);
    };
    // The contract ties the kind of answer to the type; the three branches below are its three kinds.
    return (await readAnswer(endpoint, response, onChunk)) as ResultOf<E>;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (options.signal?.aborted) throw error;
    if (clock.signal.aborted) throw new ApiError({ status: 0, code: 'TIMEOUT', text: timeoutError(timeoutMs) });
    throw new ApiError({ status: 0, code: 'NETWORK', text: networkError });
  } finally {
    clock.stop();
  }
}

/**
 * docs/specification.md §2.5: a tab whose account is no longer the stored one neither reads nor writes; it reloads.
 */
function reloadForOtherAccount(): Promise<never> {
  leaveToOther(() => location.reload());
  return new Promise<never>(() => undefined);
}

/** Absent, null and empty values mean "no filter" and are left out. */
function searchOf(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null || value === '') continue;
    search.set(key, String(value));
  }
  const text = search.toString();
  return text ? `?${text}` : '';
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
    // A page of some proxy in place of our JSON (docs/specification.md §3.8).
    throw new ApiError({ status: response.status, code: 'UNREADABLE', text: networkError });
  }
  // docs/specification.md §15.1: success false is a failure whatever the status says, with the server's own words.
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
  const isOurs = typeof body === 'object' && body !== null;
  const text = isOurs ? serverText(body) : networkError;
  const parts = (isOurs ? body : {}) as { code?: unknown; fields?: unknown; data?: unknown; requestId?: unknown };
  const isLogin = path.includes('/login') || path.includes('/auth');
  if (response.status === 401 && (isLogin || /token|expired|invalid/i.test(text ?? ''))) {
    // docs/specification.md §15.2. A late answer to an earlier session's call must not end the one that has begun since.
    if (token !== undefined && token === getSession()?.token) loseSession('expired');
    else if (isLogin && getPause() === null) endSession('expired');
  }
  return new ApiError({
    status: response.status,
    // Codes are the contract's; an unknown one is only ever compared with known ones.
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

/** The name in a content-disposition header: `filename*` (UTF-8) before `filename`. */
export function filenameOf(header: string | null): string | undefined {
  if (!header) return undefined;
  const encoded = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded) {
    try {
      return decodeURIComponent(encoded.trim());
    } catch {
      // Not what it claims to be: the plain name below serves.
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(header);
  return (plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2])?.trim() || undefined;
}

/** Hands a file to the browser's downloads; `fallback` names it where the header did not. */
export function saveFile(file: DownloadedFile, fallback: string): void {
  const url = URL.createObjectURL(file.blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.filename ?? fallback;
  document.body.append(link);
  link.click();
  link.remove();
  // Firefox starts the download after the click's task; revoking at once would cancel it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The CSV that came inside a JSON answer (payments): saved as it is, byte for byte. */
export function saveText(csv: { content: string; filename: string; contentType: string }): void {
  saveFile({ blob: new Blob([csv.content], { type: csv.contentType }), filename: csv.filename }, csv.filename);
}

/** How much of a call's body has left the browser. `total` is unknown where the browser does not tell. */
interface Sent {
  bytes: number;
  total: number | undefined;
}

interface WatchedCall {
  method: string;
  headers: Headers;
  body: XMLHttpRequestBodyInit | null;
  signal: AbortSignal;
}

/** `fetch` for a call whose sending takes long enough to be watched: fetch itself tells nothing until the answer. */
function sendWatched(url: string, call: WatchedCall, onSent: (sent: Sent) => void): Promise<Response> {
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
