import { isIPv6 } from 'node:net';

/**
 * Returns the network of an address: the addresses that one customer of a provider can use. An IPv6 customer can choose
 * from a /64; an IPv4 address is a network by itself. An IPv4-mapped IPv6 address is treated as IPv4.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':');
}
