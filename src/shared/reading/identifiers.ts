import { ACCOUNT_PATTERN, IFSC_OR_NONE, IFSC_PATTERN, PAN_PATTERN, tenDigitsOf } from '../calc/identity.ts';
import { asciiDigits, displayVehicle } from '../calc/keys.ts';
import { plainMarks } from './text.ts';

/**
 * Numbers that name something: accounts, transit passes, phones, vehicles. They are texts from end to end. `doubt` is what a
 * person should look at although the value is taken.
 */
export type Reading = { value: string; doubt?: string } | { problem: string };

/**
 * Whether a spreadsheet has shortened a long number: 2.40901E+12, 5.01E13. Its last digits are lost. '12E45' has neither a point
 * nor a plus, so it may be a number that somebody gave.
 */
const hasLostDigits = (text: string): boolean => /^\d+((\.\d+)?E\+|\.\d+E)\d{1,3}$/i.test(text.replace(/\s/g, ''));

/** Reads any number that names something, with its marks and spaces as they are. */
export function readIdentifier(text: string): Reading {
  const plain = plainMarks(asciiDigits(text));
  if (hasLostDigits(plain)) return { problem: 'has lost digits: format the column as text' };
  const [, whole] = /^(\d+)\.0+$/.exec(plain) ?? [];
  return whole === undefined ? { value: plain } : { value: whole, doubt: `was ${text}: the decimals were left out` };
}

const joined = (text: string): string => text.replace(/[\s-]/g, '');
/** Letters that are taken for digits, as the digits that they look like. */
const digitsMeant = (text: string): string =>
  text.replace(/[OILSBZ]/g, (letter) => '011582'.charAt('OILSBZ'.indexOf(letter)));
const isMeant = (meant: string): string => `has letters: is ${meant} meant?`;

/** A TP number. Among eight digits or more, behind the first of them, a letter that looks like a digit is hardly meant. */
export function readTp(text: string): Reading {
  const read = readIdentifier(text);
  if ('problem' in read || read.doubt !== undefined) return read;
  const typed = read.value.toUpperCase();
  const isDoubtful = /^\d[\dOIL]*$/.test(typed) && /[OIL]/.test(typed) && typed.replace(/\D/g, '').length >= 8;
  return isDoubtful ? { ...read, doubt: isMeant(digitsMeant(typed)) } : read;
}

/** An account number of 9 to 18 digits. Other forms exist, so they are a doubt and not a problem. */
export function readAccount(text: string): Reading {
  const read = readIdentifier(text);
  if ('problem' in read) return read;
  const account = joined(read.value).toUpperCase();
  if (ACCOUNT_PATTERN.test(account)) return { ...read, value: account };
  const meant = digitsMeant(account);
  if (ACCOUNT_PATTERN.test(meant)) return { value: account, doubt: isMeant(meant) };
  return { value: account, doubt: 'is not 9 to 18 digits: look it up' };
}

export function readIfsc(text: string): Reading {
  const ifsc = joined(plainMarks(asciiDigits(text))).toUpperCase();
  if (IFSC_PATTERN.test(ifsc) || !IFSC_OR_NONE.test(ifsc)) return { value: ifsc };
  const meant = ifsc.replace(/^([A-Z]{4})O/, '$10');
  return {
    value: ifsc,
    doubt: IFSC_PATTERN.test(meant)
      ? `has the letter O as its fifth character: is ${meant} meant?`
      : 'is not 4 letters, a 0 and 6 more',
  };
}

export function readPan(text: string): Reading {
  const pan = joined(plainMarks(asciiDigits(text))).toUpperCase();
  if (PAN_PATTERN.test(pan)) return { value: pan };
  const meant = pan.slice(0, 5) + digitsMeant(pan.slice(5, 9)) + pan.slice(9);
  return PAN_PATTERN.test(meant)
    ? { problem: `has letters where digits are wanted: is ${meant} meant?` }
    : { value: pan };
}

/** The ten digits of a phone number, also without the .0 of a spreadsheet; another text without its marks. */
function phoneDigits(text: string): string {
  const whole = text.replace(/\.0+$/, '');
  return tenDigitsOf(whole) ?? whole.replace(/[\s().-]/g, '');
}

/** A phone number as its ten digits. Of two in one text the first is taken, and the second is named. */
export function readPhone(text: string): Reading {
  const plain = plainMarks(asciiDigits(text)).trim();
  if (hasLostDigits(plain)) return { problem: 'has lost digits: format the column as text' };
  const [first = '', ...others] = plain.split(/[,;/\n|]|\bor\b|\band\b|&/i).map((one) => phoneDigits(one.trim()));
  const second = others.find((one) => /^\d{10}$/.test(one) && one !== first);
  if (/^\d{10}$/.test(first) && others.length > 0) {
    return second === undefined
      ? { value: first }
      : { value: first, doubt: `has a second number, ${second}, which was left out` };
  }
  return { value: others.length > 0 ? plain : first };
}

/** Indian vehicle numbers: OD09AB1234, OR 9 C 123, 22BH1234AA; with any marks between their parts. */
const vehicle = /^([A-Z]{2}\d{1,2}[A-Z]{0,3}\d{1,4}|\d{2}BH\d{4}[A-Z]{1,2})$/;
const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
const isVehicle = (text: string): boolean => vehicle.test(lettersAndDigits(text));

/** Numbers without a doubt: no district is called 0, and no series has the letters I and O. */
const plainVehicle = /^[A-Z]{2}(\d{2}|[1-9])[A-HJ-NP-Z]{0,3}\d{1,4}$/;
/** The usual form, with all characters that look like the right ones: state, district, series, number. */
const blurredVehicle = /^([A-Z0]{2})([\dOILSBZ]{2})([A-HJ-NP-Z]{1,2})([\dOILSBZ]{4})$/;

/** The vehicle number that is meant by one with O for 0, S for 5 and the like. null: its form does not say so. */
function vehicleMeant(text: string): string | null {
  const typed = lettersAndDigits(text);
  const [, state = '', district = '', series = '', number = ''] = blurredVehicle.exec(typed) ?? [];
  if (state === '' || plainVehicle.test(typed)) return null;
  return state.replace(/0/g, 'O') + digitsMeant(district) + series + digitsMeant(number);
}

export function readVehicle(text: string): Reading {
  const value = displayVehicle(plainMarks(asciiDigits(text)).replace(/\s+/g, ' '));
  const meant = vehicleMeant(value);
  return meant === null ? { value } : { value, doubt: isMeant(meant) };
}

/**
 * The trucks in one cell, joined by ', '. They are separated by commas, semicolons, bars, line breaks, '&' or 'and'. A slash
 * separates only what are vehicle numbers on both sides: OD/09/ZZ/0014 is one truck. Text that is not a vehicle number is a
 * doubt.
 */
export function readVehicles(text: string): Reading {
  const pieces = text.split(/[,;|\n&]+|\sand\s/i).flatMap((piece) => {
    const parts = piece.split('/');
    return parts.length > 1 && parts.every(isVehicle) ? parts : [piece];
  });
  const trucks = pieces.map(readVehicle).flatMap((read) => ('value' in read && read.value !== '' ? [read] : []));
  const [doubt] = trucks.flatMap((one) => {
    if (one.doubt !== undefined) return [`“${one.value}” ${one.doubt}`];
    return isVehicle(one.value) ? [] : [`“${one.value}” is not the number of a vehicle`];
  });
  const value = trucks.map((one) => one.value).join(', ');
  return doubt === undefined ? { value } : { value, doubt };
}
