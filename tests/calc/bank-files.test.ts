import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { asciiText } from '../../src/shared/bank/ascii.ts';
import { layoutDefinition, type LayoutDefinition } from '../../src/shared/bank/layout.ts';
import {
  fileProblem,
  lineProblem,
  lineReference,
  routeProblem,
  usualRoute,
  type SendableLine,
} from '../../src/shared/bank/lines.ts';
import { shippedKeys, shippedLayout, shippedLayouts } from '../../src/shared/bank/shipped-layouts.ts';
import { sentName, writeBankFile, type FileFacts, type LineFacts } from '../../src/shared/bank/write-file.ts';
import { sum } from '../../src/shared/calc/money.ts';

const facts: FileFacts = {
  clientCode: 'KOEL',
  payerName: 'Koel Transport',
  payerAccount: '50109876543210',
  payerIfsc: 'HDFC0001234',
  serial: 7,
  fileOn: '2026-11-21',
  valueOn: '2026-11-20',
};

const owners: Omit<LineFacts, 'reference' | 'paymentNumber'>[] = [
  {
    route: 'NEFT',
    name: 'M/s. Mohanta & Sons (Barbil)',
    accountNo: '00123456789',
    ifsc: 'SBIN0001234',
    branch: 'Barbil, Main Road',
    amount: '19551.00',
  },
  {
    route: 'RTGS',
    name: 'रमेश कुमार',
    accountNo: '123456789012345678',
    ifsc: 'UTIB0000077',
    branch: 'Joda',
    amount: '250000.50',
  },
  {
    route: 'internal',
    name: 'Café, José',
    accountNo: '50100012345678',
    ifsc: 'HDFC0000999',
    branch: 'Keonjhar',
    amount: '0.05',
  },
];
const linesFor = (layout: LayoutDefinition): LineFacts[] =>
  owners.map((owner, index) => ({
    ...owner,
    paymentNumber: 'PAY-2627-000444',
    reference: lineReference('PAY-2627-000444', index + 1, layout),
  }));

/** Files written by hand from the banks' published descriptions; the name is layout-file. */
const folder = path.join(import.meta.dirname, '../bank-files');

describe('a shipped layout', () => {
  it('has a file written by hand', () => {
    const named = readdirSync(folder).map((name) => shippedKeys.filter((key) => name.startsWith(`${key}-`)).at(-1));
    expect(named.toSorted()).toEqual(shippedKeys.toSorted());
  });

  it.each(readdirSync(folder))('gives %s byte for byte', (name) => {
    const key = shippedKeys.filter((one) => name.startsWith(`${one}-`)).at(-1);
    const { definition } = shippedLayouts[key ?? 'A'];
    const written = writeBankFile(definition, facts, linesFor(definition));
    expect(written.problems).toEqual([]);
    expect(written.text).toBe(readFileSync(path.join(folder, name), 'latin1'));
    expect(`${key}-${written.name}`.replace(/\.xlsx$/, '.tsv')).toBe(name);
  });

  it.each(shippedKeys)('%s is valid, and the same after JSON', (key) => {
    const { definition } = shippedLayout(key);
    const back = layoutDefinition.parse(JSON.parse(JSON.stringify(definition)));
    expect(writeBankFile(back, facts, linesFor(back)).text).toBe(
      writeBankFile(definition, facts, linesFor(definition)).text,
    );
  });

  it('is never called by a bank as if certified', () => {
    for (const { name } of Object.values(shippedLayouts)) {
      if (/HDFC|Union|ICICI|upload/.test(name)) expect(name).toContain('(like ');
    }
  });
});

