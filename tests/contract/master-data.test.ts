import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ownerChange, ownerInput } from '../../src/shared/contract/owners.ts';
import { petrolPumpInput } from '../../src/shared/contract/petrol-pumps.ts';
import { passwordChange, profileForm } from '../../src/shared/contract/profile.ts';
import { adminLoginInput, subadminLoginInput } from '../../src/shared/contract/session.ts';
import { subadminChange, subadminEditForm, subadminInput } from '../../src/shared/contract/subadmins.ts';
import { defaultTagColor, tagChange, tagInput } from '../../src/shared/contract/tags.ts';
import { truckChange, truckInput } from '../../src/shared/contract/trucks.ts';
import { messagesOf, someId, unknownKeys } from './issues.ts';

/** [field, value, message]: the value put into an otherwise valid body gives exactly this message. undefined: absent. */
type Case = readonly [field: string, value: unknown, message: string];

const owner = {
  name: 'Bikash Mohanta',
  contactNumber: '9861012345',
  address: '',
  accountNo: '00012345678',
  ifsc: '',
  panNo: 'ABCPM1234F',
  branchName: 'Joda',
};
const truck = { truckNumber: 'od09ab1234', ownerId: someId, noOfWheels: 12 };
const tag = { name: 'JODA-PARADIP', color: defaultTagColor };
const pump = { name: 'Patnaik Fuels', contactNumber: '9861012345', address: 'Barbil' };
const subadmin = {
  email: 'ops@kalinga.in',
  password: 'secret',
  bannerName: 'Kalinga Roadlines',
  gstNo: '21ABCDE1234F1Z5',
  contactNumber: '9861012345',
  officeAddress: 'Barbil',
};
const profile = {
  bannerName: 'Kalinga Roadlines',
  gstNo: '21ABCDE1234F1Z5',
  contactNumber: '+919861012345',
  officeAddress: 'Main Road, Barbil',
};

