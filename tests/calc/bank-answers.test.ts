import { describe, expect, it } from 'vitest';
import { matchAnswers, type AnsweredLine } from '../../src/shared/bank-answers/answers.ts';

describe('an answer', () => {
  const lines: AnsweredLine[] = [
    { id: 'a', reference: 'PAY262744-01', accountNo: '30211234567', amount: '12345.00' },
    { id: 'b', reference: 'PAY262744-02', accountNo: '030217654321', amount: '500.50' },
    { id: 'c', reference: 'PAY262745-01', accountNo: '30211234567', amount: '12345.00' },
  ];
  const of = (reference: string, accountNo = '', amount = '') =>
    matchAnswers(
      [{ row: 1, reference, accountNo, amount, utr: 'U', day: '', state: 'executed', reason: '' }],
      lines,
    )[0];

  it('is surely of the line with its reference, amount and account', () => {
    expect(of('PAY26274401', '30211234567', '12345.00')).toMatchObject({ isSure: true, candidates: [{ line: 'a' }] });
    expect(of('PAY262744-01', '30211234567', '12345.01')).toMatchObject({
      isSure: false,
      candidates: [{ line: 'a', why: 'Our reference PAY262744-01, but another amount' }],
    });
    expect(of('PAY262744-01', '30219999999')?.isSure).toBe(false);
  });

  it('is of the only line of its account, and a choice where there are two', () => {
    expect(of('30217654321')).toMatchObject({ isSure: true, candidates: [{ line: 'b' }] });
    expect(of('', '30217654321', '500.50')?.isSure).toBe(true);
    expect(of('', '30217654321', '500.51')?.isSure).toBe(false);
    expect(of('30211234567')).toMatchObject({ isSure: false, candidates: [{ line: 'a' }, { line: 'c' }] });
    expect(of('UNKNOWN', '30217654321', '500.50')?.isSure).toBe(false);
    expect(of('UNKNOWN')?.candidates).toEqual([]);
  });

  it('that comes twice is a choice', () => {
    const answer = { row: 1, reference: 'PAY262744-01', accountNo: '', amount: '', utr: 'U', day: '', reason: '' };
    const twice = [
      { ...answer, state: 'executed' as const },
      { ...answer, row: 2, state: 'failed' as const },
    ];
    expect(matchAnswers(twice, lines).map(({ isSure }) => isSure)).toEqual([false, false]);
  });
});
