import { Weighted, type Random } from './random.ts';

/** Registration offices of the mineral belt, by share. OR is Odisha's old code, BH the series for all of India. */
const offices = new Weighted(
  [
    { code: 'OD09', share: 38 },
    { code: 'OD14', share: 14 },
    { code: 'OD16', share: 8 },
    { code: 'OD04', share: 5 },
    { code: 'OD34', share: 3 },
    { code: 'OD05', share: 5 },
    { code: 'OD21', share: 5 },
    { code: 'OD19', share: 3 },
    { code: 'OD35', share: 3 },
    { code: 'OD15', share: 2 },
    { code: 'OD23', share: 2 },
    { code: 'JH05', share: 3 },
    { code: 'JH06', share: 3 },
    { code: 'CG04', share: 1 },
    { code: 'CG13', share: 2 },
    { code: 'OR09', share: 2 },
    { code: 'BH', share: 1 },
  ],
  ({ share }) => share,
);
/** Plates have no I and O, because they look like 1 and 0. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A number plate that is not in `taken` yet; it is added there. */
export function plate(random: Random, taken: Set<string>): string {
  for (;;) {
    const { code } = offices.pick(random);
    const number = String(random.between(1, 9999)).padStart(4, '0');
    const text =
      code === 'BH'
        ? `${random.between(21, 25)}BH${number}${random.letters(2, letters)}`
        : `${code}${random.letters(random.chance(8) ? 1 : random.chance(4) ? 3 : 2, letters)}${number}`;
    if (taken.has(text)) continue;
    taken.add(text);
    return text;
  }
}

/** A plate as people type it, with spaces or hyphens. It is in upper case, as it is stored (docs/specification.md §3.5). */
export function typedPlate(text: string, random: Random): string {
  const parts = /^([A-Z]{2}\d{2}|\d{2}BH)([A-Z]{1,3}|\d{4})(\d{4}|[A-Z]{2})$/.exec(text);
  if (!parts) return text;
  const [, office = '', middle = '', last = ''] = parts;
  return random.pick([
    `${office} ${middle} ${last}`,
    `${office}-${middle}-${last}`,
    `${office}${middle} ${last}`,
    `${office} ${middle}${last}`,
  ]);
}
