import { roundHalfUp, sum } from '../calc/money.ts';
import { asciiText } from './ascii.ts';
import { sourceOf, type LayoutDefinition, type LayoutField, type Route, type SourceName } from './layout.ts';

/**
 * Writes a bank file from its layout. The preview on the screen and the bytes that are stored come from here, so they
 * cannot differ.
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
  /** Header, lines and trailer, each as its fields. */
  records: string[][];
  /** The heading row of a spreadsheet or text; null without one. */
  heading: string[] | null;
  /** The whole file; of a spreadsheet its rows with tabs, as the preview shows them. */
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

/** {client}{DD}{MM} and {serial:3} filled in; only what every system accepts in a name. */
function filled(pattern: string, facts: FileFacts): string {
  const parts: Record<string, string> = { ...dayPart(facts.fileOn), client: facts.clientCode };
  return pattern
    .replace(/\{(\w+)(?::(\d))?\}/g, (whole, name: string, digits: string | undefined) =>
      name === 'serial' ? String(facts.serial).padStart(Number(digits ?? 1), '0') : (parts[name] ?? whole),
    )
    .replace(/[^\w.-]+/g, '_');
}

export function bankFileName({ fileName, extension }: LayoutDefinition, facts: FileFacts): string {
  const [name, ending] = [filled(fileName, facts), filled(extension, facts)];
  return ending === '' ? name : `${name}.${ending}`;
}

interface WrittenField {
  text: string;
  /** Before it was cut to its length. */
  whole: string;
  problem?: string;
}

/** One field as it is written: format, letters, case, length, padding. */
export function writtenField(field: LayoutField, values: Values, layout: LayoutDefinition): WrittenField {
  const { source, length, label, letterCase = 'as it is', padWith = ' ' } = field;
  const { kind } = sourceOf(source);
  const raw = source === 'text' ? (field.text ?? '') : (values[source] ?? '');
  const signs = kind === 'code' ? `${layout.signs}-` : layout.signs;
  const formatted =
    kind === 'amount'
      ? field.amountFormat === '123450'
        ? roundHalfUp(raw).replace('.', '')
        : roundHalfUp(raw)
      : kind === 'date'
        ? writtenDay(raw, field.dateFormat ?? 'DD/MM/YYYY')
        : kind === 'number'
          ? raw
          : kind === 'route'
            ? (field.routeCodes?.[raw as Route] ?? raw)
            : // What the user typed into the layout is written as it is.
              source === 'text'
              ? raw
              : asciiText(raw, signs);
  const whole =
    letterCase === 'upper' ? formatted.toUpperCase() : letterCase === 'lower' ? formatted.toLowerCase() : formatted;
  const isLong = length > 0 && whole.length > length;
  const text = isLong ? whole.slice(0, length).trimEnd() : whole;
  // In a fixed width every field has its side; in the others only where it is asked for.
  const side = field.pad ?? (layout.kind === 'fixed width' ? 'right' : 'none');
  const isSided = side !== 'none' || layout.kind === 'fixed width';
  const padded = !isSided ? text : side === 'left' ? text.padStart(length, padWith) : text.padEnd(length, padWith);
  if (kind === 'text' && source !== 'name') return { text: padded, whole };
  if (source === 'name')
    return {
      text: padded,
      whole,
      ...(whole === '' && { problem: 'The name cannot be written in the letters that the bank accepts.' }),
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
  // All of it is ASCII, so that a character is a byte.
  if (layout.maxBytes !== undefined && text.length > layout.maxBytes) {
    problems.push(`The file has ${text.length} bytes; the bank takes ${layout.maxBytes}.`);
  }
  return { name: bankFileName(layout, facts), records, heading, text, problems };
}
/** A name as the file has it, beside the original: letters, case and length. */
export function sentName(layout: LayoutDefinition, name: string): string {
  const field = layout.fields.find(({ source }) => source === 'name');
  return field
    ? writtenField({ ...field, pad: 'none' }, { name }, { ...layout, kind: 'separated' }).text
    : asciiText(name, layout.signs);
}
