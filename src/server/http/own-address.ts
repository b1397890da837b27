import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

/**
 * The base of links that leave the app, without a slash at the end: PUBLIC_URL, or else the address that the sender has
 * open. Anybody can put any name into a Host header, so without PUBLIC_URL only the address counts at which this
 * connection reached the machine (docs/security.md §6.3).
 * @throws Refusal INVALID_REQUEST for any other name
 */
export function ownAddress(request: FastifyRequest, publicUrl: string | undefined): string {
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
