import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { multipartType } from '../hsd/hsd-corpus/multipart.ts';
import type { Api } from './api.ts';
import { contract } from '../../../src/shared/contract/index.ts';

/** Uploads over a real connection, which inject has not: for what happens while bytes arrive. */
export async function listen(api: Api): Promise<number> {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  // Just bound to a port of this machine.
  return (api.app.server.address() as AddressInfo).port;
}

export interface SocketAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** An upload under way; `length` says how much is announced, absent for a body in chunks. */
export function openUpload(port: number, { token }: { token: string }, length?: number): ClientRequest {
  const open = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/api${contract.hsdVerification.upload.path}`,
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': multipartType,
      ...(length === undefined ? {} : { 'content-length': length }),
    },
  });
  return open;
}

export function answerOf(open: ClientRequest): Promise<SocketAnswer> {
  return new Promise((resolve, reject) => {
    open.once('error', reject);
    open.once('response', (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: body }),
        reject,
      );
    });
  });
}

export async function send(port: number, tenant: { token: string }, body: Buffer): Promise<SocketAnswer> {
  const open = openUpload(port, tenant, body.length);
  const answer = answerOf(open);
  open.end(body);
  return answer;
}

/** Waits until something holds, which events elsewhere bring about. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}
