import { describe, expect, it } from 'vitest';
import { readAccountStatement } from '../../src/shared/bank-answers/account-statement.ts';
import { matchAnswers } from '../../src/shared/bank-answers/answers.ts';
import { matchLines } from '../../src/shared/bank-answers/match-lines.ts';
import { answerMapping, readAnswers } from '../../src/shared/bank-answers/read-answers.ts';
import { isStatement, statementMapping } from '../../src/shared/bank-answers/statement-columns.ts';
import { long, longLimit } from '../long.ts';
import { headingRows, newPayments, newReverseFile, newStatement, type Paid } from './bank-corpus.ts';
import { testSeed } from './seed.ts';
import { randomOf } from '../server/support/random.ts';

const today = '2026-11-27';
const files = long(1_500, 20_000);

const sentLine = ({ id, amount, name, accountNo, reference, sentOn }: Paid) => ({
  id,
  amount,
  name,
  accountNo,
  reference,
  sentOn,
  state: 'in-file' as const,
  utr: '',
  isBooked: false,
});

describe('files of banks made by code', () => {
  it.each(headingRows)('the headings “%s” are those of a statement that can be read', (row) => {
    const headings = row.split(', ').map((cell) => cell.split('|')[0] ?? '');
    const mapping = statementMapping([headings]);
    expect(isStatement([headings], [mapping, answerMapping([headings])])).toBe(true);
    const read = readAccountStatement([headings, ['27/11/2026']], today);
    expect(read.problem).toBeNull();
  });

  it(
    `${files} statements: every line is read with its values or named, none is in the wrong column or on the wrong side`,
    () => {
      const seed = testSeed('bank-corpus statements');
      let wrong = 0;
      for (let at = 0; at < files; at += 1) {
        const random = randomOf(seed + at);
        const payments = newPayments(random, 1 + random.below(8));
        const { rows, lines, damaged } = newStatement(random, payments);
        const mapping = statementMapping(rows);
        expect(lines.length === 0 || isStatement(rows, [mapping, answerMapping(rows)])).toBe(true);
        const read = readAccountStatement(rows, today, mapping);
        if (read.problem !== null) throw new Error(`${seed + at}: ${read.problem}`);
        const key = ({ day, side, amount, narration }: (typeof read.lines)[number] | (typeof lines)[number]): string =>
          `${day} ${side} ${amount} ${narration}`;
        const known = new Set(lines.map(key));
        expect([seed + at, read.lines.filter((line) => !known.has(key(line)))]).toEqual([seed + at, []]);
        expect([seed + at, read.lines.length + read.bad.length]).toEqual([seed + at, lines.length]);
        expect([seed + at, read.bad.length]).toEqual([seed + at, damaged]);

        // Rows stand below the titles in the order of the lines.
        const first = mapping.firstRow + 1;
        const truth = new Map(payments.map((one) => [one.id, one.truth]));
        const found = matchLines(
          read.lines.map((line) => ({ ...line, id: String(line.row) })),
          payments.map(sentLine),
        );
        for (const { bankLine, kind, isSure, candidates } of found) {
          const line = lines[Number(bankLine) - first];
          if (kind === 'executed') expect(line?.side).toBe('out');
          const [best] = candidates;
          if (!isSure || !best) continue;
          const isRight = line?.of === best.line && ['executed', 'returned'].includes(truth.get(best.line) ?? '');
          if (!isRight) wrong += 1;
        }
      }
      expect(wrong).toBe(0);
    },
    longLimit(60_000, 600_000),
  );

  it(
    `${files} reverse files: nothing is surely executed that was not`,
    () => {
      const seed = testSeed('bank-corpus reverse files');
      let sure = 0;
      for (let at = 0; at < files; at += 1) {
        const random = randomOf(seed + at);
        const payments = newPayments(random, 1 + random.below(8));
        const { rows, hasStatus, truth } = newReverseFile(random, payments);
        const mapping = answerMapping(rows);
        expect(isStatement(rows, [statementMapping(rows), mapping])).toBe(false);
        const { rows: answers } = readAnswers(rows, mapping, {}, today);
        if (!hasStatus) expect(answers).toEqual([]);
        const lines = payments.map((one) => ({ ...sentLine(one), answers: [] }));
        for (const { row, isSure, candidates } of matchAnswers(answers, lines)) {
          if (!isSure || answers.find((one) => one.row === row)?.state !== 'executed') continue;
          sure += 1;
          const { of, executed } = truth[row - 2] ?? { of: '', executed: false };
          expect([seed + at, row, candidates[0]?.line, executed]).toEqual([seed + at, row, of, true]);
        }
      }
      expect(sure).toBeGreaterThan(files / 2);
    },
    longLimit(60_000, 600_000),
  );
});
