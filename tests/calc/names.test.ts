import { expect, it } from 'vitest';
import { nameKey } from '../../src/shared/calc/names.ts';

it('makes one key of a name, whatever its case, its spaces and the composition of its letters', () => {
  const composed = 'Ren\u00e9  Das';
  const decomposed = ' rene\u0301\tDAS\n';
  expect(composed.trim()).not.toBe(decomposed.trim());
  expect(nameKey(decomposed)).toBe(nameKey(composed));
  expect(nameKey('\u092b\u093c\u0948\u091c\u0932')).toBe(nameKey('\u095e\u0948\u091c\u0932'));
  expect(nameKey('Anil & Sons')).not.toBe(nameKey('Anil and Sons'));
  expect(nameKey(' \u00a0 ')).toBe('');
});
