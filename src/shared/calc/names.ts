/** Names compare without case, with single spaces, and however their letters are composed (docs/specification.md §20.4). */
export function nameKey(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}
