import { formatAmount, formatPercentage } from '../calc/money.ts';
import { readFigure, readSigned, type FigureKind } from './amount.ts';
import { parseTypedDate, readDay } from './day.ts';
import { isPlaceholder, lostText } from './no-value.ts';
import { cleanText, plainMarks } from './text.ts';
import { ACCOUNT_PATTERN, IFSC_OR_NONE, IFSC_PATTERN, PAN_PATTERN, tenDigitsOf } from '../calc/identity.ts';
import { asciiDigits, displayVehicle } from '../calc/keys.ts';

/**
 * Numbers that name something: accounts, transit passes, phones, vehicles. They are texts from end to end. `doubt` is what a
 * person should look at although the value is taken.
 */
type Reading = { value: string; doubt?: string } | { problem: string };

/**
 * Whether a spreadsheet has shortened a long number: 2.40901E+12, 5.01E13. Its last digits are lost. '12E45' has neither a point
 * nor a plus, so it may be a number that somebody gave.
 */
const hasLostDigits = (text: string): boolean => /^\d+((\.\d+)?E\+|\.\d+E)\d{1,3}$/i.test(text.replace(/\s/g, ''));

/** Reads any number that names something, with its marks and spaces as they are. */
function readIdentifier(text: string): Reading {
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
function readTp(text: string): Reading {
  const read = readIdentifier(text);
  if ('problem' in read || read.doubt !== undefined) return read;
  const typed = read.value.toUpperCase();
  const isDoubtful = /^\d[\dOIL]*$/.test(typed) && /[OIL]/.test(typed) && typed.replace(/\D/g, '').length >= 8;
  return isDoubtful ? { ...read, doubt: isMeant(digitsMeant(typed)) } : read;
}

/** An account number of 9 to 18 digits. Other forms exist, so they are a doubt and not a problem. */
function readAccount(text: string): Reading {
  const read = readIdentifier(text);
  if ('problem' in read) return read;
  const account = joined(read.value).toUpperCase();
  if (ACCOUNT_PATTERN.test(account)) return { ...read, value: account };
  const meant = digitsMeant(account);
  if (ACCOUNT_PATTERN.test(meant)) return { value: account, doubt: isMeant(meant) };
  return { value: account, doubt: 'is not 9 to 18 digits: look it up' };
}

function readIfsc(text: string): Reading {
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

function readPan(text: string): Reading {
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
function readPhone(text: string): Reading {
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

function readVehicle(text: string): Reading {
  const value = displayVehicle(plainMarks(asciiDigits(text)).replace(/\s+/g, ' '));
  const meant = vehicleMeant(value);
  return meant === null ? { value } : { value, doubt: isMeant(meant) };
}

/**
 * The trucks in one cell, joined by ', '. They are separated by commas, semicolons, bars, line breaks, '&' or 'and'. A slash
 * separates only what are vehicle numbers on both sides: OD/09/ZZ/0014 is one truck. Text that is not a vehicle number is a
 * doubt.
 */
function readVehicles(text: string): Reading {
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

/**
 * How a text from outside becomes a value: what a person types or pastes, and what is in the cell of a file. Every screen and
 * every file is read through here, so that one text means the same everywhere. The API itself takes only values.
 */
interface ReadingContext {
  /** The current day in India, YYYY-MM-DD. */
  today: string;
  /** The label of the field, for sentences: 'TP No'. */
  label: string;
}

const figureReader =
  (kind: FigureKind) =>
  (text: string): Reading => {
    const read = readFigure(kind, text);
    if ('error' in read) return { problem: read.error };
    const { value, isRounded } = read;
    if (!isRounded) return { value };
    return {
      value,
      doubt: `${text} is rounded to ${kind === 'percent' ? formatPercentage(value) : formatAmount(value)}`,
    };
  };

/** A date as a table has it: without what only a person types into a field, where '-' is the day before. */
const tableDay = (text: string, today: string): Reading => {
  if (isPlaceholder(text)) return { value: '' };
  const read = /^([+-]\s?\d*|\d{1,2}|t|today)$/i.test(text) ? parseTypedDate('?', today) : parseTypedDate(text, today);
  return 'error' in read ? { problem: read.error } : { value: read.day };
};

/** What a text is, by the kind of its field. The text is clean and not empty. */
const readers = {
  text: (text) => ({ value: text }),
  // Numbers with slashes are usual: only what has a whole year or the name of a month is a date without a doubt.
  tp: (text, { today }) =>
    /^\d{4}-|[-/. ](\d{4}$|[a-z]{3})/i.test(text) && readDay(text, today) !== null
      ? { problem: 'is a date: format the column as text' }
      : readTp(text),
  reference: readIdentifier,
  account: readAccount,
  ifsc: readIfsc,
  pan: readPan,
  phone: readPhone,
  vehicle: readVehicle,
  vehicles: readVehicles,
  day: (text, { today }) => tableDay(text, today),
  money: figureReader('money'),
  weight: figureReader('weight'),
  liters: figureReader('liters'),
  percent: figureReader('percent'),
  balance: (text) => {
    const read = readSigned(text);
    return 'error' in read ? { problem: read.error } : { value: read.value };
  },
} satisfies Record<string, (text: string, context: ReadingContext) => Reading>;

export type { Reading };
export type ValueKind = keyof typeof readers;
/** Kinds whose values are figures or days. A dash in them is 0 or nothing, which their own reader says. */
const figures: readonly ValueKind[] = ['day', 'money', 'weight', 'liters', 'balance', 'percent'];

/**
 * Reads a text as a value of the kind. '' is no value: an empty text, and in a field of text also NA, NIL, - and the like.
 * @returns the value and perhaps what a person should look at; or what is wrong, as a sentence
 */
export function readValue(kind: ValueKind, text: string, context: ReadingContext): Reading {
  const clean = cleanText(text);
  if (clean === '') return { value: '' };
  const lost = lostText(clean);
  if (lost !== null) return { problem: lost };
  const isFigure = figures.includes(kind);
  if (!isFigure && isPlaceholder(clean)) return { value: '' };
  const read: Reading = readers[kind](clean, context);
  if (isFigure) return read;
  const said = (what: string): string => `${context.label} ${clean} ${what}`;
  if ('problem' in read) return { problem: said(read.problem) };
  return read.doubt === undefined ? read : { ...read, doubt: said(read.doubt) };
}
