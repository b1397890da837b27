import { z } from 'zod';
import { endpoint } from './define.ts';
import type { FieldsOf } from './fields.ts';
import { recordsBulk } from './records-bulk.ts';
import { chosenSortQuery, message, pageQuery, pagination, text, textQuery, version, written } from './scalars.ts';

export const tag = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  /** '' when not given. */
  description: z.string(),
  ...written,
});
export type Tag = z.output<typeof tag>;

export const tagUsage = z.object({
  totalChallans: z.number(),
  paidChallans: z.number(),
  unpaidChallans: z.number(),
  canDelete: z.boolean(),
});
export type TagUsage = z.output<typeof tagUsage>;

export const defaultTagColor = '#3B82F6';

/** POST /tags and the tag form (docs/specification.md §7.2). */
export const tagInput = z.strictObject({
  name: text(50, {
    required: 'Please enter tag name',
    min: 2,
    tooShort: 'Tag name must be at least 2 characters',
    tooLong: 'Tag name must be less than 50 characters',
  }),
  color: text(20, {
    required: 'Please select a color',
    pattern: /^#[0-9a-fA-F]{6}$/,
    invalid: 'must be a color such as #3B82F6',
  }),
  description: text(200, { tooLong: 'Description must be at most 200 characters', lines: true }).optional(),
});
/** The fields in the order of the form and the details. */
export const tagFields = {
  name: { label: 'Name', kind: 'text', inCell: 'text' },
  color: { label: 'Color', kind: 'text' },
  description: { label: 'Description', kind: 'text', inCell: 'lines' },
} as const satisfies FieldsOf<typeof tagInput>;

export const tagChange = tagInput.partial().extend({ version: version.optional() });

export const tagSortKeys = ['name', 'createdAt'] as const;
export type TagSortKey = (typeof tagSortKeys)[number];

const one = z.object({ data: tag });

export const tags = {
  list: endpoint('tags', 'GET /tags', {
    summary: 'List or search tags',
    query: z.object({
      ...pageQuery,
      search: textQuery,
      ...chosenSortQuery(tagSortKeys),
    }),
    answer: z.object({ data: z.array(tag), pagination }),
  }),
  get: endpoint('tags', 'GET /tags/{id}', {
    summary: 'Get a tag',
    answer: one,
  }),
  usage: endpoint('tags', 'GET /tags/{id}/usage', {
    summary: 'Count the challans that carry a tag',
    answer: z.object({ data: z.object({ usage: tagUsage }) }),
  }),
  create: endpoint('tags', 'POST /tags', {
    summary: 'Create a tag',
    body: tagInput,
    answer: one,
    status: 201,
    errors: ['TAG_EXISTS'],
    // The tag analytics also list tags that no challan has yet.
    touches: ['tags', 'dashboard'],
  }),
  update: endpoint('tags', 'PUT /tags/{id}', {
    summary: 'Change a tag',
    body: tagChange,
    answer: one,
    errors: ['TAG_EXISTS'],
    touches: ['tags', 'challans', 'bank-statement', 'accounting', 'dashboard', 'batches'],
  }),
  remove: endpoint('tags', 'DELETE /tags/{id}', {
    summary: 'Delete a tag; refused while challans carry it',
    answer: message,
    errors: ['TAG_IN_USE'],
    touches: ['tags', 'dashboard'],
  }),
  ...recordsBulk('tags', {
    values: tagInput.pick({ color: true }),
    touches: ['tags', 'challans', 'bank-statement', 'accounting', 'dashboard'],
  }),
};
