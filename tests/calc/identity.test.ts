import { describe, expect, it } from 'vitest';
import {
  gstError,
  ifscError,
  maskToLastFour,
  panError,
  profileContactError,
  storedCode,
  storedContact,
  subadminEditContactError,
  SUBADMIN_CONTACT_MESSAGE,
  tenDigitsError,
} from '../../src/shared/calc/identity.ts';

describe('PAN, IFSC and GST', () => {
  it.each([
    ['ABCDE1234F', null],
    [' abcde1234f ', null],
    ['ABCD1234F', 'Please enter valid PAN number (e.g., ABCDE1234F)'],
    ['ABCDE12345', 'Please enter valid PAN number (e.g., ABCDE1234F)'],
    ['ABCDE1234FX', 'Please enter valid PAN number (e.g., ABCDE1234F)'],
    ['', 'Please enter valid PAN number (e.g., ABCDE1234F)'],
  ])('PAN %j: %s', (text, message) => {
    expect(panError(text)).toBe(message);
  });

  it.each([
    ['', null],
    ['SBIN0001234', null],
    ['sbin0001234', null],
    ['SBIN000123', 'IFSC code should be 11 characters'],
    ['SBIN00012345', 'IFSC code should be 11 characters'],
    ['SBIN 001234', 'IFSC code should be 11 characters'],
  ])('IFSC %j: %s', (text, message) => {
    expect(ifscError(text)).toBe(message);
  });

  it.each([
    ['27AAPFU0939F1ZV', null],
    ['21abcde1234f1z5', null],
    ['', 'GST number is required'],
    ['  ', 'GST number is required'],
    ['27AAPFU0939F1Z', 'GST number must be exactly 15 characters'],
    ['27AAPFU0939F1ZVX', 'GST number must be exactly 15 characters'],
    ['27AAPFU0939F0ZV', 'Please enter a valid GST number'],
    ['27AAPFU0939F1YV', 'Please enter a valid GST number'],
    ['A7AAPFU0939F1ZV', 'Please enter a valid GST number'],
  ])('GST %j: %s', (text, message) => {
    expect(gstError(text)).toBe(message);
  });

  it('are stored upper-cased', () => {
    expect(storedCode(' sbin0001234 ')).toBe('SBIN0001234');
  });
});

describe('contact numbers', () => {
  it.each([
    ['9876543210', null],
    ['98765 43210', null],
    ['0123456789', null],
    ['987654321', 'Please enter a valid 10-digit contact number'],
    ['98765432101', 'Please enter a valid 10-digit contact number'],
    ['+919876543210', 'Please enter a valid 10-digit contact number'],
    ['९८७६५४३२१०', 'Please enter a valid 10-digit contact number'],
    ['9876543210\n1', 'Please enter a valid 10-digit contact number'],
  ])('ten digits, %j: %s', (text, message) => {
    expect(tenDigitsError(text)).toBe(message);
  });

  it('has the words of the sub-admin screen', () => {
    expect(tenDigitsError('1', SUBADMIN_CONTACT_MESSAGE)).toBe('Please enter valid 10 digit contact number');
  });

  it.each([
    ['+919876543210', null],
    ['9876543210', null],
    ['1', null],
    ['123456789012345', null],
    ['1234567890123456', 'Please enter a valid contact number'],
    ['0987654321', 'Please enter a valid contact number'],
    ['++91', 'Please enter a valid contact number'],
    ['', 'Please enter a valid contact number'],
  ])('editing a sub-admin, %j: %s', (text, message) => {
    expect(subadminEditContactError(text)).toBe(message);
  });

  it.each([
    ['9876543210', null],
    ['+919876543210', null],
    ['+91 98765 43210', null],
    ['', 'Contact number is required'],
    ['919876543210', 'Please enter a valid Indian mobile number'],
    ['+9198765', 'Please enter a valid Indian mobile number'],
  ])('profile, %j: %s', (text, message) => {
    expect(profileContactError(text)).toBe(message);
  });

  it('are stored without spaces', () => {
    expect(storedContact(' 98765 43210 ')).toBe('9876543210');
  });
});

describe('masking (ruling 8)', () => {
  it.each([
    ['00112233445566', '••••••••••5566'],
    ['12345', '•2345'],
    ['1234', '••••'],
    ['', ''],
  ])('%j is shown as %s', (text, shown) => {
    expect(maskToLastFour(text)).toBe(shown);
  });
});
