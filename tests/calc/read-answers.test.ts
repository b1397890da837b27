import { describe, expect, it } from 'vitest';
import type { AnswerState } from '../../src/shared/bank-answers/answers.ts';
import { answerMapping, readAnswers, stateOf, type WhatUserSaid } from '../../src/shared/bank-answers/read-answers.ts';

const reverse = [
  [
    'PAY262744-01',
    'RAMESH SAHU',
    '30211234567',
    'SBIN0001234',
    '10',
    '12345.00',
    '20260407',
    'SBIN526097123456',
    'E',
    '',
  ],
  ['PAY262744-02', 'SURESH DAS', '30217654321', 'SBIN0001234', '10', '500.50', '20260407', '', 'R', 'ACCOUNT CLOSED'],
];
const readSaid = (table: string[][], said: WhatUserSaid) =>
  readAnswers(table, answerMapping(table), said, '2026-11-27');
const read = (table: string[][], statuses: Record<string, AnswerState | null> = {}) => readSaid(table, { statuses });

describe('the bank’s answer', () => {
  it('is read from ten fields without headings', () => {
    expect(read(reverse)).toEqual({
      rows: [
        {
          row: 1,
          reference: 'PAY262744-01',
          accountNo: '30211234567',
          amount: '12345.00',
          utr: 'SBIN526097123456',
          day: '2026-04-07',
          state: 'executed',
          reason: '',
        },
        {
          row: 2,
          reference: 'PAY262744-02',
          accountNo: '30217654321',
          amount: '500.50',
          utr: '',
          day: '2026-04-07',
          state: 'failed',
          reason: 'ACCOUNT CLOSED',
        },
      ],
      bad: [],
      unknown: [],
    });
  });

  it('is read by its headings, in any order', () => {
    const table = [
      ['Status', 'UTR Number', 'Customer Ref No', 'Amount (INR)', 'Failure Reason'],
      ['Success', 'N097262012345678', 'PAY262744-01', '12,345.00', ''],
      ['Returned', 'N097262012345679', 'PAY262744-02', '500.50', 'NO SUCH ACCOUNT'],
    ];
    expect(read(table).rows.map(({ reference, state, utr }) => [reference, state, utr])).toEqual([
      ['PAY262744-01', 'executed', 'N097262012345678'],
      ['PAY262744-02', 'returned', 'N097262012345679'],
    ]);
  });

  it.each(['Remarks', 'Status Description', 'Error'])('has the reason in the column %s', (heading) => {
    const table = [
      ['Customer Reference', 'Amount', 'UTR', 'Status', heading],
      ['PAY262744-01', '500.50', '', 'Rejected', 'ACCOUNT CLOSED'],
    ];
    expect(read(table).rows[0]).toMatchObject({ reference: 'PAY262744-01', reason: 'ACCOUNT CLOSED' });
    const byAccount = [
      ['Account No', 'Amount', 'UTR', 'Status', heading],
      ['30217654321', '500.50', '', 'Rejected', 'ACCOUNT CLOSED'],
    ];
    expect(read(byAccount).rows[0]).toMatchObject({ reference: '', reason: 'ACCOUNT CLOSED' });
  });

  it('has the reason in whichever of these columns the bank filled', () => {
    const table = [
      ['Customer Reference', 'Amount', 'Status', 'Error', 'Status Description', 'Remarks'],
      ['PAY262744-01', '500.50', 'Rejected', '', 'Rejected', 'ACCOUNT CLOSED'],
      ['PAY262744-02', '500.50', 'Rejected', 'R03', '', 'R03'],
      ['PAY262744-03', '500.50', 'Rejected', '', '', ''],
    ];
    expect(read(table).rows.map(({ reason }) => reason)).toEqual(['Rejected; ACCOUNT CLOSED', 'R03', '']);
  });

  it('has our reference in the remarks where no other column has it', () => {
    const table = [
      ['Account No', 'Amount', 'UTR', 'Status', 'Remarks'],
      ['30217654321', '500.50', 'N097262012345678', 'Success', 'PAY2627000044-02'],
      ['30217654322', '500.50', 'N097262012345679', 'Success', '2627000044-03'],
    ];
    expect(read(table).rows.map(({ reference }) => reference)).toEqual(['PAY2627000044-02', '2627000044-03']);
  });

  it.each([
    ['two pasted columns', [['PAY262744-01', 'N097262012345678']]],
    [
      'a file',
      [
        ['Customer Reference', 'UTR'],
        ['PAY262744-01', 'N097262012345678'],
      ],
    ],
  ])('without statuses it is what the user says that all rows are, and nothing before: %s', (_what, table) => {
    expect(read(table)).toEqual({ rows: [], bad: [], unknown: [] });
    for (const allAre of ['executed', 'returned'] as const) {
      const [row] = readSaid(table, { allAre }).rows;
      expect(row).toMatchObject({ reference: 'PAY262744-01', utr: 'N097262012345678', state: allAre, amount: '' });
    }
  });

  it('is executed only by a status that says so', () => {
    const saying = ['E', 'Success', 'SUCCESS.', ' Executed ', 'Paid', '“Processed”'];
    expect(saying.map(stateOf)).toEqual(saying.map(() => 'executed'));
    const unclear = [
      '',
      'P',
      'Y',
      'S',
      'Pending',
      'Unpaid',
      'Not executed',
      'Success?Failed',
      'Accepted',
      'Returned Success',
    ];
    expect(unclear.map(stateOf)).toEqual(unclear.map(() => null));
  });

  it('is doubted where its day is still to come', () => {
    const dated = (day: string) => read([reverse[0]!.map((cell) => (cell === '20260407' ? day : cell))]).rows[0]?.doubt;
    expect([dated('20261127'), dated('20261128')]).toEqual([undefined, 'its day is still to come']);
  });

  it('leaves out rows of totals and repeated headings', () => {
    const headings = ['Customer Reference', 'Amount', 'UTR', 'Status'];
    const table = [headings, ['PAY1-01', '5.00', 'N097262012345678', 'Success'], headings, ['Total', '5.00', '', '']];
    expect(read(table)).toMatchObject({ rows: [{ row: 2 }], bad: [], unknown: [] });
  });

  it('names rows it cannot read, and statuses it does not know until it is said what they mean', () => {
    const table = [
      ['Reference', 'UTR', 'Status', 'Amount'],
      ['A-1', 'N097262012345678', 'Accepted by RBI', '1.00'],
      ['A-2', '', 'Success', '1.00'],
      ['A-3', 'N097262012345678', 'Success', '12,50'],
      ['', 'N097262012345678', 'Success', '1.00'],
    ];
    expect(read(table)).toMatchObject({
      rows: [],
      unknown: ['accepted by rbi'],
      bad: [
        { row: 2, reason: 'Status “Accepted by RBI” is not known.' },
        { row: 3, reason: 'It has no UTR.' },
        { row: 4, reason: '“12,50” is not an amount.' },
        { row: 5, reason: 'It has neither a reference nor an account.' },
      ],
    });
    expect(read(table, { 'accepted by rbi': 'executed' }).rows).toMatchObject([
      { reference: 'A-1', state: 'executed' },
    ]);
    expect(read(table, { 'accepted by rbi': null }).rows).toEqual([]);
  });
});
