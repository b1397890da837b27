import { assert as check, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boolean, instant, number, recordRow, reference, text } from '../../../src/server/sql/record-row.ts';
import { testSeed } from '../../calc/seed.ts';
import { long } from '../../long.ts';

interface Slip {
  id: string;
  name: string;
  owner: { id: string; name: string } | null;
  wheels: number | null;
  isPaid: boolean;
  at: string | null;
}
const slip = recordRow<Slip>({
  id: text('s.id'),
  name: text('s.name'),
  owner: reference({ id: text('s.owner_id'), name: text('o.name') }),
  wheels: number('s.wheels'),
  isPaid: boolean('s.is_paid'),
  at: instant('s.at'),
});

describe('a row read as a record', () => {
  it('asks for its columns in the order in which it reads them', () => {
    expect(slip.columns).toBe(
      's.id AS "id", s.name AS "name", s.owner_id AS "owner.id", o.name AS "owner.name", s.wheels AS "wheels", ' +
        's.is_paid AS "isPaid", s.at::text AS "at"',
    );
  });

  it('holds what the columns hold, behind those of something else', () => {
    const row = ['7', 'x', 'id-1', 'Coal "A"', 'o-1', 'ରବି\n', '12', 't', '2026-03-05 18:30:00.1+00'];
    expect(slip.read(row, 2)).toEqual({
      id: 'id-1',
      name: 'Coal "A"',
      owner: { id: 'o-1', name: 'ରବି\n' },
      wheels: 12,
      isPaid: true,
      at: '2026-03-05T18:30:00.100Z',
    });
  });

  it('has null for a null column, and for a record whose id is null', () => {
    expect(slip.read(['id-1', '', null, null, null, 'f', null])).toEqual({
      id: 'id-1',
      name: '',
      owner: null,
      wheels: null,
      isPaid: false,
      at: null,
    });
  });

  it('gives back any text as it was', () => {
    check(
      property(string({ unit: 'binary' }), string({ unit: 'grapheme' }), (name, owner) => {
        const read = slip.read(['id-1', name, 'o-1', owner, '4', 't', null]);
        expect([read.name, read.owner?.name]).toEqual([name, owner]);
      }),
      { numRuns: long(2_000), seed: testSeed('record row') },
    );
  });
});
