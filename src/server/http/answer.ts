import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { AnswerOf, Endpoint } from '../../shared/contract/define.ts';
import { errorDataOf } from '../../shared/contract/error-data.ts';
import { Refusal } from '../refusal.ts';
import type { FileBody } from './file-body.ts';
import type { StoredAnswer } from './idempotency.ts';

/**
 * What a handler returns: the declared JSON, a file, or nothing where the contract says `empty`. The mapped type in the
 * middle accepts the result of handlers that several endpoints share (routes/records.ts).
 */
export type Result<E extends Endpoint> = AnswerOf<E> | { [K in keyof AnswerOf<E>]: AnswerOf<E>[K] } | FileBody;

const schemas = new WeakMap<z.ZodType, Record<string, unknown>>();

/**
 * Writes a value as the contract declares it: the declared fields and no others. The serializer of a shape is built when it
 * is first needed: all serializers together take 5 MB, and a process seldom needs most of them.
 */
function write(reply: FastifyReply, declared: z.ZodType, shape: () => z.ZodType, value: object): string {
  let schema = schemas.get(declared);
  if (schema === undefined) {
    schema = z.toJSONSchema(shape(), { io: 'output', target: 'draft-7', unrepresentable: 'any' });
    schemas.set(declared, schema);
  }
  // The casts are safe: an object has keys, and a JSON serializer returns text.
  return reply.serializeInput(value as Record<string, unknown>, schema) as string;
}

export function serialize(reply: FastifyReply, endpoint: Endpoint, result: unknown): StoredAnswer {
  const { answer, status } = endpoint;
  if ('kind' in answer) return { status, text: '' };
  reply.code(status);
  const shape = () => z.object({ success: z.boolean(), ...answer.shape });
  // The cast is safe: the result is the declared answer (see Result), which its schema makes an object.
  return { status, text: write(reply, answer, shape, { success: true, ...(result as object) }) };
}

/** Returns the refusal with the `data` that the contract declares for this call, and nothing else of it. */
export function withDeclaredData(refusal: Refusal, reply: FastifyReply, endpoint: Endpoint): Refusal {
  const { code, message, details } = refusal;
  if (details.data === undefined) return refusal;
  const declared = errorDataOf(endpoint, code);
  return new Refusal(code, message, {
    ...details,
    data: declared && (JSON.parse(write(reply, declared, () => declared, details.data)) as object),
  });
}

export function sendText(reply: FastifyReply, { status, text }: StoredAnswer): void {
  reply.code(status);
  if (text === '') void reply.send();
  // Sent as bytes, so that the length is known and the socket need not encode the text a second time.
  else void reply.type('application/json; charset=utf-8').send(Buffer.from(text));
}
