import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SheetResult } from '../../../src/shared/contract/challan-sheet.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { buildChallan, createOwner, createTag } from '../support/builders.ts';
import { killChildServers, killServer, sendTo, startChildServer, type ChildServer } from '../support/killed-server.ts';
import { assertLedger, assertTotals } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

const rounds = long(6);
const rowsOfSheet = 80;
const random = randomOf(testSeed('kill -9 during sheets'));

let api: Api;
let tenant: Tenant;
let refs: { ownerId: string; tagId: string };
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
});
afterAll(async () => {
  await killChildServers();
  await api.close();
});

interface Sheet {
  key: string;
  rows: object[];
}
const commit = (server: ChildServer, { key, rows }: Sheet) =>
  sendTo(server, { method: 'POST', path: '/challans/sheet', body: { mode: 'all', rows }, key, token: tenant.token });

it(
  `kill -9 in the middle of commits, ${rounds} rounds, then the same keys again: each sheet is there once and whole`,
  async () => {
    let unanswered = 0;
    let committed = 0;
    let next = startChildServer(api);
    for (let round = 0; round < rounds; round += 1) {
      const sheets = Array.from({ length: 4 }, (): Sheet => ({
        key: randomUUID(),
        rows: Array.from({ length: rowsOfSheet }, (_, index) => ({
          key: String(index),
          ...buildChallan(refs, { paymentStatus: index % 7 === 0 }),
        })),
      }));
      const server = await next;
      next = startChildServer(api);
      let isAnswered = (): void => undefined;
      const first = new Promise<void>((resolve) => (isAnswered = resolve));
      const sending = sheets.map(async (sheet) => {
        const outcome = await commit(server, sheet);
        isAnswered();
        return outcome;
      });
      // Before any answer, or when one is there and the others are still at work.
      if (random.chance(0.5)) await first;
      await wait(random.below(60));
      await killServer(server);
      const before = await Promise.all(sending);

      const again = await next;
      const after = await Promise.all(sheets.map((sheet) => commit(again, sheet)));
      for (const [index, outcome] of after.entries()) {
        if (before[index] === undefined) unanswered += 1;
        else expect(outcome).toEqual(before[index]);
        expect(outcome?.status).toBe(201);
        const { data } = JSON.parse(outcome?.text ?? '') as { data: SheetResult };
        expect([data.created.length, data.batch.lineCount]).toEqual([rowsOfSheet, rowsOfSheet]);
      }
      committed += sheets.length;
      const { body } = await api.call(contract.batches.list, { query: { limit: 100 } }, { token: tenant.token });
      expect(body.pagination.totalCount).toBe(committed);
    }
    const { body } = await api.call(contract.challans.list, {}, { token: tenant.token });
    expect(body.summary.totalCount).toBe(committed * rowsOfSheet);
    const { rows } = await api.inTenant(tenant, (db) =>
      db.query<{ challans: number; last: number }>(
        `SELECT count(DISTINCT challan_number)::int AS challans, max(right(challan_number, 6))::int AS last FROM challans
       WHERE subadmin_id = $1`,
        [tenant.id],
      ),
    );
    // Numbers of commits that were cut off are used by later ones.
    expect(rows).toEqual([{ challans: committed * rowsOfSheet, last: committed * rowsOfSheet }]);
    await api.inTenant(tenant, assertLedger);
    await api.inTenant(tenant, assertTotals);
    process.stdout.write(`kill -9: ${unanswered} of ${committed} commits were cut off\n`);
    expect(unanswered).toBeGreaterThan(rounds / 2);
  },
  longLimit(180_000),
);
