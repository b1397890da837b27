import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { challanCreateForm } from '../../src/shared/contract/challan-form.ts';
import { sentFieldNames, sentName } from '../../src/shared/contract/challan-fields.ts';
import { ownerInput } from '../../src/shared/contract/owners.ts';
import { reversalInput } from '../../src/shared/contract/payment-batches.ts';
import { petrolPumpInput } from '../../src/shared/contract/petrol-pumps.ts';
import { passwordChange, profileForm } from '../../src/shared/contract/profile.ts';
import { adminLoginInput, subadminLoginInput } from '../../src/shared/contract/session.ts';
import { settingsChange } from '../../src/shared/contract/settings.ts';
import { subadminEditForm, subadminInput } from '../../src/shared/contract/subadmins.ts';
import { tagInput } from '../../src/shared/contract/tags.ts';
import { truckInput } from '../../src/shared/contract/trucks.ts';

/** Every message beside a field is a sentence of ours: none is the library's own, such as 'Invalid input'. */

const ofTheLibrary = 'a text of the library';
const before = z.config();
beforeAll(() => void z.config({ localeError: () => ofTheLibrary }));
afterAll(() => void z.config(before));

/** What people type, or leave out, in one field. */
const texts = ['', ' ', '\n', '\t', 'x', '1', '-1', '0', 'é✓😀', '\u0000', '<b>', '9'.repeat(40), 'x'.repeat(5_000)];
const numbers = [Number.NaN, -1, 0, 1.5, 1e12, Number.POSITIVE_INFINITY];
const flags = [true, false];

/** Each form's schema, and what a field of it holds where that is no text. */
const forms: Readonly<
  Record<string, [schema: z.ZodType, names: readonly string[], other?: Record<string, unknown[]>]>
> = {
  owner: [ownerInput, Object.keys(ownerInput.shape)],
  truck: [truckInput, Object.keys(truckInput.shape), { noOfWheels: numbers }],
  tag: [tagInput, Object.keys(tagInput.shape)],
  'petrol pump': [petrolPumpInput, Object.keys(petrolPumpInput.shape)],
  'new sub-admin': [subadminInput, Object.keys(subadminInput.shape)],
  'sub-admin': [subadminEditForm, Object.keys(subadminEditForm.shape), { isActive: flags, isInDirectory: flags }],
  profile: [profileForm, Object.keys(profileForm.shape)],
  'change of password': [passwordChange, ['currentPassword', 'newPassword', 'confirmPassword']],
  'sign-in': [subadminLoginInput, Object.keys(subadminLoginInput.shape)],
  'admin sign-in': [adminLoginInput, Object.keys(adminLoginInput.shape)],
  'undo of a payment': [reversalInput, Object.keys(reversalInput.shape)],
  settings: [
    settingsChange,
    Object.keys(settingsChange.shape),
    { copiesPerDay: numbers, isDirectoryOn: flags, version: [1] },
  ],
  challan: [
    challanCreateForm,
    [...new Set([...sentFieldNames.map(sentName), 'ownerId', 'tdsDeclarationId', 'materialRate'])],
    { paymentStatus: flags },
  ],
};

describe.each(Object.entries(forms))('the form of a %s', (_form, [schema, names, other = {}]) => {
  const valuesOf = (name: string): readonly unknown[] => other[name] ?? texts;
  const messagesOf = (values: Record<string, unknown>): string[] =>
    (schema.safeParse(values).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);

  it('says nothing of the library, whatever one field holds', () => {
    const empty = Object.fromEntries(names.map((name) => [name, valuesOf(name)[0]]));
    const said = names.flatMap((name) => valuesOf(name).flatMap((value) => messagesOf({ ...empty, [name]: value })));
    expect(said.filter((text) => text.includes(ofTheLibrary))).toEqual([]);
    expect(said.length).toBeGreaterThan(0);
  });
});