describe('text for the bank', () => {
  it.each([
    ['M/s. Rao & Sons', '-./()', 'M/s. Rao and Sons'],
    ['A,B;C|D', '-./()', 'A B C D'],
    ["O'Brien’s", '-', 'OBriens'],
    ['Café Ærø', '', 'Cafe AEro'],
    ['₹ 5 – six', '-', 'Rs 5 - six'],
    ['रमेश कुमार', '', 'Ramesh Kumar'],
    ['चन्द्र प्रकाश', '', 'Chandra Prakash'],
    ['ମୋହନ ଦାସ', '', 'Mohan Das'],
    ['१२ ୩୪', '', '12 34'],
    ['日本', '', ''],
  ])('%s with the signs %s is %s', (original, signs, written) => {
    expect(asciiText(original, signs)).toBe(written);
  });

  it('is nothing but accepted characters, whatever the name', () => {
    for (let code = 0; code < 0x3000; code += 1) {
      expect(asciiText(`a${String.fromCodePoint(code)}b`, '-./')).toMatch(/^[A-Za-z0-9 \-./]*$/);
    }
  });

  it('of a name is cut to the length of the layout', () => {
    expect(sentName(shippedLayout('A-short').definition, owners[0]?.name ?? '')).toBe('M/s. Mohanta and Sons');
    expect(sentName(shippedLayout('E').definition, 'Rao')).toBe('RAO');
  });
});

const account = { ifsc: 'HDFC0001234', fileLimit: '0.00', rtgsFloor: '200000.00', impsCeiling: '500000.00' };
const line: SendableLine = {
  amount: '100.00',
  name: 'Rao',
  accountNo: '123456789',
  ifsc: 'SBIN0001234',
  hold: null,
  sent: null,
  failedTransfer: null,
  isImported: false,
};

describe('a line', () => {
  it.each<[string, Partial<SendableLine>, string | undefined]>([
    ['is sent', {}, undefined],
    ['of 0', { amount: '0.00' }, 'The amount is ₹0.00; only an amount above 0 can be transferred.'],
    ['below 0', { amount: '-5.00' }, 'The amount is -₹5.00; only an amount above 0 can be transferred.'],
    ['without an account', { accountNo: '' }, 'The account number is missing.'],
    ['with 8 digits', { accountNo: '12345678' }, 'The account number must have 9 to 18 digits.'],
    ['with 19 digits', { accountNo: '1234567890123456789' }, 'The account number must have 9 to 18 digits.'],
    ['with letters', { accountNo: '12345678A' }, 'The account number must have 9 to 18 digits.'],
    ['with 18 digits', { accountNo: '123456789012345678' }, undefined],
    ['without an IFSC', { ifsc: '' }, 'The IFSC is missing.'],
    ['without the 0', { ifsc: 'SBIN1001234' }, 'The IFSC must be 4 letters, a 0, and 6 letters or digits.'],
    ['on hold', { hold: 'Court order' }, 'The owner is on hold: Court order.'],
    ['in a file', { sent: { fileNumber: 'BF-2627-000001', state: 'in-file' } }, 'Already in bank file BF-2627-000001.'],
    [
      'that was executed',
      { sent: { fileNumber: 'BF-1', state: 'executed' } },
      'Already executed by the bank from bank file BF-1.',
    ],
    ['that failed', { sent: { fileNumber: 'BF-1', state: 'failed' } }, undefined],
    ['that was returned', { sent: { fileNumber: 'BF-1', state: 'returned' } }, undefined],
  ])('%s', (_, over, problem) => {
    expect(lineProblem({ ...line, ...over })).toBe(problem);
  });

  it.each([
    ['HDFC0000001', '900000.00', 'internal'],
    ['SBIN0000001', '200000.00', 'RTGS'],
    ['SBIN0000001', '199999.99', 'NEFT'],
  ])('to %s of %s goes by %s', (ifsc, amount, route) => {
    expect(usualRoute({ ifsc, amount }, account)).toBe(route);
  });

  it.each([
    ['RTGS', '199999.99', 'RTGS starts at ₹2,00,000.00.'],
    ['RTGS', '200000.00', undefined],
    ['IMPS', '500000.01', 'IMPS ends at ₹5,00,000.00.'],
    ['IMPS', '500000.00', undefined],
    ['NEFT', '900000.00', undefined],
    ['internal', '5.00', 'An internal transfer stays in the bank HDFC.'],
  ] as const)('by %s of %s: %s', (route, amount, problem) => {
    expect(routeProblem(route, { amount, ifsc: 'SBIN0001234' }, account)).toBe(problem);
  });
});