const groups: readonly [string, z.ZodType, object, readonly Case[]][] = [
  [
    'owner',
    ownerInput,
    owner,
    [
      ['name', '', 'Please enter owner name'],
      ['contactNumber', undefined, 'Please enter contact number'],
      ['contactNumber', '12345', 'Please enter a valid 10-digit contact number'],
      ['contactNumber', '98610123456', 'Please enter a valid 10-digit contact number'],
      ['contactNumber', '٩٨٦١٠١٢٣٤٥', 'Please enter a valid 10-digit contact number'],
      ['address', 'x'.repeat(501), 'Address cannot exceed 500 characters'],
      ['accountNo', '', 'Please enter account number'],
      ['accountNo', '1'.repeat(21), 'Account number cannot exceed 20 characters'],
      ['ifsc', 'SBIN000123', 'IFSC code should be 11 characters'],
      ['ifsc', 'SBIN00012345', 'IFSC code should be 11 characters'],
      ['panNo', '', 'Please enter PAN number'],
      ['panNo', 'ABCD1234FF', 'Please enter valid PAN number (e.g., ABCDE1234F)'],
      ['panNo', 'ABCDE1234FG', 'Please enter valid PAN number (e.g., ABCDE1234F)'],
      ['language', 'Telugu', 'Please choose English, Hindi or Odia'],
      ['branchName', '', 'Please enter branch name'],
      ['branchName', 'x'.repeat(101), 'Branch name cannot exceed 100 characters'],
    ],
  ],
  [
    'truck',
    truckInput,
    truck,
    [
      ['truckNumber', '', 'Please enter truck number'],
      ['ownerId', undefined, 'Please select an owner'],
      ['ownerId', '', 'Please select an owner'],
      ['ownerId', 'x', 'must be an id'],
      ['noOfWheels', undefined, 'Please enter number of wheels'],
      ['noOfWheels', '12', 'Please enter number of wheels'],
      ['noOfWheels', 12.5, 'must be a whole number'],
    ],
  ],
  [
    'tag',
    tagInput,
    tag,
    [
      ['name', '', 'Please enter tag name'],
      ['name', ' J ', 'Tag name must be at least 2 characters'],
      ['name', 'x'.repeat(51), 'Tag name must be less than 50 characters'],
      ['color', '', 'Please select a color'],
      ['color', undefined, 'Please select a color'],
      ['color', 'blue', 'must be a color such as #3B82F6'],
      ['description', 'x'.repeat(201), 'Description must be at most 200 characters'],
    ],
  ],
  [
    'petrol pump',
    petrolPumpInput,
    pump,
    [
      ['name', '', 'Please enter petrol pump name'],
      ['name', 'P', 'Name must be at least 2 characters'],
      ['name', 'x'.repeat(101), 'Name must not exceed 100 characters'],
      ['contactNumber', '', 'Please enter contact number'],
      ['contactNumber', '98610', 'Please enter a valid 10-digit contact number'],
      ['address', undefined, 'Please enter address'],
      ['address', 'Joda', 'Address must be at least 5 characters'],
      ['address', 'x'.repeat(501), 'Address must not exceed 500 characters'],
    ],
  ],
  [
    'new sub-admin',
    subadminInput,
    subadmin,
    [
      ['email', '', 'Please enter the email of the subadmin'],
      ['email', 'ops@', 'Please enter a valid email'],
      ['password', '12345', 'Password must be at least 6 characters'],
      ['password', 'x'.repeat(129), 'must be at most 128 characters'],
      ['bannerName', '', 'Please enter banner name'],
      ['gstNo', '', 'Please enter GST number'],
      ['contactNumber', '+919861012345', 'Please enter valid 10 digit contact number'],
      ['officeAddress', '', 'Please enter office address'],
    ],
  ],
  [
    'profile',
    profileForm,
    profile,
    [
      ['bannerName', '', 'Company name is required'],
      ['bannerName', 'K', 'Company name must be at least 2 characters'],
      ['gstNo', '', 'GST number is required'],
      ['gstNo', '21ABCDE1234F1Z', 'GST number must be exactly 15 characters'],
      ['gstNo', '21ABCDE1234F0Z5', 'Please enter a valid GST number'],
      ['contactNumber', '', 'Contact number is required'],
      ['contactNumber', '+9198610123456', 'Please enter a valid Indian mobile number'],
      ['officeAddress', '', 'Office address is required'],
      ['officeAddress', 'Barbil', 'Address must be at least 10 characters'],
    ],
  ],
];

describe.each(groups)('%s', (_name, schema, valid, cases) => {
  it('accepts a valid one', () => {
    expect(messagesOf(schema, valid)).toEqual({});
  });

  it.each(cases)('%s = %j: %s', (field, value, message) => {
    const changed: Record<string, unknown> = { ...valid, [field]: value };
    if (value === undefined) delete changed[field];
    expect(messagesOf(schema, changed)).toEqual({ [field]: [message] });
  });

  it('refuses unknown fields', () => {
    expect(unknownKeys(schema, { ...valid, subadminId: someId, isAdmin: true })).toEqual(['subadminId', 'isAdmin']);
  });

  it('refuses null and numbers for text', () => {
    const textField = Object.keys(valid)[0] ?? '';
    expect(Object.keys(messagesOf(schema, { ...valid, [textField]: null }))).toEqual([textField]);
    expect(Object.keys(messagesOf(schema, { ...valid, [textField]: 5 }))).toEqual([textField]);
  });
});

