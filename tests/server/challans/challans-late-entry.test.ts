import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { newestFirst } from '../../../src/shared/contract/challan-order.ts';
import { selectChallanPage } from '../../../src/server/features/challans/challans-list.queries.ts';
import { wholeChallans } from '../../../src/server/features/challans/challans-row.queries.ts';
import { startApi, type Api } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { insertChallans } from '../support/ledger.ts';
import { asSchemaOwner } from '../support/tables.ts';

/**
 * How many challans a page reads. The plan is made for a business of average size, so no small businesses are beside this one:
 * among many of them the planner sorts all of its challans.
 */
let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('a late entry', () => {
  it('of an old day does not make the list of its month read what was entered since', async () => {
    const tenant = await api.addTenant();
    const { id: ownerId } = await createOwner(api, tenant);
    const filter = { depositedStartDate: '2026-04-01', depositedEndDate: '2026-04-30' };
    await api.inTenant(tenant, async (db) => {
      await insertChallans(db, { ownerId }, 60, { depositedOn: '2026-04-12' });
      await insertChallans(db, { ownerId }, 20_000, { depositedOn: '2026-05-12' });
      await insertChallans(db, { ownerId }, 1, { depositedOn: '2026-04-13' });
    });
    await asSchemaOwner(api, (client) => client.query('ANALYZE challans'));
    const { rows, read } = await api.inTenant(tenant, async (db) => {
      const readSoFar = async () => {
        const { rows: counted } = await db.query<{ n: number }>(
          `SELECT (seq_tup_read + idx_tup_fetch)::int AS n FROM pg_stat_xact_user_tables WHERE relname = 'challans'`,
        );
        return counted[0]!.n;
      };
      const before = await readSoFar();
      // The statistics are of this transaction, so it stays open.
      const open = Object.assign(db, { finish: () => undefined });
      const query = { page: 1, limit: 50, order: newestFirst, shape: wholeChallans };
      const page = await selectChallanPage(open, filter, query);
      return { rows: page.challans, read: (await readSoFar()) - before };
    });
    expect(rows.map(({ depositedAt }) => depositedAt && dayOf(depositedAt))).toEqual([
      '2026-04-13',
      ...Array.from({ length: 49 }, () => '2026-04-12'),
    ]);
    expect(read).toBeLessThan(15_000);
  });
});
