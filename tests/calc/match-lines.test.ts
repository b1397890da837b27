import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/shared/calc/dates.ts';
import { utrIn, utrKindOf } from '../../src/shared/bank-answers/bank-words.ts';
import { matchLines, type BankLine, type SentLine } from '../../src/shared/bank-answers/match-lines.ts';
import { testSeed } from './seed.ts';
import { randomOf, type Random } from '../server/support/random.ts';

const sent = (changes: Partial<SentLine> = {}): SentLine => ({
  id: 'a',
  amount: '12345.00',
  name: 'Ramesh Sahu',
  accountNo: '30211234567',
  reference: 'PAY2627000444-07',
  sentOn: '2026-04-06',
  state: 'in-file',
  utr: '',
  isBooked: false,
  ...changes,
});
const debit = (narration: string, changes: Partial<BankLine> = {}): BankLine => ({
  id: 'x',
  day: '2026-04-07',
  side: 'out',
  amount: '12345.00',
  narration,
  reference: '',
  ...changes,
});
const only = (line: BankLine, ...lines: SentLine[]) => matchLines([line], lines)[0];

describe('a line of the statement', () => {
  it('with the reference of a payment that failed or came back is never another payment of the same amount', () => {
    const other = sent({ id: 'b', reference: 'PAY2627000450-01' });
    for (const state of ['failed', 'returned'] as const) {
      const settled = sent({ state, utr: 'N097262012345678' });
      for (const narration of ['NEFT PAY2627000444-07 30211234567', 'NEFT 30211234567 RAMESH SAHU N097262012345678']) {
        expect(only(debit(narration), other)?.candidates).toMatchObject([{ line: 'b' }]);
        expect(only(debit(narration), settled, other)).toMatchObject({ isSure: false, candidates: [], answered: 'a' });
        expect(only(debit(narration, { amount: '1.00' }), settled)).toBeUndefined();
      }
      // Without its reference it is not found.
      expect(only(debit('NEFT 30211234567 RAMESH SAHU'), settled)).toBeUndefined();
    }
  });

  it('with the reference of a payment that was called off is offered to a person, if money left', () => {
    const calledOff = sent({ state: 'called-off' });
    const other = sent({ id: 'b', reference: 'PAY2627000450-01' });
    const narration = 'NEFT PAY2627000444-07 30211234567';
    expect(only(debit(narration), calledOff, other)).toMatchObject({
      kind: 'executed',
      isSure: false,
      candidates: [{ line: 'a', why: 'Our reference PAY2627000444-07, but its file was withdrawn' }],
    });
    expect(only(debit(narration, { side: 'in' }), calledOff)).toMatchObject({ candidates: [], answered: 'a' });
    expect(only(debit(narration, { amount: '1.00' }), calledOff)).toBeUndefined();
    expect(only(debit('NEFT 30211234567 RAMESH SAHU'), calledOff)).toBeUndefined();
  });

  it.each(['NEFT DR-SBIN0001234-RAMESH SAHU-PAY2627000444-07', 'NEFT/PAY262700044407/RAMESH', 'pay2627000444/07 neft'])(
    'is surely the line whose reference it has: %s',
    (narration) => {
      expect(only(debit(narration), sent(), sent({ id: 'b', reference: 'PAY2627000444-08' }))).toMatchObject({
        kind: 'executed',
        isSure: true,
        candidates: [{ line: 'a', way: 'reference' }],
      });
    },
  );

  it.each(['REVERSAL OF RETURN PAY2627000444-07', 'NEFT RETURN CHARGES 30211234567 RAMESH SAHU'])(
    'that goes out but speaks of a return is not sure: %s',
    (narration) => {
      expect(only(debit(narration), sent())).toMatchObject({ isSure: false, candidates: [{ line: 'a' }] });
    },
  );

  it('has the bank’s reference beside ours', () => {
    const match = only(debit('NEFT-PAY2627000444-07-SBIN526097123456', { reference: 'N097262012345678' }), sent());
    expect(match?.utr).toBe('N097262012345678');
    expect(utrIn('', 'RTGS-HDFCR52026040712345678-RAMESH', new Set())).toBe('HDFCR52026040712345678');
    expect(utrIn('', 'RTGS-HDFCR520260407123456-RAMESH 609712345678', new Set())).toBe('');
    expect(utrIn('', 'IMPS/P2A/609712345678/RAMESH', new Set())).toBe('609712345678');
    expect(utrKindOf('HDFCR52026040712345678')).toBe('RTGS');
    expect(utrKindOf('SBIN526097123456')).toBe('NEFT');
    expect(utrKindOf('609712345678')).toBe('IMPS');
  });

  it('with another amount, before its file, or of a line that is booked already is a choice', () => {
    const narration = 'PAY2627000444-07';
    expect(only(debit(narration, { amount: '12345.01' }), sent())).toMatchObject({
      isSure: false,
      candidates: [{ why: 'Our reference PAY2627000444-07, but another amount' }],
    });
    expect(only(debit(narration, { day: '2026-04-01' }), sent())?.isSure).toBe(false);
    const booked = sent({ state: 'executed', isBooked: true });
    expect(only(debit(narration), booked)).toMatchObject({ kind: 'known', isSure: false });
    expect(only(debit(narration), { ...booked, isBooked: false })).toMatchObject({ kind: 'known', isSure: true });
  });

  it('is known by the digits of the account where the amount is the only one', () => {
    const isSure = (narration: string, ...others: SentLine[]) => only(debit(narration), sent(), ...others)?.isSure;
    expect(isSure('NEFT XXXXX234567')).toBe(true);
    expect(isSure('NEFT 30211234567')).toBe(true);
    expect(isSure('NEFT XX4567 SAHU')).toBe(true);
    expect(isSure('NEFT XX4567')).toBe(false);
    expect(isSure('NEFT XXXXX234567', sent({ id: 'b', accountNo: '99999999999', reference: '' }))).toBe(false);
  });

  it('is a choice by name or by amount alone', () => {
    expect(only(debit('NEFT RAMESH'), sent())).toMatchObject({ isSure: false, candidates: [{ way: 'name' }] });
    expect(only(debit('BULK'), sent())).toMatchObject({ isSure: false, candidates: [{ way: 'amount' }] });
    expect(only(debit('NEFT RAMESH', { day: '2026-05-07' }), sent())).toBeUndefined();
  });

  it('is a return with the reference or the word for it, and nothing without', () => {
    const credit = (narration: string, state: SentLine['state'] = 'executed') =>
      only(debit(narration, { side: 'in', day: '2026-04-09' }), sent({ state, utr: 'N097262012345678' }));
    expect(credit('NEFT RETURN-PAY2627000444-07-ACCOUNT CLOSED')).toMatchObject({ kind: 'returned', isSure: true });
    expect(credit('N097262012345678 RTN')).toMatchObject({ kind: 'returned', isSure: true });
    expect(credit('REJ/XXXXX234567/NO SUCH ACCOUNT', 'in-file')).toMatchObject({ kind: 'returned', isSure: true });
    expect(credit('NEFT CR-RAMESH SAHU')).toBeUndefined();
  });

  it('never shares a line of ours: two that claim it are choices', () => {
    const matches = matchLines([debit('PAY2627000444-07'), debit('PAY2627000444-07', { id: 'y' })], [sent()]);
    expect(matches.map(({ isSure }) => isSure)).toEqual([false, false]);
  });
});

