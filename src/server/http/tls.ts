import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Http2SecureServer, Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OperatorError } from '../operator-error.ts';

/** The paths of the certificate with its chain and of the private key, both in PEM (TLS_CERT, TLS_KEY). */
export interface TlsFiles {
  cert: string;
  key: string;
}

export interface TlsOptions {
  cert: Buffer;
  key: Buffer;
  ciphers: string;
  minVersion: 'TLSv1.2';
}

/** Only ciphers whose session keys a stolen private key does not open later; in TLS 1.3 all are of this kind. */
const ciphers =
  'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ECDHE+AESGCM:ECDHE+CHACHA20';
/** A certificate that ends sooner is said at the start. */
const warnDays = 14;

/**
 * Reads both files and checks that they belong together, so that a wrong pair fails with one line, at the start and at
 * a reload.
 * @throws OperatorError when a file cannot be read or the two do not fit
 */
export function readTls(files: TlsFiles, say: (line: string) => void = () => undefined): TlsOptions {
  try {
    const read = {
      cert: readFileSync(files.cert),
      key: readFileSync(files.key),
      ciphers,
      minVersion: 'TLSv1.2' as const,
    };
    createSecureContext(read);
    const ends = new X509Certificate(read.cert).validTo;
    const daysLeft = (Date.parse(ends) - Date.now()) / 86_400_000;
    if (daysLeft < 0) say(`The certificate of TLS_CERT ended on ${ends}: browsers refuse it until it is renewed.`);
    else if (daysLeft < warnDays) say(`The certificate of TLS_CERT ends on ${ends}: renew it, then send SIGHUP.`);
    return read;
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw new OperatorError(`TLS_CERT and TLS_KEY cannot be used: ${why}`, { cause: error });
  }
}

/** Loads a renewed certificate. New connections use it; open ones continue with the old one. */
export function reloadTls(app: FastifyInstance, files: TlsFiles): void {
  // The cast is safe: with TLS the server is of this class (app.ts), while Fastify's type names the plain one.
  (app.server as unknown as Http2SecureServer).setSecureContext(readTls(files));
}

/**
 * Applies the time limits to the TLS server: those of HTTP/1, which Fastify sets for its own server only, and for
 * HTTP/2 the time in which a body must arrive.
 */
export function applyTlsTimeouts(
  app: FastifyInstance,
  limits: { headersTimeout: number; requestTimeout: number },
): void {
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

/** Makes this answer the last one of its connection: the client's next call opens another one. */
export function closeConnectionAfter(request: FastifyRequest, reply: FastifyReply): void {
  const stream = http2StreamOf(request.raw);
  if (stream === undefined) void reply.header('connection', 'close');
  // Closing a session lets its other open calls finish.
  else stream.once('close', () => stream.session?.close());
}

/**
 * Tracks all open connections, so that they can be cut at the end of a stop. The HTTP/2 server has no such list in
 * every Node version.
 */
export function trackConnections(app: FastifyInstance): { destroyAll: () => void } {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    destroyAll: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
