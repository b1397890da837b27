import { roundHalfUp, sum } from '../calc/money.ts';
import { asciiText } from './ascii.ts';
import { sourceOf, type LayoutDefinition, type LayoutField, type Route, type SourceName } from './layout.ts';

/**
 * Writes a bank file from its layout. Both the preview on the screen and the stored bytes are written here, so they cannot
 * differ.
 */

export interface FileFacts {
  clientCode: string;
  payerName: string;
  payerAccount: string;
  payerIfsc: string;
  serial: number;
  /** Days, YYYY-MM-DD. */
  fileOn: string;
  valueOn: string;
}

export interface LineFacts {
  route: Route;
  name: string;
  accountNo: string;
  ifsc: string;
  branch: string;
  amount: string;
  reference: string;
  paymentNumber: string;
}

export interface WrittenFile {
  name: string;
  /** Header, lines and trailer; each is an array of its fields. */
  records: string[][];
  /** The row of headings; null: the layout has none. */
  heading: string[] | null;
  /** The whole file. For a spreadsheet it is the preview: its rows with tabs between the cells. */
  text: string;
  /** What does not fit: 'Line 3: Amount has 9 characters, 8 fit.' */
  problems: string[];
}

type Values = Readonly<Partial<Record<SourceName, string>>>;

const dayPart = (day: string): Record<string, string> => {
  const [YYYY = '', MM = '', DD = ''] = day.split('-');
  return { YYYY, YY: YYYY.slice(2), MM, DD };
};

const writtenDay = (day: string, format: string): string => {
  const parts = dayPart(day);
  return format.replace(/YYYY|YY|MM|DD/g, (part) => parts[part] ?? part);
};

/** Fills in the placeholders of a file name. Characters that some system refuses in a name become underscores. */
function filled(pattern: string, facts: FileFacts): string {
  const parts: Record<string, string> = { ...dayPart(facts.fileOn), client: facts.clientCode };
  return pattern
    .replace(/\{(\w+)(?::(\d))?\}/g, (whole, name: string, digits: string | undefined) =>
      name === 'serial' ? String(facts.serial).padStart(Number(digits ?? 1), '0') : (parts[name] ?? whole),
    )
    .replace(/[^\w.-]+/g, '_');
}

function bankFileName({ fileName, extension }: LayoutDefinition, facts: FileFacts): string {
  const [name, ending] = [filled(fileName, facts), filled(extension, facts)];
  return ending === '' ? name : `${name}.${ending}`;
}

const unwritableName = 'The name cannot be written in the letters that the bank accepts.';

/** Why this layout cannot name the owner of a line; undefined: it can. Another line of the file may still be sent. */
export const nameProblem = (layout: LayoutDefinition, name: string): string | undefined =>
  sentName(layout, name) === '' ? unwritableName : undefined;

interface WrittenField {
  text: string;
  /** The text before it was cut to the length of the field. */
  whole: string;
  problem?: string;
}

/** The value of a field in the format that the layout asks for. */
function formattedValue(field: LayoutField, values: Values, { signs }: LayoutDefinition): string {
  // What the user typed into the layout is written as it is.
  if (field.source === 'text') return field.text ?? '';
  const value = values[field.source] ?? '';
  switch (sourceOf(field.source).kind) {
    case 'amount':
      return field.amountFormat === '123450' ? roundHalfUp(value).replace('.', '') : roundHalfUp(value);
    case 'date':
      return writtenDay(value, field.dateFormat ?? 'DD/MM/YYYY');
    case 'number':
      return value;
    case 'route':
      return field.routeCodes?.[value as Route] ?? value;
    case 'code':
      return asciiText(value, `${signs}-`);
    case 'text':
      return asciiText(value, signs);
  }
}

