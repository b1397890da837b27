import { describe, expect, it } from 'vitest';
import { Bucket } from '../../../src/server/bucket.ts';
import { networkOf } from '../../../src/server/http/network.ts';

describe('a bucket for each key', () => {
  it('is used up and comes back with time, for each address by itself', () => {
    let now = 0;
    const bucket = new Bucket({ burst: 3, perSecond: 0.5 }, () => now);
    const takes = (address: string, count: number) => Array.from({ length: count }, () => bucket.take(address));
    expect(takes('192.0.2.1', 5)).toEqual([0, 0, 0, 2, 2]);
    expect(takes('192.0.2.2', 1)).toEqual([0]);
    now = 1_000;
    expect(takes('192.0.2.1', 1)).toEqual([1]);
    now = 2_000;
    expect(takes('192.0.2.1', 2)).toEqual([0, 2]);
    now = 1_000_000;
    expect(takes('192.0.2.1', 4)).toEqual([0, 0, 0, 2]);
  });

  it('is remembered for the last ten thousand only', () => {
    const bucket = new Bucket({ burst: 1, perSecond: 0.001 }, () => 0);
    expect(bucket.take('10.9.9.9')).toBe(0);
    for (let one = 0; one < 9_999; one += 1) bucket.take(`10.0.${one >> 8}.${one & 255}`);
    expect(bucket.take('10.9.9.9')).toBeGreaterThan(0);
    for (let one = 0; one < 10_000; one += 1) bucket.take(`10.1.${one >> 8}.${one & 255}`);
    expect(bucket.size).toBe(10_000);
    expect(bucket.take('10.9.9.9')).toBe(0);
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:0001:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['not an address', 'not an address'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
