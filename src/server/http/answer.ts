import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { AnswerOf, Endpoint } from '../../shared/contract/define.ts';
import type { FileBody } from './file-body.ts';
import type { StoredAnswer } from './idempotency.ts';

/**
 * What a handler returns: the declared JSON, a file, or nothing where the contract says `empty`. The mapped type in the
 * middle accepts the result of handlers that several endpoints share (routes/records.ts).
 */
export type Result<E extends Endpoint> = AnswerOf<E> | { [K in keyof AnswerOf<E>]: AnswerOf<E>[K] } | FileBody;

const schemas = new WeakMap<z.ZodObject, Record<string, unknown>>();

/**
 * Returns the JSON Schema of an answer. The serializer that is built from it writes the declared fields and no others.
 */
function responseSchema(declared: z.ZodObject): Record<string, unknown> {
  let schema = schemas.get(declared);
  if (schema === undefined) {
    const answer = z.object({ success: z.boolean(), ...declared.shape });
    schema = z.toJSONSchema(answer, { io: 'output', target: 'draft-7', unrepresentable: 'any' });
    schemas.set(declared, schema);
  }
  return schema;
}

/**
 * Serializes the answer. The serializer of an endpoint is built at its first answer: all serializers together take 5
 * MB, and a process seldom needs most of them.
 */
export function serialize(reply: FastifyReply, endpoint: Endpoint, result: unknown): StoredAnswer {
  const { answer, status } = endpoint;
  if ('kind' in answer) return { status, text: '' };
  reply.code(status);
  // The casts are safe: the result is the declared answer (see Result), which its schema makes an object, and a JSON
  // serializer returns text.
  const text = reply.serializeInput({ success: true, ...(result as object) }, responseSchema(answer)) as string;
  return { status, text };
}

export function sendText(reply: FastifyReply, { status, text }: StoredAnswer): void {
  reply.code(status);
  if (text === '') void reply.send();
  // Sent as bytes, so that the length is known and the socket need not encode the text a second time.
  else void reply.type('application/json; charset=utf-8').send(Buffer.from(text));
}
