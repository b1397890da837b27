import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { differencesOf } from '../../../src/server/features/system/books.service.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { PreparedAct, PreparedPayment, PreparedState } from '../../../src/shared/contract/prepared-payments.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { killChildServers, killServer, sendTo, startChildServer, type ChildServer } from '../support/killed-server.ts';
import { assertLedger, assertTotals, idsOf, insertChallans } from '../support/ledger.ts';
import { seatPerson, type TestPerson } from '../support/people.ts';
import { randomOf } from '../support/random.ts';

/** What one person prepares and another releases (docs/specification.md §28.6), while the app's process is killed. */

const rounds = long(12);
const random = randomOf(testSeed('kill -9 during releases'));
/** The acts of a round: challans of one act are in no other. */
const acts = { release: 5, undo: 2, 'send-back': 2, withdraw: 1, prepare: 3 };
const challansOfAct = 12;

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  await killChildServers();
  await api.close();
});

interface Step {
  kind: keyof typeof acts;
  challanIds: string[];
  /** How it is sent, the same each time. */
  call: { method: 'POST'; path: string; body?: unknown; key: string; token: string };
  /** When the call is done. */
  state: PreparedState;
}

interface Stage {
  business: Tenant;
  second: TestPerson;
  /** The challans that are paid unless what undoes it is released. */
  paid: Set<string>;
  steps: Step[];
}

async function prepared(business: Tenant, body: PreparedAct): Promise<string> {
  const answer = await api.call(contract.preparedPayments.prepare, { body }, { token: business.token });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
}

/** A business of its own: what is asked again is asked 10 minutes after the sign-in. */
async function openStage(): Promise<Stage> {
  const business = await api.addTenant();
  const second = await seatPerson(api, business, 'owner');
  const ownerIds = [(await createOwner(api, business)).id, (await createOwner(api, business)).id];
  const paid = new Set<string>();
  const steps: Step[] = [];
  for (const kind of Object.keys(acts) as Step['kind'][]) {
    for (let n = 0; n < acts[kind]; n += 1) {
      const made = await api.inTenant(business, (db) =>
        insertChallans(db, { ownerId: random.pick(ownerIds) }, challansOfAct),
      );
      const challanIds = idsOf(made);
      const pay = { challanIds } as PreparedAct['pay'];
      const step = (path: string, token: string, state: PreparedState, body?: unknown): void => {
        steps.push({ kind, challanIds, state, call: { method: 'POST', path, key: randomUUID(), token, body } });
      };
      const { token } = business;
      if (kind === 'prepare') {
        step('/prepared-payments', token, 'prepared', { pay });
      } else if (kind === 'undo') {
        const { batchId } = (await api.call(contract.bankStatement.markPaid, { body: { challanIds } }, { token })).body
          .data;
        for (const id of challanIds) paid.add(id);
        const id = await prepared(business, { reverse: { id: batchId!, reason: 'Sent back' } } as PreparedAct);
        step(`/prepared-payments/${id}/release`, second.token, 'released');
      } else {
        const id = await prepared(business, { pay });
        if (kind === 'release') step(`/prepared-payments/${id}/release`, second.token, 'released');
        else if (kind === 'withdraw') step(`/prepared-payments/${id}/withdraw`, token, 'withdrawn');
        else step(`/prepared-payments/${id}/send-back`, second.token, 'sent-back', { reason: 'Which owner?' });
      }
    }
  }
  const body = { aboveOne: '1000', aboveDay: null, accountantUpTo: null };
  expect((await api.call(contract.preparedPayments.setRule, { body }, { token: business.token })).status).toBe(200);
  return { business, second, paid, steps: random.shuffled(steps) };
}

interface StoredAct {
  id: string;
  state: PreparedState;
  batchId: string | null;
  act: { pay?: { challanIds: string[] }; reverse?: { id: string } };
}

/** All of it in one statement: the database may be about to commit what the killed server sent last. */
async function readStored({ business }: Stage) {
  const { rows } = await api.inTenant(business, (db) =>
    db.query<{ acts: StoredAct[]; paid: string[]; lines: Record<string, string[]> }>(
      `SELECT
         (SELECT json_agg(json_build_object('id', id, 'state', state, 'batchId', batch_id, 'act', act))
          FROM prepared_payments WHERE subadmin_id = $1) AS acts,
         (SELECT coalesce(json_agg(id), '[]') FROM challans WHERE subadmin_id = $1 AND payment_status) AS paid,
         (SELECT json_object_agg(batch_id, ids) FROM (
            SELECT batch_id, json_agg(challan_id) AS ids FROM payment_lines WHERE subadmin_id = $1 GROUP BY 1) AS l) AS lines`,
      [db.tenantId],
    ),
  );
  return rows[0]!;
}

