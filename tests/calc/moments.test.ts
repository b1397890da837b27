import { describe, expect, it } from 'vitest';
import { inIndia, momentOf } from '../../src/shared/calc/dates.ts';

describe('a moment that an operator types', () => {
  it.each([
    ['2026-11-23 09:14:00+05:30', '2026-11-23T03:44:00.000Z'],
    ['2026-11-23 09:14', '2026-11-23T03:44:00.000Z'],
    ['2026-11-23T09:14:05', '2026-11-23T03:44:05.000Z'],
    [' 2026-11-23 09:14:05.25 ', '2026-11-23T03:44:05.250Z'],
    ['2026-11-23 03:44:00Z', '2026-11-23T03:44:00.000Z'],
    ['2026-11-22 22:44:00 -0500', '2026-11-23T03:44:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(momentOf(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '',
    'latest',
    'yesterday',
    '2026-11-23',
    '09:14',
    '2026-02-29 09:14',
    '2026-11-23 24:00',
    '2026-11-23 09:60',
    '23/11/2026 09:14',
    '2026-11-23 09:14 IST',
    '2026-11-23 09:14+25:00',
    '1795405440',
  ])('%j is none', (text) => {
    expect(momentOf(text)).toBeNull();
  });

  it('is written so that it is read back', () => {
    expect(inIndia(new Date('2026-11-23T18:44:05.678Z'))).toBe('2026-11-24 00:14:05+05:30');
    expect(inIndia(new Date('2026-11-23T18:44:05.678Z'), 'ms')).toBe('2026-11-24 00:14:05.678+05:30');
    expect(momentOf(inIndia(new Date('2026-11-23T18:44:05.678Z'), 'ms'))?.toISOString()).toBe(
      '2026-11-23T18:44:05.678Z',
    );
  });
});
