import { z } from 'zod';
import {
  GST_LENGTH,
  GST_LENGTH_MESSAGE,
  GST_MESSAGE,
  GST_PATTERN,
  GST_REQUIRED,
  PROFILE_CONTACT_MESSAGE,
  PROFILE_CONTACT_PATTERN,
  PROFILE_CONTACT_REQUIRED,
  storedContact,
} from '../calc/identity.ts';
import { archive, endpoint } from './define.ts';
import { matching, message, password, passwordTooShort, text, upperCase, version, written } from './scalars.ts';

/** The signed-in sub-admin's own account (docs/specification.md §12). */
export const profileRecord = z.object({
  email: z.string(),
  bannerName: z.string(),
  gstNo: z.string(),
  contactNumber: z.string(),
  officeAddress: z.string(),
  isActive: z.boolean(),
  ...written,
});
export type Profile = z.output<typeof profileRecord>;

/** The profile form (docs/specification.md §12.2). */
export const profileForm = z.strictObject({
  bannerName: text(150, {
    required: 'Company name is required',
    min: 2,
    tooShort: 'Company name must be at least 2 characters',
  }),
  gstNo: text(GST_LENGTH, {
    required: GST_REQUIRED,
    min: GST_LENGTH,
    tooShort: GST_LENGTH_MESSAGE,
    tooLong: GST_LENGTH_MESSAGE,
    stored: upperCase,
    pattern: GST_PATTERN,
    invalid: GST_MESSAGE,
  }),
  contactNumber: matching(PROFILE_CONTACT_PATTERN, PROFILE_CONTACT_REQUIRED, PROFILE_CONTACT_MESSAGE, storedContact),
  officeAddress: text(500, {
    required: 'Office address is required',
    min: 10,
    tooShort: 'Address must be at least 10 characters',
    lines: true,
  }),
});

const profileChange = profileForm.partial().extend({ version: version.optional() });

/** The change-password dialog and call (docs/specification.md §12.3). */
export const passwordChange = z
  .strictObject({
    currentPassword: password('Current password is required'),
    newPassword: password('New password is required', passwordTooShort),
    confirmPassword: password('Please confirm your new password'),
  })
  .refine((value) => value.newPassword === value.confirmPassword, {
    path: ['confirmPassword'],
    error: 'Passwords do not match',
    when: ({ value }) => bothPasswords.safeParse(value).success,
  });
const bothPasswords = z.object({ newPassword: z.string().min(1), confirmPassword: z.string().min(1) });

/** The password is asked for again, because the archive has every account number (docs/specification.md §12.4). */
export const takeOutForm = z.strictObject({ currentPassword: password('Current password is required') });

const one = z.object({ message: z.string(), data: profileRecord });

export const profile = {
  get: endpoint('profile', 'GET /subadmins/profile', {
    summary: "Get the signed-in sub-admin's profile",
    answer: one,
  }),
  update: endpoint('profile', 'PUT /subadmins/profile', {
    summary: "Change the signed-in sub-admin's profile",
    body: profileChange,
    answer: one,
    touches: ['profile', 'subadmins', 'people'],
  }),
  changePassword: endpoint('profile', 'PUT /subadmins/change-password', {
    summary: 'Change the own password; every other session of the account ends',
    right: 'self',
    body: passwordChange,
    answer: message,
    errors: ['WRONG_PASSWORD'],
    // The profile shows when the account was last changed, and the list of open sessions becomes shorter.
    touches: ['profile', 'session', 'people'],
  }),
  takeOut: endpoint('profile', 'POST /subadmins/take-out', {
    summary: 'Everything the business owns, as one archive of CSV files with a manifest',
    right: 'manage',
    asksAgain: 'code',
    body: takeOutForm,
    answer: archive,
    errors: ['WRONG_PASSWORD'],
    reads: true,
  }),
};
