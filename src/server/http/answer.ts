import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { roundHalfUp } from '../../shared/calc/money.ts';
import type { AnswerOf, Endpoint } from '../../shared/contract/define.ts';
import { errorDataOf } from '../../shared/contract/error-data.ts';
import type { TableFile } from '../files/table-file.ts';
import { Refusal } from '../refusal.ts';
import { hidesBankDetails, withoutBankDetails } from '../seat.ts';
import { amountOut, total } from '../../shared/contract/scalars.ts';
import type { StoredAnswer } from './idempotency.ts';

/**
 * What a handler returns: the declared JSON, a file, or nothing where the contract says `empty`. The mapped type in the
 * middle accepts the result of handlers that several endpoints share (server/features/master-data/records.routes.ts).
 */
export type Result<E extends Endpoint> = AnswerOf<E> | { [K in keyof AnswerOf<E>]: AnswerOf<E>[K] } | TableFile;

/** The type of `data` in the answer of an endpoint. */
export type DataOf<E extends Endpoint> = AnswerOf<E> extends { data: infer D } ? D : never;
// Safe: DataOf is exactly the type of `data` in the answer of E.
export const dataOf = <E extends Endpoint>(data: DataOf<E>): Result<E> => ({ data }) as Result<E>;

interface Writer {
  schema: Record<string, unknown>;
  withTwoDecimals: Rewrite;
}
const writers = new WeakMap<z.ZodType, Writer>();

/**
 * Writes a value as the contract declares it: the declared fields and no others, each amount with two decimals, and bank details
 * as the caller may see them. The
 * serializer of a shape is built when it is first needed: all serializers together take 5 MB, and a process seldom needs most of
 * them.
 */
function write(reply: FastifyReply, declared: z.ZodType, shape: () => z.ZodType, value: object): string {
  let writer = writers.get(declared);
  if (writer === undefined) {
    const schema = z.toJSONSchema(shape(), {
      io: 'output',
      target: 'draft-7',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema === amountOut || zodSchema === total) jsonSchema.title = amountTitle;
      },
    });
    writer = { schema, withTwoDecimals: rewriteOf(schema) ?? ((given) => given) };
    writers.set(declared, writer);
  }
  const { caller } = reply.request;
  const shown = caller !== null && hidesBankDetails(caller) ? withoutBankDetails(value) : value;
  // The casts are safe: an object has keys and stays one, and a JSON serializer returns text.
  return reply.serializeInput(writer.withTwoDecimals(shown) as Record<string, unknown>, writer.schema) as string;
}

/** Marks amounts in a schema. Serializers pass over titles, but report an unknown format. */
const amountTitle = 'amount';
type Rewrite = (value: unknown) => unknown;

/** A function that writes two decimals into each amount of a value with this schema. Undefined: it has no amounts. */
function rewriteOf(schema: z.core.JSONSchema._JSONSchema): Rewrite | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (schema.title === amountTitle) return toTwoDecimals;
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  const fields = Object.entries(properties).flatMap(([key, of]) => {
    const rewrite = rewriteOf(of);
    return rewrite ? [[key, rewrite] as const] : [];
  });
  const ofItem = items === undefined || Array.isArray(items) ? undefined : rewriteOf(items);
  const ofOther = additionalProperties === undefined ? undefined : rewriteOf(additionalProperties);
  const choices = [...anyOf, ...oneOf, ...allOf].filter((one) => typeof one !== 'boolean');
  // Where a value may be any text too, it is not known to be an amount.
  const isAmount = ({ title }: { title?: string }): boolean => title === amountTitle;
  const isAnyText = choices.some(
    (one) => one.type === 'string' && !isAmount(one) && !one.format && !one.enum && one.const === undefined,
  );
  const others = choices.flatMap((one) => (isAnyText && isAmount(one) ? [] : (rewriteOf(one) ?? [])));
  if (fields.length === 0 && !ofItem && !ofOther && others.length === 0) return undefined;
  return (value) => {
    const chosen = others.reduce((before, rewrite) => rewrite(before), value);
    if (typeof chosen !== 'object' || chosen === null) return chosen;
    const given = chosen as Record<string, unknown>;
    let result = given;
    const set = (key: string, rewrite: Rewrite): void => {
      const after = rewrite(given[key]);
      if (after === given[key]) return;
      // Nearly every amount is written well already, and then nothing is copied.
      if (result === given) result = (Array.isArray(given) ? [...given] : { ...given }) as Record<string, unknown>;
      result[key] = after;
    };
    for (const [key, rewrite] of fields) set(key, rewrite);
    if (ofItem) for (const key of Object.keys(given)) set(key, ofItem);
    if (ofOther) for (const key of Object.keys(given)) if (!(key in properties)) set(key, ofOther);
    return result;
  };
}

/** '0' and '12.5' as '0.00' and '12.50'. What is not an amount, such as null, stays as it is. */
function toTwoDecimals(value: unknown): unknown {
  if (typeof value !== 'string' || value.at(-3) === '.') return value;
  return /^-?\d+(\.\d*)?$/.test(value) ? roundHalfUp(value) : value;
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
