import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { bankAccountInput } from '../../src/shared/contract/bank-accounts.ts';
import { ownerInput } from '../../src/shared/contract/owners.ts';
import { petrolPumpInput } from '../../src/shared/contract/petrol-pumps.ts';
import { profileForm } from '../../src/shared/contract/profile.ts';
import { documented } from '../../src/shared/contract/scalars.ts';
import { subadminEditForm, subadminInput } from '../../src/shared/contract/subadmins.ts';

/**
 * PAN and contact numbers as the forms and the server check them, each by its screen's rule
 * (docs/specification.md §6.2 and §12.2).
 */
const saysOf = (schema: z.ZodType, text: string): string | null =>
  schema.safeParse(text).error?.issues[0]?.message ?? null;

const pan = 'Please enter valid PAN number (e.g., ABCDE1234F)';
const tenDigits = 'Please enter a valid 10-digit contact number';
const edited = 'Please enter a valid contact number';
const indian = 'Please enter a valid Indian mobile number';

describe('a PAN', () => {
  it.each([
    ['ABCDE1234F', null],
    [' abcde1234f ', null],
    ['ABCD1234F', pan],
    ['ABCDE12345', pan],
    ['ABCDE1234FX', pan],
    ['A BCDE1234F', pan],
    ['ÀBCDE1234F', pan],
    ['', 'Please enter PAN number'],
  ])('%j: %s', (text, message) => {
    expect(saysOf(ownerInput.shape.panNo, text)).toBe(message);
  });
});

describe('the API document', () => {
  it.each([
    ['a PAN', ownerInput.shape.panNo, 'abcde1234F'],
    ['the IFSC of an owner', ownerInput.shape.ifsc.unwrap(), 'sbin0001234'],
    ['the IFSC of a paying account', bankAccountInput.shape.ifsc, 'hdfc0ab1234'],
    ['a GST number', profileForm.shape.gstNo, '21abcde1234f1z5'],
  ])('accepts %s in small letters, as the server does', (_, schema, text) => {
    expect(saysOf(schema, text)).toBeNull();
    const pattern = new RegExp(String(documented.get(schema)?.['pattern']));
    expect(text).toMatch(pattern);
    expect(`${text}-`).not.toMatch(pattern);
  });
});

describe('a contact number', () => {
  const cases: [string, string | null][] = [
    ['9876543210', null],
    ['98765 43210', null],
    ['0123456789', null],
    ['987654321', tenDigits],
    ['98765432101', tenDigits],
    ['+919876543210', tenDigits],
    ['९८७६५४३२१०', tenDigits],
    ['9876543210\n1', 'must not contain control characters'],
    ['', 'Please enter contact number'],
  ];
  it.each(cases)('of an owner and a petrol pump has ten digits, %j: %s', (text, message) => {
    expect(saysOf(ownerInput.shape.contactNumber, text)).toBe(message);
    expect(saysOf(petrolPumpInput.shape.contactNumber, text)).toBe(message);
  });

  it.each(cases)('of a new sub-admin has ten digits in words of its own, %j', (text, message) => {
    const own = message === tenDigits ? 'Please enter valid 10 digit contact number' : message;
    expect(saysOf(subadminInput.shape.contactNumber, text)).toBe(own);
  });

  it.each([
    ['+919876543210', null],
    ['9876543210', null],
    ['1', null],
    ['123456789012345', null],
    ['1234567890123456', edited],
    ['0987654321', edited],
    ['++91', edited],
    ['', 'Please enter contact number'],
  ])('of a sub-admin that is edited, %j: %s', (text, message) => {
    expect(saysOf(subadminEditForm.shape.contactNumber, text)).toBe(message);
  });

  it.each([
    ['9876543210', null],
    ['+919876543210', null],
    ['+91 98765 43210', null],
    ['', 'Contact number is required'],
    ['919876543210', indian],
    ['+9198765', indian],
  ])('of the profile, %j: %s', (text, message) => {
    expect(saysOf(profileForm.shape.contactNumber, text)).toBe(message);
  });
});
