import { expect, it } from 'vitest';
import { weaknessOf } from '../../../src/server/features/session/weak-passwords.service.ts';

const names = ['ramesh.sahu@tarini.test', 'Maa Tarini Roadlines'];

it.each([
  '123456',
  'password',
  'Password@123',
  'QWERTY123',
  'iloveyou',
  'krishna',
  'aaaaaa',
  '121212',
  '123123123',
  'abcdef',
  'zyxwvu',
  '654321',
  '98765432',
])('%s is too common', (password) => {
  expect(weaknessOf(password, names)).toBe('This password is too common. Please choose another one');
});

it.each([
  'Maa Tarini Roadlines',
  'maatariniroadlines',
  'MaaTariniRoadlines@2026',
  'ramesh.sahu@tarini.test',
  'RameshSahu1',
  'challandesk',
  'Challan Desk 1',
])('%s is a name of the account', (password) => {
  expect(weaknessOf(password, names)).toBe('The password must not be a name of the account');
});

it.each([
  'six chars',
  'new-one',
  'correct horse 42',
  'brand new one',
  '  new पासवर्ड ',
  'tarini-9x',
  '      x',
  'zx81 odd',
])('%s is good enough', (password) => {
  expect(weaknessOf(password, names)).toBeNull();
});

it('an account without a banner name has one name less', () => {
  expect(weaknessOf('!!!123!!!x', ['admin@challan.test', ''])).toBeNull();
});
