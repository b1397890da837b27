/**
 * What names are compared by: case, repeated spaces and the Unicode form of letters make no difference
 * (docs/specification.md §20.4).
 */
export function nameKey(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
