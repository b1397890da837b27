import { describe, expect, it } from 'vitest';
import { gstError, ifscError, storedCode, storedContact } from '../../src/shared/calc/identity.ts';

describe('IFSC and GST', () => {
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
  it('are stored without spaces', () => {
    expect(storedContact(' 98765 43210 ')).toBe('9876543210');
  });
});