describe('what is stored', () => {
  it('upper-cases PAN, IFSC, GST and vehicle numbers, and takes the spaces out of contacts', () => {
    const messy = { ...owner, panNo: ' abcpm1234f', ifsc: 'sbin0001234', contactNumber: '98610 12345' };
    expect(ownerInput.parse(messy)).toMatchObject({
      panNo: 'ABCPM1234F',
      ifsc: 'SBIN0001234',
      contactNumber: '9861012345',
    });
    expect(truckInput.parse(truck).truckNumber).toBe('OD09AB1234');
    expect(profileForm.parse({ ...profile, gstNo: '21abcde1234f1z5' }).gstNo).toBe('21ABCDE1234F1Z5');
  });

  it('keeps the zeros of an account number', () => {
    expect(ownerInput.parse(owner).accountNo).toBe('00012345678');
  });

  it('trims names and lower-cases emails', () => {
    expect(tagInput.parse({ ...tag, name: '  URGENT ' }).name).toBe('URGENT');
    expect(subadminInput.parse({ ...subadmin, email: ' Ops@Kalinga.IN ' }).email).toBe('ops@kalinga.in');
  });

  it('keeps a password exactly as typed', () => {
    expect(subadminInput.parse({ ...subadmin, password: '  pass ' }).password).toBe('  pass ');
  });
});

describe('changes', () => {
  it('take any subset and a version', () => {
    expect(ownerChange.parse({ version: 2 })).toEqual({ version: 2 });
    expect(truckChange.parse({ noOfWheels: 10 })).toEqual({ noOfWheels: 10 });
    expect(tagChange.parse({ color: '#000000' })).toEqual({ color: '#000000' });
    expect(messagesOf(ownerChange, { name: '' })).toEqual({ name: ['Please enter owner name'] });
  });

  it("let a sub-admin's contact have a plus sign and up to 15 digits", () => {
    for (const contactNumber of ['+919861012345', '9', '123456789012345']) {
      expect(messagesOf(subadminChange, { contactNumber })).toEqual({});
    }
    for (const contactNumber of ['0986101234', '+', '1234567890123456']) {
      expect(messagesOf(subadminChange, { contactNumber })).toEqual({
        contactNumber: ['Please enter a valid contact number'],
      });
    }
  });

  it('let the edit form leave the password blank, and the API not', () => {
    const form = { ...subadmin, isActive: true, isInDirectory: true };
    expect(messagesOf(subadminEditForm, { ...form, password: '' })).toEqual({});
    expect(messagesOf(subadminEditForm, { ...form, password: '123' })).toEqual({
      password: ['Password must be at least 6 characters'],
    });
    expect(messagesOf(subadminChange, { password: '' })).toHaveProperty('password');
  });
});

describe('login', () => {
  it('says the messages of each form', () => {
    expect(messagesOf(subadminLoginInput, { email: '', password: '' })).toEqual({
      email: ['Please enter your email'],
      password: ['Please enter your password'],
    });
    expect(messagesOf(adminLoginInput, {})).toEqual({
      email: ['Please enter your admin email'],
      password: ['Please enter your admin password'],
    });
    expect(messagesOf(adminLoginInput, { email: 'x', password: 'y' })).toEqual({
      email: ['Please enter a valid email'],
    });
  });
});

describe('change password', () => {
  const valid = { currentPassword: 'old-one', newPassword: 'new-one', confirmPassword: 'new-one' };

  it('accepts a valid one and says each message', () => {
    expect(messagesOf(passwordChange, valid)).toEqual({});
    expect(messagesOf(passwordChange, {})).toEqual({
      currentPassword: ['Current password is required'],
      newPassword: ['New password is required'],
      confirmPassword: ['Please confirm your new password'],
    });
    expect(messagesOf(passwordChange, { ...valid, newPassword: '12345', confirmPassword: '12345' })).toEqual({
      newPassword: ['Password must be at least 6 characters'],
    });
    expect(messagesOf(passwordChange, { ...valid, confirmPassword: 'other-one' })).toEqual({
      confirmPassword: ['Passwords do not match'],
    });
  });

  it('says that they differ also while the current one is missing', () => {
    expect(messagesOf(passwordChange, { newPassword: 'new-one', confirmPassword: 'other' })).toEqual({
      currentPassword: ['Current password is required'],
      confirmPassword: ['Passwords do not match'],
    });
  });
});
