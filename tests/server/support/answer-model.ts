import { expect } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { BankLineAtBank, Proposal } from '../../../src/shared/contract/bank-answers.ts';
import type { BankDesk } from './bank-desk.ts';
import { buildAnswerRow } from './builders.ts';
import type { Random } from './random.ts';

/**
 * What should become of every line at the bank, told by what was accepted and undone alone: each line has a stack of
 * answers, and the topmost is its state. Random histories compare the business with it.
 */

type Outcome = 'executed' | 'failed' | 'returned';
interface Answer {
  act: string;
  number: string;
  outcome: Outcome;
  utr: string;
}
interface Act {
  id: string;
  number: string;
  answers: { line: BankLineAtBank; outcome: Outcome; utr: string }[];
}

const { bankAnswers } = contract;
const next: Readonly<Record<BankLineAtBank['state'], readonly Outcome[]>> = {
  'in-file': ['executed', 'failed', 'returned'],
  executed: ['returned'],
  failed: [],
  returned: [],
};
const day = '2026-04-21';

export function answerModel(desk: BankDesk) {
  const acts: Act[] = [];
  const stacks = new Map<string, Answer[]>();
  const stackOf = (line: { id: string }): Answer[] => stacks.get(line.id) ?? [];
  const standing = (act: Act): Act['answers'] =>
    act.answers.filter(({ line }) => stackOf(line).some((answer) => answer.act === act.id));
  let given = 0;

  async function allLines(): Promise<BankLineAtBank[]> {
    const query = { state: 'all', limit: 100 } as const;
    const { data, pagination } = (await desk.api.call(bankAnswers.listLines, { query }, desk.as())).body;
    expect(pagination.hasNext).toBe(false);
    return data;
  }

  /** Accepts answers to these lines as one act; some are executed and returned in it. */
  async function accept(random: Random, lines: readonly BankLineAtBank[], wish?: Outcome): Promise<string> {
    const answers = lines.flatMap((line): Act['answers'] => {
      const outcome = wish && next[line.state].includes(wish) ? wish : random.pick(next[line.state]);
      const isBoth = outcome === 'executed' && random.chance(0.2);
      return [outcome, ...(isBoth ? ['returned' as const] : [])].map((one) => {
        given += 1;
        return { line, outcome: one, utr: one === 'executed' ? `N${String(given).padStart(15, '0')}` : '' };
      });
    });
    const items = answers.map(({ line: { fileId, lineNo }, outcome, utr }) => ({ fileId, lineNo, outcome, utr, day }));
    const { status, text, body } = await desk.accept(random.shuffled(items));
    expect(status, text.slice(0, 300)).toBe(201);
    const { id, number } = body.data;
    acts.push({ id, number, answers });
    for (const { line, outcome, utr } of answers) {
      stacks.set(line.id, [...stackOf(line), { act: id, number, outcome, utr }]);
    }
    return `${lines.length === 1 ? 'one' : 'several'} answered`;
  }

  /** Undoes any act that the screen offers. What is on top is undone, what is not stays and is named. */
  async function undo(random: Random): Promise<string> {
    const { data } = (await desk.api.call(bankAnswers.list, { query: { limit: 100 } }, desk.as())).body;
    const offered = data.filter(({ lineCount, undoneCount }) => undoneCount < lineCount).map(({ id }) => id);
    const open = acts.filter((act) => standing(act).length > 0);
    expect(offered.toSorted()).toEqual(open.map(({ id }) => id).toSorted());
    if (open.length === 0) return 'no answer';
    const act = random.pick(open);
    const { status, text, body } = await desk.undo(act.id);
    expect(status, text.slice(0, 300)).toBe(200);
    const { undone, left, payments } = body.data;
    const before = standing(act);
    const undoneAnswers = before.filter(({ line }) => !left.some(({ reference }) => reference === line.reference));
    expect(undone).toBe(undoneAnswers.length);
    for (const { line } of before) {
      const top = stackOf(line).at(-1)!;
      const reason = left.find(({ reference }) => reference === line.reference)?.reason;
      if (top.act !== act.id) expect(reason).toBe(`It was answered again since. Undo ${top.number} first.`);
      else expect(reason ?? '').not.toContain('answered again');
    }
    const isPaidAgain = ({ outcome }: Act['answers'][number]): boolean => outcome !== 'executed';
    const paidAgain = undoneAnswers.filter(isPaidAgain).map(({ line }) => line);
    expect(sum(payments.map(({ amount }) => amount))).toBe(sum(paidAgain.map(({ amount }) => amount)));
    for (const { line } of undoneAnswers) {
      stacks.set(
        line.id,
        stackOf(line).filter((answer) => answer.act !== act.id),
      );
    }
    const counts = [...new Set(paidAgain.map(({ ownerId }) => ownerId))].map(
      (ownerId) => paidAgain.filter((line) => line.ownerId === ownerId).length,
    );
    expect(payments).toHaveLength(Math.max(0, ...counts));
    return `undone, ${payments.length} payments, ${left.length === 0 ? 'nothing' : 'some'} left`;
  }

  /** The file of an act comes again: with our references, or with accounts and amounts alone. */
  async function loadAgain(random: Random): Promise<string> {
    if (acts.length === 0) return 'no answer';
    const act = random.pick(acts);
    const hasReference = random.chance(0.5);
    const rows = act.answers.map(({ line, outcome, utr }, at) =>
      buildAnswerRow({
        row: at + 1,
        reference: hasReference ? line.reference : '',
        accountNo: line.accountNo,
        amount: line.amount,
        utr,
        day,
        state: outcome,
        reason: outcome === 'executed' ? '' : 'ACCOUNT CLOSED',
      }),
    );
    const { status, text, body } = await desk.api.call(bankAnswers.preview, { body: { rows } }, desk.as());
    expect(status, text.slice(0, 300)).toBe(200);
    const byRow = new Map(body.data.map((one) => [one.row, one]));
    const states = new Map((await allLines()).map((line) => [line.id, line.state]));
    const isWhole = standing(act).length === act.answers.length;
    for (const [at, { line, outcome, utr }] of act.answers.entries()) {
      const found: Proposal = byRow.get(at + 1)!;
      const candidates = found.candidates.map((one) => one.line.id);
      const same = stackOf(line).filter((answer) => answer.outcome === outcome && answer.utr === utr);
      if (same.length > 0 && (hasReference || utr !== '' || isWhole)) {
        expect([candidates, found.isSure]).toEqual([[], false]);
        // Without a reference it may be the answer to another line of the same owner, day and amount.
        expect(found.note).toMatch(/^Answered already: .+ \(Answer \d{4}-\d{6}\)$/);
        if (hasReference || utr !== '') expect(found.note).toContain(`${outcome} on 21/04/2026`);
        if (hasReference) expect(found.note).toContain(`(${same.at(-1)!.number})`);
      } else if (hasReference) {
        const isOpen = next[states.get(line.id) ?? 'failed'].includes(outcome);
        expect(candidates).toEqual(isOpen ? [line.id] : []);
        expect(found.note).toMatch(isOpen ? /^$/ : /^Answered already: /);
      }
    }
    return `loaded again ${hasReference ? 'with' : 'without'} references`;
  }

  /** Every line has the state and the bank's reference of its topmost answer. Returns the lines. */
  async function assertStates(): Promise<BankLineAtBank[]> {
    const lines = await allLines();
    for (const line of lines) {
      const top = stackOf(line).at(-1);
      // Without an answer of the bank: its payment was reversed, and the line failed with it.
      const bare = line.source === 'reversal' ? 'failed' : 'in-file';
      expect([line.reference, line.state, line.utr]).toEqual([line.reference, top?.outcome ?? bare, top?.utr ?? '']);
    }
    return lines;
  }

  return { accept, undo, loadAgain, assertStates, allLines };
}
