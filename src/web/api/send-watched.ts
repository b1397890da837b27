/** How much of a call's body has left the browser. `total` is unknown where the browser does not tell. */
export interface Sent {
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
export function sendWatched(url: string, call: WatchedCall, onSent: (sent: Sent) => void): Promise<Response> {
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
