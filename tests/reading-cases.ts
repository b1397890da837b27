import type { ValueKind } from '../src/shared/reading/values.ts';

/**
 * How texts from outside become values: for each kind of value its texts with what they mean. A text is taken, or taken with a
 * doubt that a person reads, or refused in a sentence. The reader itself and every way into the product are held against it.
 */
export const casesOn = '2026-11-27';

type Outcome = string | { value: string; doubt: RegExp } | RegExp;
export interface ReadingCase {
  kind: ValueKind;
  text: string;
  /** A text is the value, an expression the sentence that refuses it. */
  outcome: Outcome;
}

const of = (kind: ValueKind, cases: readonly (readonly [text: string, outcome: Outcome])[]): ReadingCase[] =>
  cases.map(([text, outcome]) => ({ kind, text, outcome }));

const taken = (value: string, ...texts: string[]) => texts.map((text) => [text, value] as const);
const refused = (sentence: RegExp, ...texts: string[]) => texts.map((text) => [text, sentence] as const);

const spreadsheetError = /is an error of the spreadsheet/;
const lostDigits = /has lost digits: format the column as text/;
const errorValues = ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!'];
/** What no field of text takes for a value. */
const noText = [
  ...taken('', '', '  ', 'NA', 'n/a', 'N.A.', 'NIL', 'nil', '-', '—', '0', 'Total', '\u200b', '\u00a0'),
  ...refused(spreadsheetError, ...errorValues),
  ...refused(/a column that is too narrow/, '########', '##'),
];
const noFigure = [...refused(spreadsheetError, ...errorValues), ...refused(/too narrow/, '####')];

const days = [
  ...taken('', '', '-', 'NA'),
  ...taken('2026-03-05', '05/03/2026', '5/3/26', '05-03-2026', '5.3.2026', '5 3 2026', '05–03–2026'),
  ...taken('2026-03-05', '05-Mar-26', '05-Mar-2026', '05 MAR 26', '5 March 2026', '5th March 2026', '05Mar2026'),
  ...taken('2026-03-05', 'Mar 5, 2026', 'Thu, 05 Mar 2026', '2026-03-05', '2026/3/5', '20260305', '05032026'),
  ...taken(
    '2026-03-05',
    '05-Mar-26 (06-Mar-26)',
    '05/03/2026 00:00',
    '05/03/2026 02:22 PM',
    '05-Mar-2026 14:22:01',
    '2026-03-05T10:11:12Z',
    '2026-03-04T18:30:00.000Z',
  ),
  ...taken(
    '2026-03-05',
    '46086',
    '46086.5',
    "'05/03/2026",
    '५/३/२०२६',
    '૦૫/૦૩/૨૦૨૬',
    '05/03/2026\u200e',
    '05\u00a003\u00a02026',
  ),
  ...taken('2026-09-30', '30-Sept-2026', '30 September 2026'),
  ...refused(/This date does not exist/, '31/02/2026', '3/13/2026'),
  ...refused(/between 2000 and 2099/, '05/03/1926', '5/3/47', '01/01/99'),
  ...refused(/Enter a date such as 05\/03\/2026/, 'soon', 't', '+1', '5', '12-Total-2026', '99999', '1.2.3.4'),
  ...noFigure,
];
const amounts = [
  ...taken('', ''),
  ...taken('0.00', '-', ' -   ', '0', '0.00'),
  ...taken('1000.00', '1000', '1,000', '1,000.00', '1 000', '₹1,000', '₹ 1,000.00', 'Rs. 1000', 'INR 1,000', '1,000/-'),
  ...taken(
    '1000.00',
    '1,000 Rs',
    '1000 INR',
    '1,000.00 ₹',
    "'1000",
    '="1000"',
    '१०००',
    '૧,૦૦૦.૦૦',
    '௧௦௦௦',
    '1\u00a0000',
  ),
  ...taken('1234567.50', '12,34,567.50', '1,234,567.5', '1234567.50'),
  ...refused(/Enter 0 or more/, '-1000', '\u22121000'),
  ...refused(/Write decimals after a point/, '12,50', '1,00,0'),
  ...refused(/Enter a number such as/, 'abc', '1500 2000', '1.2.3'),
  ...noFigure,
];

