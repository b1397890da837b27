import { asciiDigits } from '../calc/keys.ts';

/**
 * Writes names as banks accept them: with the letters A to Z, digits, spaces and a few signs (docs/specification.md §24.2).
 * Indian scripts are written as they are spoken, accents are dropped, and any other character becomes a space. The result
 * helps a reader at the bank and is no exact transcription: the account number determines who is paid.
 */

// The Unicode blocks of the Indian scripts have their letters in the same order (that of ISCII), so one table is enough.
const firstBlock = 0x0900;
const lastBlock = 0x0d7f;
const vowels: Readonly<Record<number, string>> = {
  0x05: 'a', 0x06: 'a', 0x07: 'i', 0x08: 'i', 0x09: 'u', 0x0a: 'u', 0x0b: 'ri', 0x0d: 'e', 0x0e: 'e', 0x0f: 'e',
  0x10: 'ai', 0x11: 'o', 0x12: 'o', 0x13: 'o', 0x14: 'au',
}; // prettier-ignore
const consonants = 'k kh g gh n ch chh j jh n t th d dh n t th d dh n n p ph b bh m y r r l l l v sh sh s h'.split(' ');
const firstConsonant = 0x15;
const vowelSigns: Readonly<Record<number, string>> = {
  0x3e: 'a', 0x3f: 'i', 0x40: 'i', 0x41: 'u', 0x42: 'u', 0x43: 'ri', 0x45: 'e', 0x46: 'e', 0x47: 'e', 0x48: 'ai',
  0x49: 'o', 0x4a: 'o', 0x4b: 'o', 0x4c: 'au',
}; // prettier-ignore
const endings: Readonly<Record<number, string>> = { 0x01: 'n', 0x02: 'n', 0x03: 'h' };
const virama = 0x4d;
const nukta = 0x3c;

/** The position of a letter in its Unicode block; undefined outside the Indian scripts. */
const placeOf = (letter: string | undefined): number | undefined => {
  const code = letter?.codePointAt(0) ?? 0;
  return code >= firstBlock && code <= lastBlock ? code % 0x80 : undefined;
};

function consonantAt(letter: string | undefined): string | undefined {
  const place = placeOf(letter);
  if (place === undefined) return undefined;
  // YYA and WA of Odia are outside the common order.
  if (letter === '\u0b5f') return 'y';
  if (letter === '\u0b71') return 'w';
  return consonants[place - firstConsonant];
}

/** One word of an Indian script: रमेश → Ramesh. */
function spokenWord(word: string): string {
  const letters = [...word.normalize('NFC')].filter((letter) => placeOf(letter) !== nukta);
  let spoken = '';
  letters.forEach((letter, index) => {
    const place = placeOf(letter);
    if (place === undefined) return;
    const consonant = consonantAt(letter);
    if (consonant === undefined) {
      spoken += vowels[place] ?? vowelSigns[place] ?? endings[place] ?? '';
      return;
    }
    const next = placeOf(letters[index + 1]);
    const isLast = index === letters.length - 1;
    const isBare = next === virama || (next !== undefined && next in vowelSigns);
    // A consonant is spoken with an a. At the end of a word the a is silent, except after another consonant (Chandra).
    const isSilent = isLast && index > 0 && placeOf(letters[index - 1]) !== virama;
    spoken += consonant + (isBare || isSilent ? '' : 'a');
  });
  return spoken.charAt(0).toUpperCase() + spoken.slice(1);
}

/** The letters of Ol Chiki from U+1C5A on: an alphabet, with a letter for each sound. */
const firstOlChiki = 0x1c5a;
const olChiki = 'o t g ng l a k j m w i s h ny r u ch d n y e p d n r o t b n h'.split(' ');
function spokenOlChiki(word: string): string {
  const spoken = [...word].map((letter) => olChiki[(letter.codePointAt(0) ?? 0) - firstOlChiki] ?? '').join('');
  return spoken.charAt(0).toUpperCase() + spoken.slice(1);
}

const written: Readonly<Record<string, string>> = {
  '\u2018': "'", '\u2019': "'", '\u201c': '"', '\u201d': '"', '\u2013': '-', '\u2014': '-', '\u20b9': 'Rs', 'ß': 'ss',
  'æ': 'ae', 'Æ': 'AE', 'ø': 'o', 'Ø': 'O', 'đ': 'd', 'Đ': 'D', 'ł': 'l', 'Ł': 'L',
}; // prettier-ignore

/** Text in ASCII with no other signs than these: ('M/s. Café & रमेश', '/.') → 'M/s. Cafe and Ramesh' */
export function asciiText(text: string, signs: string): string {
  const spoken = asciiDigits(text.normalize('NFKD'))
    .replace(/[\u0900-\u0d7f\u200c\u200d]+/g, spokenWord)
    .replace(/[\u1c5a-\u1c7d]+/g, spokenOlChiki);
  const plain = [...spoken.replace(/\p{M}/gu, '')].map((sign) => written[sign] ?? sign).join('');
  return [...(signs.includes('&') ? plain : plain.replaceAll('&', ' and '))]
    .map((sign) => (/[A-Za-z0-9]/.test(sign) || signs.includes(sign) ? sign : dropped(sign)))
    .join('')
    .replace(/ +/g, ' ')
    .trim();
}

/** What replaces a sign that is not accepted: nothing for an apostrophe, which is inside a word, else a space. */
const dropped = (sign: string): string => (sign === "'" ? '' : ' ');
