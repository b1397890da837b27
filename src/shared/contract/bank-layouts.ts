import { z } from 'zod';
import { layoutDefinition } from '../bank/layout.ts';
import { endpoint } from './define.ts';
import { message, text, version } from './scalars.ts';

/** A layout of bank files: one that ships with the product, or one of the business (docs/specification.md §24.3). */
const bankLayout = z.object({
  /** A shipped layout has a key, such as 'A', in place of an id. */
  id: z.string(),
  name: z.string(),
  definition: layoutDefinition,
  isShipped: z.boolean(),
  /** 0 for a shipped layout. */
  version: z.number(),
});
export type BankLayout = z.output<typeof bankLayout>;

/** A layout as it is saved, and as it is exported and imported as JSON. */
export const bankLayoutInput = z.strictObject({
  name: text(100, { required: 'Please enter a name' }),
  definition: layoutDefinition,
});

const one = z.object({ data: bankLayout });
const errors = ['LAYOUT_EXISTS'] as const;

export const bankLayouts = {
  list: endpoint('bank-layouts', 'GET /bank-layouts', {
    summary: 'List the layouts of bank files: the shipped ones, then those of the business',
    answer: z.object({ data: z.array(bankLayout) }),
  }),
  create: endpoint('bank-layouts', 'POST /bank-layouts', {
    summary: 'Save a layout',
    body: bankLayoutInput,
    answer: one,
    status: 201,
    errors,
  }),
  update: endpoint('bank-layouts', 'PUT /bank-layouts/{id}', {
    summary: 'Change a layout of the business; files that were made with it stay as they are',
    body: bankLayoutInput.extend({ version }),
    answer: one,
    errors,
  }),
  remove: endpoint('bank-layouts', 'DELETE /bank-layouts/{id}', {
    summary: 'Delete a layout of the business that no paying account uses',
    answer: message,
    errors: ['LAYOUT_IN_USE'],
  }),
};
