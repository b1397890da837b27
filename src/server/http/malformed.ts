import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorStatus, type ErrorCode } from '../../shared/contract/errors.ts';
import { apiHeaders } from './api-headers.ts';
import { errorBody } from './problems.ts';

const problems: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'REQUEST_TIMEOUT',
    message: 'The request took too long to arrive. Please try again.',
  },
};
const notHttp = { code: 'INVALID_REQUEST', message: 'The request is not valid HTTP.' } as const;

/**
 * What cannot be read as a request ends its connection, with the answer every refusal has; it never reaches a route. To be
 * given to the server as its `clientErrorHandler`.
 */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  // Node's own field: the answer that this connection is sending. Nothing may be written into the middle of it.
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) {
    socket.destroy();
    return;
  }
  const problem = problems[error.code ?? ''] ?? notHttp;
  const status = errorStatus[problem.code];
  const { text, headers } = answerOf(problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () => socket.destroy());
}

/** An expectation other than 100-continue: Node would refuse it with an empty answer. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_, response: ServerResponse) => {
    const { text, headers } = answerOf({ code: 'INVALID_REQUEST', message: 'The header Expect is not supported.' });
    response.writeHead(400, headers).end(text);
  });
}

function answerOf(problem: { code: ErrorCode; message: string }): { text: string; headers: Record<string, string> } {
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
