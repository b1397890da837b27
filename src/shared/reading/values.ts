import { formatAmount, formatPercentage } from '../calc/money.ts';
import { readFigure, readSigned, type FigureKind } from './amount.ts';
import { parseTypedDate, readDay } from './day.ts';
import {
  readAccount,
  readIdentifier,
  readIfsc,
  readPan,
  readPhone,
  readTp,
  readVehicle,
  readVehicles,
  type Reading,
} from './identifiers.ts';
import { isPlaceholder, lostText } from './no-value.ts';
import { cleanText } from './text.ts';

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