export const readingCases: readonly ReadingCase[] = [
  ...of('day', days),
  ...of('money', [...amounts, ['10.005', { value: '10.01', doubt: /10.005 is rounded to 10.01/ }]]),
  ...of('weight', [
    ...amounts,
    ...taken('25.34', '25.34 MT', '25.34MT', '25.34 T', '25.34 mts', '25.34 tonnes', '२५.३४ MT'),
    ...refused(/is not in MT: write it in MT/, '25340 Kg', '25,340 kgs.', '253.4 quintal'),
  ]),
  ...of('liters', [...amounts, ...taken('200.50', '200.50 L', '200.5 ltr', '200.50 Litres')]),
  ...of('percent', [...taken('1.0', '1', '1%', '1 %', '1.0'), ...taken('', ''), ...noFigure]),
  ...of('balance', [
    ...taken('', ''),
    ...taken('0.00', '-', 'NIL', '0'),
    ...taken('12345.00', '12,345', '12,345.00 Cr', 'Cr 12,345', '+12345', '12,345 CR.', '₹12,345.00'),
    ...taken(
      '-12345.00',
      '12,345.00 Dr',
      'Dr 12,345',
      'Dr. 12,345',
      '(12,345.00)',
      '-12,345',
      '12,345.00-',
      '₹ -12,345',
    ),
    ...refused(/two signs/, '-12,345.00 Dr', '(12,345.00) Dr', '-(12,345)', 'Dr 12,345-', '12,345 Dr Cr'),
    ...refused(/Enter a number such as/, 'abc'),
    ...noFigure,
  ]),
  ...of('text', [
    ...noText,
    ...taken('Iron Ore', 'Iron Ore', ' Iron Ore ', "'Iron Ore", 'Iron\u00a0Ore', 'Iron\u200c Ore\u200d'),
    // Joiners spell words in Indian scripts; elsewhere they are invisible marks.
    ...taken('ట్రాన్స్\u200cపోర్ట్ క్\u200cష', 'ట్రాన్స్\u200cపోర్ట్ క్\u200cష', '\u200eట్రాన్స్\u200cపోర్ట్ క్\u200cష'),
  ]),
  ...of('tp', [
    ...noText,
    ...taken('261100328356', '261100328356', '="261100328356"', "'261100328356"),
    ...taken('000328353', '="000328353"', '000328353'),
    ...taken('ANG/26-27/0328351', "'ANG/26-27/0328351", 'ANG/26–27/0328351'),
    ...taken('12E45', '12E45'),
    ['328350.0', { value: '328350', doubt: /the decimals were left out/ }],
    // A letter that looks like a digit among digits is asked about; before them, or among few, it may be meant.
    ['2611OO328356', { value: '2611OO328356', doubt: /is 261100328356 meant/ }],
    ['26l100328356', { value: '26l100328356', doubt: /is 261100328356 meant/ }],
    ...taken('O0328356', 'O0328356'),
    ...taken('KJR/26-27/O328', 'KJR/26-27/O328'),
    ...refused(lostDigits, '2.61100328356E+11', '2.6E+11', '2E+12', '26.1E+10', '2.6E11'),
    ...refused(/is a date: format the column as text/, '05/03/2026', '05-Mar-26', '2026-03-05'),
  ]),
  ...of('reference', [
    ...noText,
    ...taken('331262345678', '="331262345678"', '331262345678'),
    ...refused(lostDigits, '3.31262E+11'),
  ]),
  ...of('account', [
    ...noText,
    ...taken('50100123456789', '50100123456789', '5010 0123 4567 89', '5010-0123-4567-89', '५०१००१२३४५६७८९'),
    ...taken('0050100123456789', '="0050100123456789"', "'0050100123456789"),
    ...taken('50100123456', '50100123456\u200e'),
    ['50100123456789.0', { value: '50100123456789', doubt: /the decimals were left out/ }],
    ['5O1OO123456789', { value: '5O1OO123456789', doubt: /is 50100123456789 meant/ }],
    ['5O10S123456789', { value: '5O10S123456789', doubt: /is 50105123456789 meant/ }],
    ['12345', { value: '12345', doubt: /9 to 18 digits/ }],
    ...refused(lostDigits, '5.01001234567E13', '50.1E+12', '5.01E+13'),
    ...refused(/is masked/, 'XXXXXXXX6789', '****6789'),
  ]),
  ...of('ifsc', [
    ...noText,
    ...taken('HDFC0001234', 'HDFC0001234', 'hdfc0001234', ' HDFC 0001234 '),
    ['HDFCO001234', { value: 'HDFCO001234', doubt: /is HDFC0001234 meant/ }],
    ['HDFC1001234', { value: 'HDFC1001234', doubt: /is not 4 letters, a 0/ }],
    ...taken('HDFC01', 'HDFC01'),
  ]),
  ...of('pan', [
    ...noText,
    ...taken('BQRPZ2000K', 'BQRPZ2000K', 'bqrpz2000k', 'BQRPZ 2000 K'),
    ...refused(/is BQRPZ2000K meant/, 'BQRPZ2OOOK'),
  ]),
  ...of('phone', [
    ...noText,
    ...taken(
      '9437022221',
      '9437022221',
      '+91 94370 22221',
      '+919437022221',
      '09437022221',
      '94370-22221',
      '9437022221.0',
    ),
    ...taken('9437022221', '00919437022221', '(94370) 22221', '९४३७०२२२२१'),
    ['9437022221 / 9437022222', { value: '9437022221', doubt: /second number, 9437022222/ }],
    ['9437022221, 9437022222', { value: '9437022221', doubt: /second number, 9437022222/ }],
    ...refused(lostDigits, '9.43702E+9'),
  ]),
  ...of('vehicle', [
    ...noText,
    ...taken('OD09AB1234', 'od09ab1234', "'OD09AB1234"),
    ...taken('OD-09-ZZ-0015', 'OD–09–ZZ–0015', 'od-09-zz-0015'),
    // Letters where the form wants digits, and a 0 where it wants a letter.
    ['OR0SAB1234', { value: 'OR0SAB1234', doubt: /is OR05AB1234 meant/ }],
    ['ODO9AB1234', { value: 'ODO9AB1234', doubt: /is OD09AB1234 meant/ }],
    ['od-09-ab-I2E4', 'OD-09-AB-I2E4'],
    ['OD 09 AB I23O', { value: 'OD 09 AB I23O', doubt: /is OD09AB1230 meant/ }],
    ['OD09ABI234', { value: 'OD09ABI234', doubt: /is OD09AB1234 meant/ }],
    ['0D09AB1234', { value: '0D09AB1234', doubt: /is OD09AB1234 meant/ }],
    ...taken('DL1SAB1234', 'DL1SAB1234'),
    ...taken('OR 9 C 123', 'or 9 c 123'),
    ...taken('22BH1234AA', '22bh1234aa'),
    ...taken('JCB 3DX', 'JCB 3DX'),
  ]),
  ...of('vehicles', [
    ...noText,
    ...taken('OD09ZZ0026, OD09ZZ0027', 'OD09ZZ0026, OD09ZZ0027', 'OD09ZZ0026;OD09ZZ0027', 'OD09ZZ0026\nOD09ZZ0027'),
    ...taken('OD09ZZ0026, OD09ZZ0027', 'OD09ZZ0026 and OD09ZZ0027', 'OD09ZZ0026 & OD09ZZ0027', 'OD09ZZ0026/OD09ZZ0027'),
    ...taken('OD/09/ZZ/0014', 'OD/09/ZZ/0014'),
    ['OD09ZZ0026, ODO9ZZ0027', { value: 'OD09ZZ0026, ODO9ZZ0027', doubt: /“ODO9ZZ0027” .*is OD09ZZ0027 meant/ }],
    ['OD09ZZ0026, his brother', { value: 'OD09ZZ0026, HIS BROTHER', doubt: /“HIS BROTHER” is not the number/ }],
  ]),
];