/** One field as it is written: with its format, letters, case, length and padding. */
function writtenField(field: LayoutField, values: Values, layout: LayoutDefinition): WrittenField {
  const { source, length, label, letterCase = 'as it is', padWith = ' ' } = field;
  const { kind } = sourceOf(source);
  const formatted = formattedValue(field, values, layout);
  const whole =
    letterCase === 'upper' ? formatted.toUpperCase() : letterCase === 'lower' ? formatted.toLowerCase() : formatted;
  const isLong = length > 0 && whole.length > length;
  const text = isLong ? whole.slice(0, length).trimEnd() : whole;
  // With fixed width every field is padded; in the other formats only where the layout asks for it.
  const side = field.pad ?? (layout.kind === 'fixed width' ? 'right' : 'none');
  const isPadded = side !== 'none' || layout.kind === 'fixed width';
  const padded = !isPadded ? text : side === 'left' ? text.padStart(length, padWith) : text.padEnd(length, padWith);
  if (kind === 'text' && source !== 'name') return { text: padded, whole };
  if (source === 'name')
    return {
      text: padded,
      whole,
      ...(whole === '' && { problem: unwritableName }),
    };
  return { text: padded, whole, ...(isLong && { problem: `${label} has ${whole.length} characters, ${length} fit.` }) };
}

const fileValues = (facts: FileFacts, lines: readonly LineFacts[]): Values => ({
  valueDate: facts.valueOn,
  fileDate: facts.fileOn,
  payerName: facts.payerName,
  payerAccount: facts.payerAccount,
  payerIfsc: facts.payerIfsc,
  clientCode: facts.clientCode,
  serial: String(facts.serial),
  lineCount: String(lines.length),
  totalAmount: sum(lines.map(({ amount }) => amount)),
});

const lineValues = (line: LineFacts, index: number): Values => ({
  ...line,
  bankCode: line.ifsc.slice(0, 4),
  lineNo: String(index + 1),
});

export function writeBankFile(layout: LayoutDefinition, facts: FileFacts, lines: readonly LineFacts[]): WrittenFile {
  const ofFile = fileValues(facts, lines);
  const problems: string[] = [];
  const record = (fields: readonly LayoutField[], values: Values, where: string): string[] =>
    fields.map((field) => {
      const { text, problem } = writtenField(field, values, layout);
      if (problem !== undefined) problems.push(`${where}: ${problem}`);
      return text;
    });
  const records = [
    ...(layout.header.length > 0 ? [record(layout.header, ofFile, 'First line')] : []),
    ...lines.map((line, index) =>
      record(layout.fields, { ...ofFile, ...lineValues(line, index) }, `Line ${index + 1}`),
    ),
    ...(layout.trailer.length > 0 ? [record(layout.trailer, ofFile, 'Last line')] : []),
  ];
  const heading = layout.heading
    ? layout.fields.map(({ label, length }) =>
        layout.kind === 'fixed width' ? label.slice(0, length).padEnd(length) : label,
      )
    : null;
  const between = layout.kind === 'fixed width' ? '' : layout.kind === 'spreadsheet' ? '\t' : (layout.separator ?? ',');
  const end = layout.lineEnd === 'LF' ? '\n' : '\r\n';
  const text = [...(heading ? [heading] : []), ...records].map((fields) => fields.join(between) + end).join('');
  // The text is ASCII, so the number of characters is the number of bytes.
  if (layout.maxBytes !== undefined && text.length > layout.maxBytes) {
    problems.push(`The file has ${text.length} bytes; the bank takes ${layout.maxBytes}.`);
  }
  return { name: bankFileName(layout, facts), records, heading, text, problems };
}

/** A name as the file will have it, so that the screen can show it beside the original. */
export function sentName(layout: LayoutDefinition, name: string): string {
  const field = layout.fields.find(({ source }) => source === 'name');
  return field
    ? writtenField({ ...field, pad: 'none' }, { name }, { ...layout, kind: 'separated' }).text
    : asciiText(name, layout.signs);
}
