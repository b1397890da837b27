import type { LayoutDefinition, LayoutField, NamedLayout, SourceName } from './layout.ts';

/** The layouts that ship with the product. No bank has certified them: their names say which format they resemble. */

const of = (label: string, source: SourceName, length: number, more: Partial<LayoutField> = {}): LayoutField => ({
  label,
  source,
  length,
  ...more,
});
const fixed = (label: string, length: number, text = ''): LayoutField => ({ label, source: 'text', text, length });
const empty = (length: number, ...labels: string[]): LayoutField[] => labels.map((label) => fixed(label, length));

const text = {
  kind: 'separated',
  separator: ',',
  lineEnd: 'CRLF',
  heading: false,
  signs: '-./()',
  header: [],
  trailer: [],
} as const satisfies Partial<LayoutDefinition>;

const shortRoutes = { NEFT: 'N', RTGS: 'R', IMPS: 'M', internal: 'I' } as const;
const dayMonthSerial = { fileName: '{client}{DD}{MM}', extension: '{serial:3}' } as const;

export const shippedLayouts = {
  A: {
    name: "Comma text, 28 fields (like HDFC's adapter)",
    definition: {
      ...text,
      ...dayMonthSerial,
      fields: [
        of('Transaction type', 'route', 1, { routeCodes: shortRoutes }),
        fixed('Beneficiary code', 13),
        of('Account', 'accountNo', 25),
        of('Amount', 'amount', 20),
        of('Name', 'name', 40),
        ...empty(20, 'Drawee location', 'Print location'),
        ...empty(70, 'Address 1', 'Address 2', 'Address 3', 'Address 4'),
        ...empty(20, 'Address 5'),
        of('Instruction reference', 'reference', 20),
        of('Customer reference', 'reference', 20),
        of('Payment details 1', 'paymentNumber', 30),
        ...empty(30, ...[2, 3, 4, 5, 6, 7].map((number) => `Payment details ${number}`)),
        fixed('Cheque no.', 12),
        of('Date', 'valueDate', 10, { dateFormat: 'DD/MM/YYYY' }),
        fixed('MICR', 15),
        of('IFSC', 'ifsc', 15),
        of('Bank', 'bankCode', 100),
        of('Branch', 'branch', 40),
        fixed('E-mail', 100),
      ],
    },
  },
  'A-short': {
    name: "Comma text, 11 fields (like HDFC's adapter, short form)",
    definition: {
      ...text,
      ...dayMonthSerial,
      fields: [
        of('Transaction type', 'route', 1, { routeCodes: shortRoutes }),
        fixed('Beneficiary code', 13),
        of('Account', 'accountNo', 25),
        of('Amount', 'amount', 20),
        of('Name', 'name', 22),
        of('Instruction reference', 'reference', 20),
        of('Customer reference', 'reference', 20),
        of('Date', 'valueDate', 10, { dateFormat: 'DD/MM/YYYY' }),
        of('IFSC', 'ifsc', 15),
        of('Bank', 'bankCode', 20),
        fixed('E-mail', 100),
      ],
    },
  },
  B: {
    name: 'Comma text, 7 fields (like a corporate upload with a reverse file)',
    definition: {
      ...text,
      ...dayMonthSerial,
      fields: [
        of('Customer reference', 'reference', 15),
        of('Name', 'name', 70),
        of('Account', 'accountNo', 30),
        of('IFSC', 'ifsc', 11),
        fixed('Account type', 2, '10'),
        of('Amount', 'amount', 15),
        of('Value date', 'valueDate', 8, { dateFormat: 'YYYYMMDD' }),
      ],
    },
  },
  C: {
    name: "Comma text with a first line (like Union Bank's NEFT/RTGS text)",
    definition: {
      ...text,
      fileName: '{client}{DD}{MM}{YYYY}{serial:3}',
      extension: 'txt',
      maxBytes: 2_000_000,
      header: [
        fixed('Record', 7, 'FILEHDR'),
        of('Corporate id', 'clientCode', 32),
        of('Serial', 'serial', 6),
        fixed('Encryption', 1, 'N'),
        fixed('Remarks', 500),
      ],
      fields: [
        of('Route', 'route', 4, { routeCodes: { NEFT: 'NEFT', RTGS: 'RTGS', IMPS: 'IMPS', internal: 'NEFT' } }),
        of('Payer IFSC', 'payerIfsc', 12),
        of('Debit account', 'payerAccount', 24),
        of('Beneficiary IFSC', 'ifsc', 12),
        of('Beneficiary account', 'accountNo', 24),
        fixed('Currency', 3, 'INR'),
        of('Amount', 'amount', 14),
        of('Remarks', 'paymentNumber', 140),
        of('Beneficiary name', 'name', 40),
        fixed('E-mail', 80),
        of('Remarks 2', 'reference', 20),
      ],
    },
  },
  D: {
    name: 'Spreadsheet with headings (.xlsx)',
    definition: {
      ...text,
      kind: 'spreadsheet',
      heading: true,
      fileName: '{client}{YYYY}{MM}{DD}-{serial:3}',
      extension: 'xlsx',
      fields: [
        of('Payment Type', 'route', 0, {
          routeCodes: { NEFT: 'NEFT', RTGS: 'RTGS', IMPS: 'IMPS', internal: 'Internal' },
        }),
        of('Beneficiary Name', 'name', 0),
        of('Account Number', 'accountNo', 0),
        of('IFSC', 'ifsc', 0),
        of('Amount', 'amount', 0),
        of('Remarks', 'paymentNumber', 0),
        of('Reference', 'reference', 0),
      ],
    },
  },
  E: {
    name: "Fixed width with a header record (like ICICI's bulk files)",
    definition: {
      ...text,
      kind: 'fixed width',
      separator: undefined,
      ...dayMonthSerial,
      extension: 'txt',
      fileName: '{client}{DD}{MM}{YYYY}{serial:3}',
      header: [
        fixed('Record', 1, 'H'),
        of('Client code', 'clientCode', 10),
        of('Debit account', 'payerAccount', 18),
        of('Date', 'fileDate', 8, { dateFormat: 'DDMMYYYY' }),
        of('Lines', 'lineCount', 6, { pad: 'left', padWith: '0' }),
        of('Total', 'totalAmount', 17, { pad: 'left', padWith: '0' }),
      ],
      fields: [
        fixed('Record', 1, 'D'),
        of('Route', 'route', 1, { routeCodes: shortRoutes }),
        of('Account', 'accountNo', 18),
        of('IFSC', 'ifsc', 11),
        of('Name', 'name', 40, { letterCase: 'upper' }),
        of('Amount', 'amount', 17, { pad: 'left', padWith: '0' }),
        of('Reference', 'reference', 20),
        of('Value date', 'valueDate', 8, { dateFormat: 'DDMMYYYY' }),
      ],
    },
  },
} as const satisfies Readonly<Record<string, NamedLayout>>;

export type ShippedKey = keyof typeof shippedLayouts;
export const shippedKeys = Object.keys(shippedLayouts) as ShippedKey[];
export const isShipped = (key: string): key is ShippedKey => key in shippedLayouts;
export const shippedLayout = (key: ShippedKey): NamedLayout => shippedLayouts[key];
