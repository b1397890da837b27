import { z } from 'zod';
import { endpoint } from './define.ts';
import type { Resource } from './nouns.ts';
import type { ErrorCode } from './errors.ts';
import { ids } from './scalars.ts';

/** Bulk changes of master data (docs/specification.md §7.4). */

export const mostRecordsAtOnce = 1_000;

/** Records that stay as they are for the same reason. Only some of them are named. */
const refused = z.object({ reason: z.string(), count: z.number(), names: z.array(z.string()) });

const figures = {
  changedCount: z.number(),
  /** Records that have the wanted value already. */
  sameCount: z.number(),
  refused: z.array(refused),
};
export const recordsPreview = z.object({
  count: z.number(),
  ...figures,
  /** Chosen records that no longer exist. */
  goneCount: z.number(),
  /** A hash over the ids and versions of the records. */
  fingerprint: z.string(),
});
export type RecordsPreview = z.output<typeof recordsPreview>;

const recordsDone = z.object({
  ...figures,
  /** The batch that can be undone; null where nothing was changed. */
  batch: z.object({ id: z.string(), number: z.string() }).nullable(),
});
export type RecordsDone = z.output<typeof recordsDone>;

const deletion = z.strictObject({ kind: z.literal('delete') });
const setting = <V extends z.ZodType>(values: V) => z.strictObject({ kind: z.literal('set'), values });

/**
 * The two calls of a resource. `values` is what can be set on many records; without it they can only be deleted. `errors`
 * are the codes that a wrong value is refused with.
 */
export function recordsBulk<V extends z.ZodType = z.ZodNever>(
  resource: Resource,
  { values, errors = [], touches }: { values?: V; errors?: readonly ErrorCode[]; touches: readonly Resource[] },
) {
  const act = z.discriminatedUnion('kind', values ? [deletion, setting(values)] : [deletion]);
  const asked = {
    ids: ids(mostRecordsAtOnce, 'Please select at least one record'),
    // Safe: without values there is no 'set', and V is never.
    act: act as z.ZodDiscriminatedUnion<[typeof deletion, ReturnType<typeof setting<V>>], 'kind'>,
  };
  return {
    previewMany: endpoint(resource, `POST /${resource}/selection/preview`, {
      summary: 'What a change of many would do, and which stay as they are',
      reads: true,
      body: z.strictObject(asked),
      answer: z.object({ data: recordsPreview }),
      errors,
    }),
    changeMany: endpoint(resource, `POST /${resource}/selection/change`, {
      summary: 'Change or delete many in one act',
      body: z.strictObject({
        ...asked,
        /** The fingerprint of the preview. When it is no longer true, the change is refused. */
        expected: z.strictObject({ fingerprint: z.string().max(64) }).optional(),
      }),
      answer: z.object({ data: recordsDone }),
      errors: [...errors, 'NOT_FOUND', 'SELECTION_CHANGED'],
      touches: [...touches, 'batches'],
      idempotent: true,
    }),
  };
}
