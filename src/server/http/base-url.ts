import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

/**
 * Returns the base URL of links that leave the app, without a slash at the end: PUBLIC_URL, or else the address that
 * the sender has open. Anybody can put any name into a Host header. So without PUBLIC_URL the Host counts only when it
 * is this machine's own name or the address at which the connection reached it (docs/security.md §6.3).
 * @throws Refusal INVALID_REQUEST for any other name
 */
export function publicBaseUrl(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const { hostname, port } = request;
  const name = hostname.replace(/^\[|\]$/g, '');
  const reached = request.socket.localAddress?.replace(/^::ffff:/, '');
  if (!['localhost', '127.0.0.1', '::1', reached].includes(name)) {
    throw new Refusal(
      'INVALID_REQUEST',
      'Links cannot be made at this address, because the app does not know it as its own. Ask the operator to set PUBLIC_URL.',
    );
  }
  return `${request.protocol}://${hostname}${port === null ? '' : `:${port}`}`;
}
