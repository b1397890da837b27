import { describe, expect, it } from 'vitest';
import { matchAnswers, type AnsweredLine } from '../../src/shared/bank-answers/answers.ts';

describe('an answer', () => {
  const open = { sentOn: '2026-04-20', state: 'in-file', answers: [] } as const;
  const lines: AnsweredLine[] = [
    { id: 'a', reference: 'PAY262744-01', accountNo: '30211234567', amount: '12345.00', ...open },
    { id: 'b', reference: 'PAY262744-02', accountNo: '030217654321', amount: '500.50', ...open },
    { id: 'c', reference: 'PAY262745-01', accountNo: '30211234567', amount: '12345.00', ...open },
  ];
  const of = (reference: string, accountNo = '', amount = '') =>
    matchAnswers(
      [{ row: 1, reference, accountNo, amount, utr: 'N097262012345678', day: '', state: 'executed', reason: '' }],
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

  it.each([
    ['has not the form of one', { utr: 'N1' }, /not the form/],
    ['has lost its last digit', { utr: 'N09726201234567' }, /not the form/],
    ['is its account', { utr: '302112345671', accountNo: '302112345671' }, /its reference or account/],
    ['came back by its reason', { reason: 'RETURNED: ACCOUNT CLOSED' }, /came back/],
    ['is dated before it was sent', { day: '2026-04-19' }, /, but before it was sent$/],
    ['was doubted when it was read', { doubt: 'its amount says 5.00 Cr' }, /says 5.00 Cr/],
  ])('is not sure when its UTR or its words contradict it: %s', (_what, over, why) => {
    const row = {
      row: 1,
      reference: 'PAY262744-01',
      accountNo: '',
      amount: '',
      utr: 'N097262012345678',
      day: '',
      reason: '',
    };
    const executed = { ...row, state: 'executed' as const };
    expect(matchAnswers([executed], lines)[0]?.isSure).toBe(true);
    const [match] = matchAnswers([{ ...executed, ...over }], lines);
    expect(match).toMatchObject({
      isSure: false,
      candidates: [{ line: 'a', why: expect.stringMatching(why) as string }],
    });
  });

  it('is not sure when another row has its UTR', () => {
    const row = { accountNo: '', amount: '', utr: 'N097262012345678', day: '', state: 'executed' as const, reason: '' };
    const both = ['01', '02'].map((no, at) => ({ ...row, row: at + 1, reference: `PAY262744-${no}` }));
    expect(matchAnswers(both, lines).map(({ isSure }) => isSure)).toEqual([false, false]);
    expect(matchAnswers(both.slice(0, 1), lines).map(({ isSure }) => isSure)).toEqual([true]);
  });

  it('is not sure when a payment that was executed has its UTR', () => {
    const row = { accountNo: '', amount: '', utr: 'N097262012345678', day: '', state: 'executed' as const, reason: '' };
    const given = { state: 'executed', utr: 'N0972620 12345678', day: '2026-04-21' } as const;
    const all = [
      ...lines,
      { ...lines[1]!, id: 'd', reference: 'PAY262701-09', state: 'executed', answers: [given] } as const,
    ];
    expect(matchAnswers([{ ...row, row: 1, reference: 'PAY262744-01' }], all)).toMatchObject([
      { isSure: false, candidates: [{ why: 'Our reference PAY262744-01, but PAY262701-09 has the same UTR' }] },
    ]);
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
    const answer = {
      row: 1,
      reference: 'PAY262744-01',
      accountNo: '',
      amount: '',
      utr: 'N097262012345678',
      day: '',
      reason: '',
    };
    const twice = [
      { ...answer, state: 'executed' as const },
      { ...answer, row: 2, state: 'failed' as const },
    ];
    expect(matchAnswers(twice, lines).map(({ isSure }) => isSure)).toEqual([false, false]);
  });

  describe('to a line that has one', () => {
    const [a, , c] = lines as [AnsweredLine, AnsweredLine, AnsweredLine];
    const executed = { state: 'executed', utr: 'N1', day: '2026-04-21' } as const;
    const failed = { state: 'failed', utr: '', day: '2026-04-21' } as const;
    const answered = (line: AnsweredLine, ...answers: AnsweredLine['answers']): AnsweredLine => ({
      ...line,
      state: answers.at(-1)?.state ?? 'failed',
      answers: answers.map((one) => ({ ...one })),
    });
    const row = {
      row: 1,
      reference: '',
      accountNo: '30211234567',
      amount: '12345.00',
      utr: 'N1',
      day: '2026-04-21',
      state: 'executed' as const,
      reason: '',
    };
    const failedRow = { ...row, utr: '', state: 'failed' as const };
    const found = (rows: Parameters<typeof matchAnswers>[0], ...its: AnsweredLine[]) =>
      matchAnswers(
        rows.map((one, at) => ({ ...one, row: at + 1 })),
        its,
      ).map((match) => match.answered ?? match.candidates.map(({ line }) => line));

    it('repeats it, and is never another payment of the same account and amount', () => {
      const isA = { line: 'a', answer: 0 };
      expect(found([{ ...row, reference: 'PAY262744-01' }], answered(a, executed), c)).toEqual([isA]);
      expect(found([{ ...row, reference: 'PAY262744-01', utr: 'N2' }], answered(a, executed), c)).toEqual([isA]);
      expect(found([row], answered(a, executed), c)).toEqual([isA]);
      expect(found([{ ...row, amount: '' }], answered(a, executed), c)).toEqual([isA]);
      expect(found([failedRow], answered(a, failed), c)).toEqual([isA]);
      // It came back since: the row is still the answer before that.
      const back = answered(a, executed, { state: 'returned', utr: 'N9', day: '2026-04-25' });
      expect(found([row], back, c)).toEqual([isA]);
      expect(found([{ ...row, state: 'returned', utr: 'N9' }], back, c)).toEqual([{ line: 'a', answer: 1 }]);
      expect(found([{ ...row, reference: 'PAY262744-01', state: 'failed', utr: '' }], back, c)).toEqual([
        { line: 'a', answer: 1 },
      ]);
    });

    it('says otherwise when it was paid and is said to have failed, came back and is said to be paid, or has another UTR', () => {
      const isOtherwise = (over: object, line: AnsweredLine) =>
        matchAnswers([{ ...row, reference: 'PAY262744-01', ...over }], [line])[0]?.isOtherwise;
      expect(isOtherwise({ state: 'failed', utr: '' }, answered(a, executed))).toBe(true);
      expect(isOtherwise({}, answered(a, failed))).toBe(true);
      expect(isOtherwise({ utr: 'N2' }, answered(a, executed))).toBe(true);
      expect(isOtherwise({}, answered(a, executed))).toBe(false);
      expect(isOtherwise({ state: 'failed', utr: '', day: '2026-05-02' }, answered(a, failed))).toBe(false);
      const back = answered(a, executed, { state: 'returned', utr: '', day: '2026-04-25' });
      expect([isOtherwise({}, back), isOtherwise({ utr: 'N2' }, back)]).toEqual([false, true]);
    });

    it('and was called off is offered to a person when the bank executed it, and only then', () => {
      const calledOff: AnsweredLine = { ...a!, state: 'called-off' };
      const ours = { ...row, reference: 'PAY262744-01', utr: 'N097262012345678' };
      expect(matchAnswers([ours], [calledOff, c!])[0]).toMatchObject({
        isSure: false,
        candidates: [{ line: 'a', why: 'Our reference PAY262744-01, but its file was withdrawn' }],
      });
      expect(found([{ ...failedRow, reference: ours.reference }], calledOff, c)).toEqual([{ line: 'a', answer: -1 }]);
      // Without its reference only where nothing at the bank fits.
      expect(found([row], calledOff, c)).toEqual([['c']]);
      expect(found([row], calledOff)).toEqual([['a']]);
    });

    it('and does not repeat it is about the payment that is open', () => {
      expect(found([{ ...row, utr: 'N2' }], answered(a, executed), c)).toEqual([['c']]);
      expect(found([{ ...failedRow, day: '2026-05-02' }], answered(a, failed), c)).toEqual([['c']]);
      // What was executed comes back, with the same UTR.
      expect(found([{ ...row, state: 'returned' }], answered(a, executed))).toEqual([['a']]);
    });

    it('without an open payment of that amount is the answered one, unless its UTR is another', () => {
      expect(found([{ ...failedRow, day: '2026-05-02' }], answered(a, failed))).toEqual([{ line: 'a', answer: 0 }]);
      expect(found([{ ...failedRow, day: '' }], answered(a))).toEqual([{ line: 'a', answer: -1 }]);
      expect(found([{ ...row, utr: 'N2' }], answered(a, executed))).toEqual([[]]);
    });

    it('twice in a file repeats two answers, and the third row is about the payment that is open', () => {
      const rows = [failedRow, failedRow, failedRow];
      expect(found(rows, answered(a, failed), answered({ ...c, id: 'd' }, failed), c)).toEqual([
        { line: 'a', answer: 0 },
        { line: 'd', answer: 0 },
        ['c'],
      ]);
    });
  });

  it('of a payment and of its return in one file are both sure', () => {
    const row = { reference: 'PAY262744-01', accountNo: '', amount: '', utr: 'N097262012345678', day: '', reason: '' };
    const both = [
      { ...row, row: 1, state: 'executed' as const },
      { ...row, row: 2, state: 'returned' as const },
    ];
    expect(matchAnswers(both, lines).map(({ isSure }) => isSure)).toEqual([true, true]);
  });
});
