import { z } from 'zod';
import {
  SUBADMIN_CONTACT_MESSAGE,
  SUBADMIN_EDIT_CONTACT_MESSAGE,
  SUBADMIN_EDIT_CONTACT_PATTERN,
  storedContact,
  TEN_DIGITS,
} from '../calc/identity.ts';
import { endpoint } from './define.ts';
import type { FieldsOf } from './fields.ts';
import {
  email,
  instant,
  matching,
  message,
  pageQuery,
  pagination,
  password,
  passwordTooShort,
  text,
  trueOrFalse,
  upperCase,
  version,
  written,
} from './scalars.ts';

/** The account of a business. No answer has its password or the hash of it. */
export const subadmin = z.object({
  id: z.string(),
  email: z.string(),
  bannerName: z.string(),
  gstNo: z.string(),
  contactNumber: z.string(),
  officeAddress: z.string(),
  isActive: z.boolean(),
  /** true: other businesses see its owners, and it sees theirs (docs/specification.md §6.5). */
  isInDirectory: z.boolean(),
  role: z.literal('subadmin'),
  /** How many people the business has given a sign-in of their own, those that are switched off included. */
  people: z.number(),
  /** The last sign-in of its own login or of one of its people, or a later use of an open session; null: never. */
  lastSeenAt: instant.nullable(),
  ...written,
});
export type Subadmin = z.output<typeof subadmin>;

const passwordRequired = 'Please enter a password for the subadmin';
const contactRequired = 'Please enter contact number';
const fields = {
  email: email('Please enter the email of the subadmin', 'Please enter a valid email'),
  bannerName: text(150, { required: 'Please enter banner name' }),
  // An admin may enter any text, while the profile checks the GST pattern. The difference is intended
  // (docs/specification.md §5.2).
  gstNo: text(20, { required: 'Please enter GST number', stored: upperCase }),
  officeAddress: text(500, { required: 'Please enter office address', lines: true }),
};

/** POST /subadmins and the 'Add New Subadmin' form (docs/specification.md §5.2). */
export const subadminInput = z.strictObject({
  ...fields,
  password: password(passwordRequired, passwordTooShort),
  contactNumber: matching(TEN_DIGITS, contactRequired, SUBADMIN_CONTACT_MESSAGE, storedContact),
});

const editFields = {
  ...fields,
  contactNumber: matching(SUBADMIN_EDIT_CONTACT_PATTERN, contactRequired, SUBADMIN_EDIT_CONTACT_MESSAGE, storedContact),
  isActive: trueOrFalse,
  isInDirectory: trueOrFalse,
};

/** PUT /subadmins/{id}: changed fields only. */
export const subadminChange = z
  .strictObject({ ...editFields, password: password(passwordRequired, passwordTooShort) })
  .partial()
  .extend({ version: version.optional() });

/** The edit form. A blank password means "keep it" and is not sent (docs/specification.md §5). */
export const subadminEditForm = z.strictObject({
  ...editFields,
  password: z.union([z.literal(''), password(passwordRequired, passwordTooShort)], passwordTooShort.message),
});

/** The fields in the order in which the history lists them. */
export const subadminFields = {
  email: { label: 'Email', kind: 'reference' },
  bannerName: { label: 'Banner Name', kind: 'text' },
  gstNo: { label: 'GST No', kind: 'identifier' },
  contactNumber: { label: 'Contact Number', kind: 'identifier' },
  officeAddress: { label: 'Office Address', kind: 'text' },
  isActive: { label: 'Status', kind: 'flag', words: ['Active', 'Inactive'] },
  isInDirectory: { label: 'Directory of Owners', kind: 'flag', words: ['On', 'Off'] },
  password: { label: 'Password', kind: 'text', isSecret: true },
} as const satisfies FieldsOf<typeof subadminInput> & FieldsOf<typeof subadminEditForm>;

/**
 * A change of an account also changes the system-wide list of owners, which names the business and leaves out the owners of
 * a closed account (docs/specification.md §6.5).
 */
const listed = ['subadmins', 'owners'] as const;

const one = z.object({ data: subadmin });

export const subadmins = {
  list: endpoint('subadmins', 'GET /subadmins', {
    summary: 'List the sub-admin accounts',
    query: z.object(pageQuery),
    answer: z.object({ data: z.array(subadmin), pagination }),
  }),
  create: endpoint('subadmins', 'POST /subadmins', {
    summary: 'Create a sub-admin account',
    body: subadminInput,
    answer: one,
    status: 201,
    errors: ['EMAIL_IN_USE'],
  }),
  update: endpoint('subadmins', 'PUT /subadmins/{id}', {
    summary: 'Change a sub-admin account; a new password or deactivation ends its sessions',
    body: subadminChange,
    answer: one,
    errors: ['EMAIL_IN_USE'],
    touches: listed,
  }),
  setActive: endpoint('subadmins', 'PATCH /subadmins/{id}/status', {
    summary: 'Activate or deactivate a sub-admin account',
    body: z.strictObject({ isActive: trueOrFalse }),
    answer: one,
    touches: listed,
  }),
  resetSecondStep: endpoint('subadmins', 'POST /subadmins/{id}/reset-second-step', {
    summary: 'Take the second step away from the login of a business whose phone is lost; nothing else changes',
    asksAgain: 'people',
    answer: message,
  }),
  remove: endpoint('subadmins', 'DELETE /subadmins/{id}', {
    summary: 'Delete a sub-admin account; its records are kept',
    answer: message,
    touches: listed,
  }),
};
