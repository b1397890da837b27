/**
 * What texts are compared by. Two texts with the same key mean the same name, vehicle or transit pass, however they are
 * typed.
 */

/**
 * The digit zero of each script: Arabic and Urdu, Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada,
 * Malayalam, Ol Chiki, full width.
 */
const scriptZeros = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x1c50, 0xff10,
];

/** Writes the digits of Indian scripts as 0-9, so that '१२' and '୧୨' are read as 12. All other text stays as it is. */
export function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = scriptZeros.find((start) => code >= start && code <= start + 9);
    return zero === undefined ? digit : String(code - zero);
  });
}

/** All kinds of space, dash and dot, and invisible marks. The same list is in number_key (migration 003). */
const uncounted =
  /[\s\u0085\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f.\u2024\u3002\uff0e\uff61\u2010-\u2015\u2212\ufe58\ufe63\uff0d-]/g;

/**
 * Names: case, spaces, dashes, dots, invisible marks and the Unicode form of letters make no difference, but words do
 * (docs/specification.md §20.4). 'M/s. Ram-Das' equals 'M/S RAM DAS' and not 'M/s Ramdas'.
 */
export function nameKey(name: string): string {
  const visible = name.normalize('NFC').replace(/\p{Cf}/gu, '');
  return visible.replace(uncounted, ' ').trim().replace(/ +/g, ' ').toLowerCase();
}

/** A route: the place where a truck is loaded and the one where it is unloaded, each compared as a name. */
export function routeKey({ loadingPlace, unloadingPlace }: { loadingPlace: string; unloadingPlace: string }): string {
  return `${nameKey(loadingPlace)}\n${nameKey(unloadingPlace)}`;
}

/**
 * Vehicle numbers: spaces, dashes, dots and case make no difference (docs/specification.md §3.5), so that 'OD 09 AB 1234'
 * equals 'od-09-ab-1234' and 'OD.09.AB.1234'.
 */
export function vehicleKey(text: string): string {
  return text.replace(uncounted, '').toUpperCase();
}

/** A vehicle number as it is stored and shown: as typed, in upper case (docs/specification.md §3.5). */
export function displayVehicle(text: string): string {
  return text.trim().toUpperCase();
}

/**
 * TP numbers: upper case, without spaces, dashes and dots, and 12345.0 is 12345 (docs/specification.md §11.2). Leading zeros
 * count: '000123' is not '123'.
 */
export function tpKey(text: string): string {
  return asciiDigits(text)
    .replace(/\s/g, '')
    .replace(/^(\d+)\.0+$/, '$1')
    .replace(uncounted, '')
    .toUpperCase();
}

/** Too many shorter numbers differ in only one character, so that a near match of them means nothing. */
export const leastLength = 4;

/** A number without its leading zeros, which spreadsheets and banks leave out. */
export const withoutZeros = (key: string): string => key.replace(/^0+/, '');

/**
 * How the TP key of a bill may still mean that of a challan: leading zeros were lost, or one character is replaced, missing
 * or added. null: it does not.
 */
export function nearness(billed: string, challan: string): 'zeros' | 'character' | null {
  if (billed === challan) return null;
  const bare = withoutZeros(billed);
  if (bare !== '' && bare === withoutZeros(challan)) return 'zeros';
  const [short, long] = billed.length <= challan.length ? [billed, challan] : [challan, billed];
  if (short.length < leastLength || long.length - short.length > 1) return null;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = same + (long.length === short.length ? 1 : 0);
  return short.slice(rest) === long.slice(same + 1) ? 'character' : null;
}