describe('a file', () => {
  const { definition } = shippedLayout('B');

  it('is limited in sum and in bytes', () => {
    const one = [{ reference: '2627000444-01' }];
    expect(fileProblem(one, '100.00', { ...account, fileLimit: '100.00' }, definition)).toBeUndefined();
    expect(fileProblem(one, '100.01', { ...account, fileLimit: '100.00' }, definition)).toMatch(/limited to ₹100.00/);
    expect(fileProblem([], '0.00', account, definition)).toBe('No line can be sent.');
    const small = { ...definition, maxBytes: 10 };
    expect(writeBankFile(small, facts, linesFor(small)).problems).toEqual([
      expect.stringMatching(/^The file has \d+ bytes; the bank takes 10\.$/),
    ]);
  });

  it('has references that differ, also where the layout is short of room', () => {
    const numbers = ['PAY-2627-000444', 'PAY-2627-000445', 'PAY-2728-000444', 'PAY-2627-1000444'];
    const references = numbers.flatMap((number) =>
      [1, 7, 10, 99, 100, 1000].map((nth) => lineReference(number, nth, definition)),
    );
    expect(new Set(references).size).toBe(references.length);
    expect(references.slice(0, 6).every((reference) => reference.length <= 15)).toBe(true);
    expect(fileProblem([{ reference: 'x'.repeat(16) }], '1.00', account, definition)).toMatch(/too short/);
  });

  it('never cuts an amount, an account or a reference', () => {
    const tight: LayoutDefinition = {
      ...definition,
      fields: definition.fields.map((field) => ({ ...field, length: field.source === 'text' ? 2 : 4 })),
    };
    const { problems } = writeBankFile(tight, facts, linesFor(tight).slice(0, 1));
    expect(problems.map((problem) => problem.split(' has ')[0])).toEqual([
      'Line 1: Customer reference',
      'Line 1: Account',
      'Line 1: IFSC',
      'Line 1: Amount',
      'Line 1: Value date',
    ]);
  });

  it('says the sum and the count of its lines in its header', () => {
    const { definition: layout } = shippedLayout('E');
    const lines = linesFor(layout);
    const [header] = writeBankFile(layout, facts, lines).records;
    expect(header?.slice(-2)).toEqual(['000003', sum(lines.map(({ amount }) => amount)).padStart(17, '0')]);
  });
});

describe('a layout that cannot be used', () => {
  const { definition } = shippedLayout('B');
  it.each<[string, Partial<LayoutDefinition>, string]>([
    [
      'without an amount',
      { fields: definition.fields.filter(({ source }) => source !== 'amount') },
      'A line needs the field "Amount"',
    ],
    [
      'with a line in its header',
      { header: [{ label: 'x', source: 'amount', length: 5 }] },
      'Amount is of a line, not of the file',
    ],
    ['with its separator among the signs', { signs: ',-' }, 'The separator cannot be among the accepted signs'],
    [
      'of fixed width without a length',
      { kind: 'fixed width', fields: definition.fields.map((field) => ({ ...field, length: 0 })) },
      'A field of a fixed width needs its length',
    ],
    [
      'with the separator in a fixed text',
      { trailer: [{ label: 'x', source: 'text', text: 'a,b', length: 5 }] },
      'The text cannot contain the separator',
    ],
  ])('%s is refused', (_, over, message) => {
    const checked = layoutDefinition.safeParse({ ...definition, ...over });
    expect(checked.error?.issues.map((issue) => issue.message)).toContain(message);
  });
});
