import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { AnswerOf, Endpoint } from '../../shared/contract/define.ts';
import type { FileBody } from './file-body.ts';
import type { StoredAnswer } from './idempotency.ts';

/**
 * What a handler returns: the declared JSON, a file, or nothing where the contract says `empty`. Mapped as well, for
 * handlers that several endpoints share (routes/records.ts).
 */
export type Result<E extends Endpoint> = AnswerOf<E> | { [K in keyof AnswerOf<E>]: AnswerOf<E>[K] } | FileBody;

/** JSON Schema of the answer: the serializer built from it writes the declared fields and no others. */
export function responseSchema(endpoint: Endpoint): Record<number, unknown> {
  if ('kind' in endpoint.answer) return {};
  const answer = z.object({ success: z.boolean(), ...endpoint.answer.shape });
  return { [endpoint.status]: z.toJSONSchema(answer, { io: 'output', target: 'draft-7', unrepresentable: 'any' }) };
}

/** The answer as text. */
export function serialize(reply: FastifyReply, endpoint: Endpoint, result: unknown): StoredAnswer {
  if ('kind' in endpoint.answer) return { status: endpoint.status, text: '' };
  reply.code(endpoint.status);
  // The result is the declared answer (see Result), an object by its schema; a JSON serializer returns text.
  const text = reply.serialize({ success: true, ...(result as object) }) as string;
  return { status: endpoint.status, text };
}

export function sendText(reply: FastifyReply, { status, text }: StoredAnswer): void {
  reply.code(status);
  if (text === '') void reply.send();
  // As bytes: the length is known, and the socket need not encode it a second time.
  else void reply.type('application/json; charset=utf-8').send(Buffer.from(text));
}
