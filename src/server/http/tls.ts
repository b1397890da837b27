import { readFileSync } from 'node:fs';
import type { Http2SecureServer, Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OperatorError } from '../operator-error.ts';

/** Where the certificate with its chain and the private key are, in PEM (TLS_CERT, TLS_KEY). */
export interface TlsFiles {
  cert: string;
  key: string;
}

/** Reads both and checks that they fit each other, so that a start, or a change while running, fails with one line. */
export function readTls(files: TlsFiles): { cert: Buffer; key: Buffer } {
  try {
    const pair = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
    createSecureContext(pair);
    return pair;
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw new OperatorError(`TLS_CERT and TLS_KEY cannot be used: ${why}`, { cause: error });
  }
}

/** After a renewal of the certificate: new connections get it, open ones go on. */
export function reloadTls(app: FastifyInstance, files: TlsFiles): void {
  // Safe: with TLS the server is this one (app.ts); Fastify's type names the plain one.
  (app.server as unknown as Http2SecureServer).setSecureContext(readTls(files));
}

/** The limits of HTTP/1 over TLS, which Fastify sets for its own server only, and a body that arrives too slowly. */
export function limitTls(app: FastifyInstance, limits: { headersTimeout: number; requestTimeout: number }): void {
  Object.assign(app.server, { ...limits, connectionsCheckingInterval: 5_000 });
  app.addHook('onRequest', async ({ raw }) => {
    const stream = http2StreamOf(raw);
    if (stream === undefined || stream.endAfterHeaders) return;
    const clock = setTimeout(() => {
      if (!raw.readableEnded) stream.close();
    }, limits.requestTimeout);
    stream.once('close', () => clearTimeout(clock));
  });
}

interface Http2Stream {
  endAfterHeaders: boolean;
  writableFinished: boolean;
  session: Http2Session | undefined;
  close(): void;
  once(event: 'close', listener: () => void): void;
}

/** Node's own stream of an HTTP/2 call; undefined for HTTP/1. */
export function http2StreamOf(raw: FastifyRequest['raw'] | FastifyReply['raw']): Http2Stream | undefined {
  // Fastify's types know HTTP/1 only; over HTTP/2 these are Node's compatible objects, which have the stream.
  return (raw as unknown as { stream?: Http2Stream }).stream;
}

/** This answer is the last of its connection: the client's next call opens another one. */
export function closeConnectionAfter(request: FastifyRequest, reply: FastifyReply): void {
  const stream = http2StreamOf(request.raw);
  if (stream === undefined) void reply.header('connection', 'close');
  // Closing a session lets its other open calls finish.
  else stream.once('close', () => stream.session?.close());
}

/** All connections, to be cut at the end of a stop: the HTTP/2 server has no list of its own in every Node version. */
export function connectionsOf(app: FastifyInstance): { cut: () => void } {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
