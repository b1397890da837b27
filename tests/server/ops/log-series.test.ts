import { expect, it } from 'vitest';
import { chainFrom, archivedName, segmentAfter } from '../../../src/ops/log-series.ts';

it('counts segments as PostgreSQL names them', () => {
  expect(segmentAfter('000000010000000000000009')).toBe('00000001000000000000000A');
  expect(segmentAfter('0000000200000000000000FF')).toBe('000000020000000100000000');
  expect(segmentAfter('00000001FFFFFFFE000000FF')).toBe('00000001FFFFFFFF00000000');
});

it('follows them over the end of a block, and names the first that is missing', () => {
  const at = new Date('2026-11-23T03:44:05.678Z');
  const of = (...names: string[]) => names.map((name) => ({ name, file: archivedName(name, at, false), closedAt: at }));
  const names = ['0000000100000000000000FE', '0000000100000000000000FF', '000000010000000100000000'];
  expect(chainFrom(names[0] ?? '', of(...names))).toEqual({ chain: of(...names) });
  expect(chainFrom(names[0] ?? '', of('000000010000000000000001', ...names, '000000010000000100000002'))).toEqual({
    chain: of(...names),
    gap: '000000010000000100000001',
  });
  // Of another timeline, and what is no segment, are not of the chain.
  const others = of('0000000200000001000000FF', '0000000100000000000000FE.00000028.backup', '00000002.history');
  expect(chainFrom(names[0] ?? '', [...of(...names), ...others])).toEqual({ chain: of(...names) });
  expect(chainFrom('000000010000000000000001', [])).toEqual({ chain: [] });
  expect(archivedName(names[0] ?? '', at, true)).toBe('0000000100000000000000FE.20261123T034405678Z.gz.encrypted');
});
