import { z } from 'zod';

/**
 * A layout describes a bank's upload file as data (docs/specification.md §24.3). Banks change their formats and adapt them
 * for single clients, so a user can copy a layout and change it.
 */

export const routes = ['NEFT', 'RTGS', 'IMPS', 'internal'] as const;
export type Route = (typeof routes)[number];

interface Source {
  label: string;
  /** Text is written in the letters that the bank accepts and is cut to the length of its field. Other kinds are never cut. */
  kind: 'text' | 'code' | 'amount' | 'date' | 'number' | 'route';
  /** Whether a value belongs to a line or to the whole file. Only values of the file can be in a header or a trailer. */
  of: 'line' | 'file';
}

/** Where the value of a field comes from. */
const sources = {
  text: { label: 'Fixed text', kind: 'text', of: 'file' },
  route: { label: 'Route', kind: 'route', of: 'line' },
  name: { label: 'Beneficiary name', kind: 'text', of: 'line' },
  accountNo: { label: 'Beneficiary account', kind: 'code', of: 'line' },
  ifsc: { label: 'Beneficiary IFSC', kind: 'code', of: 'line' },
  bankCode: { label: 'Beneficiary bank (IFSC, first four)', kind: 'code', of: 'line' },
  branch: { label: 'Beneficiary branch', kind: 'text', of: 'line' },
  amount: { label: 'Amount', kind: 'amount', of: 'line' },
  reference: { label: 'Reference of the line', kind: 'code', of: 'line' },
  paymentNumber: { label: 'Payment number', kind: 'text', of: 'line' },
  lineNo: { label: 'Line number', kind: 'number', of: 'line' },
  valueDate: { label: 'Value date', kind: 'date', of: 'file' },
  fileDate: { label: 'Date of the file', kind: 'date', of: 'file' },
  payerName: { label: 'Paying account, name', kind: 'text', of: 'file' },
  payerAccount: { label: 'Paying account, number', kind: 'code', of: 'file' },
  payerIfsc: { label: 'Paying account, IFSC', kind: 'code', of: 'file' },
  clientCode: { label: 'Client code', kind: 'code', of: 'file' },
  serial: { label: 'Serial of the day', kind: 'number', of: 'file' },
  lineCount: { label: 'Number of lines', kind: 'number', of: 'file' },
  totalAmount: { label: 'Sum of the amounts', kind: 'amount', of: 'file' },
} as const satisfies Readonly<Record<string, Source>>;
export type SourceName = keyof typeof sources;
export const sourceNames = Object.keys(sources) as SourceName[];
export const sourceOf = (name: SourceName): Source => sources[name];

export const dateFormats = [
  'DD/MM/YYYY',
  'DD-MM-YYYY',
  'DD/MM/YY',
  'DDMMYYYY',
  'DDMMYY',
  'YYYYMMDD',
  'YYYY-MM-DD',
] as const;
export const amountFormats = ['1234.50', '123450'] as const;
export const letterCases = ['as it is', 'upper', 'lower'] as const;
export const pads = ['none', 'left', 'right'] as const;
export const separators = {
  ',': 'Comma',
  '|': 'Pipe',
  ';': 'Semicolon',
  '~': 'Tilde',
  '^': 'Caret',
  '\t': 'Tab',
} as const;
export const separatorNames = Object.keys(separators) as (keyof typeof separators)[];

/** Text in printable ASCII. */
const printable = (max: number) =>
  z
    .string()
    .max(max, `must be at most ${max} characters`)
    .regex(/^[\x20-\x7e]*$/, 'only letters, digits and signs of a keyboard');

const field = z.strictObject({
  /** The name of the field in the bank's description, which a heading row shows. */
  label: printable(60),
  source: z.enum(sourceNames),
  /** The text of a 'Fixed text'. */
  text: printable(500).optional(),
  /** The highest number of characters; with fixed width the exact number. 0: no limit. */
  length: z.number().int().min(0).max(500),
  letterCase: z.enum(letterCases).optional(),
  pad: z.enum(pads).optional(),
  padWith: z
    .string()
    .regex(/^[\x20-\x7e]$/, 'must be one character')
    .optional(),
  dateFormat: z.enum(dateFormats).optional(),
  amountFormat: z.enum(amountFormats).optional(),
  /** The bank's code for each route: 'N' for NEFT. */
  routeCodes: z.record(z.enum(routes), printable(20)).optional(),
});
export type LayoutField = z.output<typeof field>;

const fieldsOfRecord = z.array(field).max(60, 'must be at most 60 fields');
/** The fields of a header or a trailer. superRefine below checks their sources; here they are for the API document. */
const fieldsOfFile = z
  .array(
    field.extend({
      source: z.enum(sourceNames).meta({ enum: sourceNames.filter((name) => sources[name].of === 'file') }),
    }),
  )
  .max(60, 'must be at most 60 fields');

export const layoutDefinition = z
  .strictObject({
    note: printable(300).optional(),
    kind: z.enum(['separated', 'fixed width', 'spreadsheet']),
    /** With the placeholders {client}, {DD}, {MM}, {YY}, {YYYY} and {serial}; {serial:3} is written as 001. */
    fileName: printable(80).min(1, 'Please enter a file name'),
    /** The extension without its dot. It may have the same placeholders. */
    extension: printable(20),
    separator: z.enum(separatorNames).optional(),
    lineEnd: z.enum(['CRLF', 'LF']),
    heading: z.boolean(),
    /** The signs that the bank accepts in addition to letters, digits and space. */
    signs: printable(40),
    /** The largest file in bytes. */
    maxBytes: z.number().int().min(1).max(20_000_000).optional(),
    header: fieldsOfFile,
    fields: fieldsOfRecord.min(1, 'A layout needs at least one field'),
    trailer: fieldsOfFile,
  })
  .superRefine((layout, context) => {
    const say = (path: PropertyKey[], message: string): void => context.addIssue({ code: 'custom', path, message });
    for (const record of ['header', 'trailer'] as const) {
      layout[record].forEach(({ source }, index) => {
        if (sourceOf(source).of === 'line')
          say([record, index, 'source'], `${sourceOf(source).label} is of a line, not of the file`);
      });
    }
    for (const source of ['accountNo', 'amount'] as const) {
      if (!layout.fields.some((one) => one.source === source))
        say(['fields'], `A line needs the field "${sourceOf(source).label}"`);
    }
    if (layout.kind === 'separated' && layout.separator === undefined) say(['separator'], 'Please choose a separator');
    if (layout.kind === 'fixed width') {
      for (const record of ['header', 'fields', 'trailer'] as const) {
        layout[record].forEach(({ length }, index) => {
          if (length === 0) say([record, index, 'length'], 'A field of a fixed width needs its length');
        });
      }
    }
    for (const record of ['header', 'fields', 'trailer'] as const) {
      layout[record].forEach(({ source, text = '' }, index) => {
        const isBroken = source === 'text' && layout.kind === 'separated' && text.includes(layout.separator ?? ',');
        if (isBroken) say([record, index, 'text'], 'The text cannot contain the separator');
      });
    }
    if (layout.separator !== undefined && layout.signs.includes(layout.separator)) {
      say(['signs'], 'The separator cannot be among the accepted signs');
    }
  });
export type LayoutDefinition = z.output<typeof layoutDefinition>;

export interface NamedLayout {
  name: string;
  definition: LayoutDefinition;
}
