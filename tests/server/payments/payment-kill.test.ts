import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sum } from '../../../src/shared/calc/money.ts';
import type { PaymentResult } from '../../../src/shared/contract/bank-statement.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { killChildServers, killServer, sendTo, startChildServer, type ChildServer } from '../support/killed-server.ts';
import { assertLedger, assertTotals, idsOf, insertChallans } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

const rounds = long(20, 200);
const random = randomOf(testSeed('kill -9 during payments'));

let api: Api;
let tenant: Tenant;
let ownerIds: string[];
interface Call {
  method: 'POST' | 'PUT';
  path: string;
  body: unknown;
  key: string;
  challanIds: string[];
}

const send = (server: ChildServer, { method, path, body, key }: Call) =>
  sendTo(server, { method, path: `/challans/bank-report/${path}`, body, key, token: tenant.token });

const selected = (challanIds: string[]): Call => ({
  method: 'POST',
  path: 'bulk-payment',
  body: { challanIds },
  key: randomUUID(),
  challanIds,
});
const matching = (ownerId: string): Call => ({
  method: 'PUT',
  path: 'bulk-payment-status',
  body: { filters: { ownerId }, paymentStatus: true },
  key: randomUUID(),
  challanIds: [],
});

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  ownerIds = [];
  for (let n = 0; n < 2; n += 1) ownerIds.push((await createOwner(api, tenant)).id);
});
afterAll(async () => {
  await killChildServers();
  await api.close();
});

it(
  `kill -9 in the middle of bulk payments, ${rounds} rounds, then the same keys again: nothing lost, nothing twice`,
  async () => {
    let unanswered = 0;
    let answered = 0;
    let kills = 0;
    let next = startChildServer(api);
    for (let round = 0; round < rounds; round += 1) {
      const made = await api.inTenant(tenant, async (db) => {
        const parts = [];
        for (const ownerId of ownerIds) parts.push(...(await insertChallans(db, { ownerId }, 100)));
        return parts;
      });
      const ids = idsOf(made);
      const calls = [
        ...Array.from({ length: 7 }, () => selected(random.some(ids, 60))),
        ...ownerIds.map((ownerId) => matching(ownerId)),
      ];

      const server = await next;
      next = startChildServer(api);
      // After so many answers, and then at some moment of the work that is still going on.
      const killAfter = random.below(calls.length - 1);
      const pause = random.below(25);
      let count = 0;
      let enough = (): void => undefined;
      const reached = new Promise<void>((resolve) => {
        enough = resolve;
        if (killAfter === 0) resolve();
      });
      const sending = calls.map(async (call) => {
        const outcome = await send(server, call);
        count += 1;
        if (count === killAfter) enough();
        return outcome;
      });
      await reached;
      await wait(pause);
      await killServer(server);
      kills += 1;
      const before = await Promise.all(sending);

      const after = await Promise.all(calls.map(async (call) => send(await next, call)));
      const payments = new Map<string, PaymentResult>();
      for (const [index, outcome] of after.entries()) {
        const first = before[index];
        if (first === undefined) unanswered += 1;
        else answered += 1;
        // What was acknowledged is acknowledged again in the same bytes; a refusal left nothing and may be another now.
        if (first?.status === 200) expect(outcome).toEqual(first);
        if (outcome?.status !== 200) {
          expect(outcome?.text).toContain('NO_MATCHING_CHALLANS');
          continue;
        }
        const { data } = JSON.parse(outcome.text) as { data: PaymentResult };
        if (data.batchId !== null) payments.set(data.batchId, data);
      }

      await api.inTenant(tenant, async (db) => {
        const { rows } = await db.query<{ id: string; batch: string; paid: boolean; net: string }>(
          `SELECT c.id, c.payment_status AS paid, c.net_amount_payable AS net, p.batch_id AS batch
         FROM challans c LEFT JOIN payment_lines p ON p.subadmin_id = $1 AND p.challan_id = c.id
         WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[])`,
          [db.tenantId, ids],
        );
        // One line each: paid once, by a payment that was answered; every call's work is done.
        expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
        expect(rows.every(({ paid, batch }) => paid && payments.has(batch))).toBe(true);
        const paidNow = [...payments.values()];
        expect(sum(paidNow.map(({ totalAmount }) => totalAmount))).toBe(sum(rows.map(({ net }) => net)));
        expect(paidNow.flatMap(({ challanIds }) => challanIds ?? []).sort()).toEqual([...ids].sort());
        await assertLedger(db);
      });
    }
    await api.inTenant(tenant, assertTotals);
    process.stdout.write(
      `${kills} kills of the server in bulk payments: ${answered} calls were answered before, ${unanswered} were cut off\n`,
    );
    expect(kills).toBe(rounds);
    // Each round is killed while at least one call has no answer and the rounds differ; else this proved nothing.
    expect(unanswered).toBeGreaterThan(rounds / 2);
    expect(answered).toBeGreaterThan(rounds / 2);
  },
  longLimit(600_000),
);

const few = long(5, 50);

it(
  `kill -9 in the middle of checkboxes, ${few} rounds: what was acknowledged is paid, each by a payment of its own`,
  async () => {
    let answered = 0;
    let unanswered = 0;
    let kills = 0;
    let next = startChildServer(api);
    for (let round = 0; round < few; round += 1) {
      const ids = await api.inTenant(tenant, async (db) =>
        idsOf(await insertChallans(db, { ownerId: ownerIds[0]! }, 64)),
      );
      const server = await next;
      next = startChildServer(api);
      const left = [...ids];
      const acknowledged = new Set<string>();
      const killAfter = random.below(40);
      let enough = (): void => undefined;
      const reached = new Promise<void>((resolve) => (enough = resolve));
      const sending = Array.from({ length: 16 }, async () => {
        for (let id = left.pop(); id !== undefined; id = left.pop()) {
          if (acknowledged.size >= killAfter) enough();
          const outcome = await sendTo(server, {
            method: 'PUT',
            path: `/challans/${id}`,
            body: { paymentStatus: true },
            key: randomUUID(),
            token: tenant.token,
          });
          if (outcome?.status !== 200) return;
          acknowledged.add(id);
        }
      });
      await reached;
      await killServer(server);
      kills += 1;
      await Promise.all(sending);

      await api.inTenant(tenant, async (db) => {
        const { rows } = await db.query<{ id: string; lines: number }>(
          `SELECT c.id, b.updated_count AS lines FROM challans c
             JOIN payment_lines l ON l.subadmin_id = $1 AND l.challan_id = c.id
             JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
           WHERE c.subadmin_id = $1 AND c.id = ANY ($2::uuid[]) AND c.payment_status`,
          [db.tenantId, ids],
        );
        expect(rows.map(({ lines }) => lines)).toEqual(rows.map(() => 1));
        const paid = new Set(rows.map(({ id }) => id));
        expect(paid.size).toBe(rows.length);
        expect([...acknowledged].filter((id) => !paid.has(id))).toEqual([]);
        await assertLedger(db);
      });
      answered += acknowledged.size;
      unanswered += ids.length - acknowledged.size;
    }
    await killServer(await next);
    await api.inTenant(tenant, assertTotals);
    process.stdout.write(
      `${kills} kills of the server in checkboxes: ${answered} were acknowledged, ${unanswered} were not\n`,
    );
    expect(kills).toBe(few);
    expect(answered).toBeGreaterThan(0);
    expect(unanswered).toBeGreaterThan(0);
  },
  longLimit(300_000),
);