/** Payments of few amounts, so that there are twins everywhere, and how a bank may write them. */
function randomCase(random: Random): { lines: BankLine[]; sentLines: SentLine[]; truth: Map<string, string | null> } {
  const { below, chance, pick } = random;
  const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('');
  const names = ['Ramesh Sahu', 'Suresh Sahu', 'Ramesh Das', 'Mahesh Transport', 'Bikash Nayak', 'R K Sahu'];
  const amounts = ['10000.00', '10000.50', '25000.00'];
  const sentLines = Array.from({ length: 2 + below(5) }, (_, at): SentLine => {
    const isExecuted = chance(0.2);
    return {
      id: `s${at}`,
      amount: pick(amounts),
      name: pick(names),
      // Accounts of one branch begin alike; now and then two end alike.
      accountNo: `3021${digits(3)}${chance(0.2) ? '4567' : digits(4)}`,
      reference: `PAY26270004${pick(['44', '45'])}-${String(at + 1).padStart(2, '0')}`,
      sentOn: addDays('2026-04-06', below(3)),
      state: isExecuted ? 'executed' : 'in-file',
      utr: isExecuted && chance(0.7) ? `N${digits(15)}` : '',
      isBooked: false,
    };
  });
  const truth = new Map<string, string | null>();
  const lines: BankLine[] = [];
  const put = (of: SentLine | null, line: Omit<BankLine, 'id'>): void => {
    const id = `b${lines.length}`;
    lines.push({ id, ...line });
    truth.set(id, of?.id ?? null);
  };
  const textOf = ({ reference, name, accountNo, utr }: SentLine): { narration: string; reference: string } => {
    const words = pick([
      `NEFT DR-${name.toUpperCase()}-${reference}`,
      `NEFT ${reference.replace('-', '')}`,
      `TRF TO XX${accountNo.slice(-4)} ${name.toUpperCase()}`,
      `TRF TO XXXXX${accountNo.slice(-4)}`,
      `TRF XXXX${accountNo.slice(-6)}`,
      `NEFT DR-${name.toUpperCase()}`,
      `BULK DEBIT ${digits(6)}`,
      utr || name,
    ]);
    return { narration: words, reference: chance(0.3) && utr !== '' ? utr : digits(6) };
  };
  for (const one of sentLines) {
    const day = addDays(one.sentOn, below(4));
    if (chance(0.8)) put(one, { side: 'out', day, amount: one.amount, ...textOf(one) });
    if (chance(0.15)) {
      const { narration, reference } = textOf(one);
      put(one, { side: 'in', day: addDays(day, 2), amount: one.amount, narration: `RETURN ${narration}`, reference });
    }
  }
  // Others of the same amounts: to people of the same names, and money that comes in.
  for (let count = below(3); count > 0; count -= 1) {
    const stranger = sent({ name: pick(names), accountNo: `3021${digits(7)}`, reference: `OTHER${digits(6)}` });
    const day = addDays('2026-04-06', below(6));
    put(null, { side: pick(['out', 'in']), day, amount: pick(amounts), ...textOf(stranger) });
  }
  return { lines: random.shuffled(lines), sentLines, truth };
}

it('is never surely matched with the wrong payment: 10,000 random statements with twins', () => {
  const random = randomOf(testSeed('match-lines'));
  let sure = 0;
  let decided = 0;
  for (let round = 0; round < 10_000; round += 1) {
    const { lines, sentLines, truth } = randomCase(random);
    for (const match of matchLines(lines, sentLines)) {
      decided += 1;
      if (!match.isSure) continue;
      sure += 1;
      if (match.candidates[0]?.line !== truth.get(match.bankLine)) {
        expect({ match, lines, sentLines, truth: truth.get(match.bankLine) }).toBeUndefined();
      }
    }
  }
  // Many are decided, and many are left to a person.
  expect(sure / decided).toBeGreaterThan(0.2);
  expect(sure / decided).toBeLessThan(0.9);
});