/** Nothing is paid or taken back without a release, nothing is released in part. Returns each act by its challans. */
async function expectWhole(stage: Stage): Promise<Map<string, StoredAct>> {
  const { acts: stored, paid, lines } = await readStored(stage);
  const isPaid = new Set(paid);
  const expected = new Set(stage.paid);
  const byChallan = new Map<string, StoredAct>();
  for (const one of stored) {
    const ids = one.act.pay?.challanIds ?? lines[one.act.reverse!.id]!;
    expect(byChallan.has(ids[0]!), 'prepared twice').toBe(false);
    byChallan.set(ids[0]!, one);
    expect(new Set(ids.map((id) => isPaid.has(id))).size, `${one.state} is whole`).toBe(1);
    expect(one.batchId !== null).toBe(one.state === 'released' && one.act.pay !== undefined);
    if (one.batchId !== null) expect(lines[one.batchId]!.toSorted()).toEqual(ids.toSorted());
    if (one.state !== 'released') continue;
    for (const id of ids)
      if (one.act.pay) expected.add(id);
      else expected.delete(id);
  }
  expect([...isPaid].toSorted()).toEqual([...expected].toSorted());
  return byChallan;
}

/** The act of a step; undefined: it has not been prepared. */
const actOf = (found: Map<string, StoredAct>, { challanIds }: Step): StoredAct | undefined =>
  challanIds.map((id) => found.get(id)).find((one) => one !== undefined);

it(
  `kill -9 in the middle of preparing and releasing, ${rounds} rounds: nothing paid that was not released, nothing stuck`,
  async () => {
    const count = { answered: 0, unanswered: 0, unansweredDone: 0, released: 0 };
    let next: Promise<ChildServer> = startChildServer(api);
    for (let round = 0; round < rounds; round += 1) {
      const stage = await openStage();
      const server = await next;
      next = startChildServer(api);
      // After so many answers, and then at some moment of the work that is still going on.
      const killAfter = random.below(stage.steps.length - 2);
      const pause = random.below(30);
      let answers = 0;
      let enough = (): void => undefined;
      const reached = new Promise<void>((resolve) => {
        enough = resolve;
        if (killAfter === 0) resolve();
      });
      const sending = stage.steps.map(async ({ call }) => {
        const outcome = await sendTo(server, call);
        answers += 1;
        if (answers === killAfter) enough();
        return outcome;
      });
      await reached;
      await wait(pause);
      await killServer(server);
      const before = await Promise.all(sending);

      const found = await expectWhole(stage);
      for (const [index, step] of stage.steps.entries()) {
        const outcome = before[index];
        const state = actOf(found, step)?.state;
        if (outcome) {
          count.answered += 1;
          expect(outcome.status, outcome.text).toBeLessThan(300);
          expect(state).toBe(step.state);
        } else {
          count.unanswered += 1;
          // Done or not done, and nothing between.
          expect([step.state, step.kind === 'prepare' ? undefined : 'prepared']).toContain(state);
          if (state === step.state) count.unansweredDone += 1;
        }
      }

      // Nothing is stuck: the same calls again do what is left, and nothing twice.
      const other = await next;
      const after = await Promise.all(stage.steps.map(({ call }) => sendTo(other, call)));
      for (const [index, step] of stage.steps.entries()) {
        const [first, again] = [before[index], after[index]];
        if (again?.status === 409) {
          expect(again.text).toContain('ALREADY_DECIDED');
          expect(['send-back', 'withdraw']).toContain(step.kind);
        } else if (first && (step.kind === 'release' || step.kind === 'prepare')) expect(again).toEqual(first);
        else expect(again?.status, again?.text).toBeLessThan(300);
      }
      const later = await expectWhole(stage);
      expect(stage.steps.map((step) => actOf(later, step)?.state)).toEqual(stage.steps.map(({ state }) => state));

      // What was prepared under the kill can be released too.
      for (const step of stage.steps.filter(({ kind }) => kind === 'prepare')) {
        const path = `/prepared-payments/${actOf(later, step)!.id}/release`;
        const token = stage.second.token;
        const done = await sendTo(other, { method: 'POST', path, key: randomUUID(), token });
        expect(done?.status, done?.text).toBe(200);
        const { data } = JSON.parse(done!.text) as { data: PreparedPayment };
        expect(data).toMatchObject({ state: 'released', challanCount: challansOfAct });
      }
      const last = await expectWhole(stage);
      count.released += [...last.values()].filter(({ state }) => state === 'released').length;
      await api.inTenant(stage.business, async (db) => {
        await assertLedger(db);
        await assertTotals(db);
        expect(await differencesOf(db)).toEqual([]);
      });
    }
    await killServer(await next);
    process.stdout.write(
      `${rounds} kills of the server while payments were prepared and released: ${count.answered} calls were answered before, ` +
        `${count.unanswered} were cut off, ${count.unansweredDone} of these were done; ${count.released} acts released in the end\n`,
    );
    // Each round is killed while calls have no answer; else this proved nothing.
    expect(count.unanswered).toBeGreaterThanOrEqual(rounds);
    expect(count.answered).toBeGreaterThan(rounds / 2);
  },
  longLimit(120_000),
);
