import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { challanFilters, type ChallanFilter } from '../../../src/shared/filters/challan-filters.ts';
import { filterNames, type FilterKind } from '../../../src/shared/filters/define.ts';
import { challansOf, filteredColumns } from '../../../src/server/features/challans/challans-filter.queries.ts';
import { challanJoins, challanRow } from '../../../src/server/features/challans/challans-row.queries.ts';
import { byPaidDay, rollUpOf, totalParts } from '../../../src/server/features/challans/challans-totals.queries.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { unknownId } from '../support/expect.ts';
import { insertChallans } from '../support/ledger.ts';
import { asSchemaOwner } from '../support/tables.ts';
import { Parameters, preparedName } from '../../../src/server/sql/statements.ts';

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const names = filterNames(challanFilters);

/** Values of each kind that make different texts. */
const valuesOf: { readonly [Kind in FilterKind]: readonly (string | boolean)[] } = {
  contains: ['KJR', 'x'],
  exact: ['Joda', 'none'],
  choice: [true, false],
  oneOf: [],
  id: [unknownId],
  idOrNone: [unknownId, 'none'],
  dayFrom: ['2026-04-01'],
  dayTo: ['2026-04-30'],
  dayOrNone: ['2026-04-15', 'none'],
  amountFrom: ['-10.50'],
  amountTo: ['1000'],
};

/** No filter, each with each of its values, and each two of them. */
function singlesAndPairs(): ChallanFilter[] {
  const singles = names.flatMap((name) =>
    valuesOf[challanFilters[name].kind].map((value): ChallanFilter => ({ [name]: value })),
  );
  const pairs = singles.flatMap((one, index) => singles.slice(index + 1).map((other) => ({ ...one, ...other })));
  return [{}, ...singles, ...pairs];
}

/** All sets of the filters that are always in sight, each alone and with each of the rare ones, with their first values. */
function everySet(): ChallanFilter[] {
  const valued = (chosen: readonly (typeof names)[number][]): ChallanFilter =>
    Object.fromEntries(chosen.map((name) => [name, valuesOf[challanFilters[name].kind][0]]));
  const isRare = (name: (typeof names)[number]): boolean => 'isRare' in challanFilters[name];
  const usual = names.filter((name) => !isRare(name));
  return Array.from({ length: 2 ** usual.length }, (_, bits) =>
    usual.filter((_name, index) => bits & (1 << index)),
  ).flatMap((chosen) => [valued(chosen), ...names.filter(isRare).map((name) => valued([...chosen, name]))]);
}

describe('the totals of a filter', () => {
  it('come from a roll-up only where it has the column of every filter; otherwise they are counted', async () => {
    const { rows } = await api.inTenant(tenant, (db) =>
      db.query<{ table: string; column: string }>(
        `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
         WHERE table_name LIKE 'challan_totals_%' OR table_name = 'open_challan_totals'`,
      ),
    );
    const columnsIn = (table: string) => rows.filter((row) => row.table === table).map(({ column }) => column);
    let held = 0;
    for (const filter of everySet()) {
      const rollUp = rollUpOf(filter);
      if (!rollUp) continue;
      held += 1;
      const needed = filteredColumns(filter);
      expect([rollUp.table, needed.filter((column) => !rollUp.columns.includes(column))]).toEqual([rollUp.table, []]);
      // What was paid has no open differences; its columns are read by the next test.
      // Totals by owner have paid and unpaid ones side by side.
      const stored = /challan_\w+/.exec(rollUp.table)?.[0] ?? '';
      const columns = rollUp.table.startsWith('(') ? needed.filter((column) => column !== 'payment_status') : needed;
      const tables = rollUp === byPaidDay ? [] : [stored, 'open_challan_totals'];
      for (const table of tables) expect(columnsIn(table)).toEqual(expect.arrayContaining(columns));
    }
    // Tag, payment and one of owner (by id, by name, by both) and deposited days, each set of them.
    expect(held).toBeGreaterThan(30);
    for (const filter of [{ tpNo: 'KJR' }, { material: 'coal' }, { netFrom: '1' }, { startDate: '2026-04-01' }])
      expect(rollUpOf(filter)).toBeUndefined();
    expect(rollUpOf({ paidStartDate: '2026-04-01', ownerId: unknownId })).toBe(byPaidDay);
    expect(rollUpOf({ paidStartDate: '2026-04-01', tagId: unknownId })).toBeUndefined();
    expect(rollUpOf({ ownerId: unknownId, depositedStartDate: '2026-04-01' })).toBeUndefined();
  });

  it('are never those of a filter that is not known: it is refused, not passed over', () => {
    const filter = { unheardOf: 'x' } as ChallanFilter;
    expect(() => rollUpOf(filter)).toThrow('Challans cannot be filtered by unheardOf');
    expect(() => challansOf(filter, String)).toThrow('Challans cannot be filtered by unheardOf');
  });
});

describe('the statements of a filter', () => {
  it('are understood by the database, from the challans as from the roll-ups', async () => {
    await api.inTenant(tenant, async (db) => {
      for (const filter of singlesAndPairs()) {
        const counted = new Parameters(db);
        const { source, conditions } = challansOf(filter, counted.bind);
        await db.query(`EXPLAIN SELECT c.id, $1::uuid FROM ${source} WHERE ${conditions}`, counted.values);
        const rollUp = rollUpOf(filter);
        if (!rollUp) continue;
        const rolled = new Parameters(db);
        await db.query(`EXPLAIN ${totalParts(filter, rollUp, 'challans', rolled.bind)}`, rolled.values);
      }
    });
  });

  it('read amounts from their index, also where row-level security decides what is seen', async () => {
    // In a table without statistics all indexes cost the same, and so they do for a range that has every challan.
    const { id: ownerId } = await createOwner(api, tenant);
    await api.inTenant(tenant, (db) => insertChallans(db, { ownerId }, 1_000));
    await asSchemaOwner(api, (client) => client.query('ANALYZE challans'));
    const plan = await api.inTenant(tenant, async (db) => {
      const { values, bind } = new Parameters(db);
      const { source, conditions } = challansOf({ netFrom: '-5000.5', netTo: '-4000.00' }, bind);
      await db.query('SET LOCAL enable_seqscan = off');
      return (
        await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT c.id FROM ${source} WHERE ${conditions}`, values)
      ).rows;
    });
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toContain('challans_by_net');
    expect(text).toMatch(/Index Cond: .*net_paise >= '-500050'::bigint.*net_paise <= '-400000'::bigint/);
  });

  it('look up the payment of a challan by its key, also where row-level security decides what is seen', async () => {
    const plan = await api.inTenant(tenant, async (db) => {
      await db.query(
        'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off',
      );
      return (
        await db.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN SELECT ${challanRow.columns} FROM challans AS c ${challanJoins}
           WHERE c.subadmin_id = $1 AND c.id = $2`,
          [db.tenantId, unknownId],
        )
      ).rows;
    });
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toMatch(/payment_batches_pkey on payment_batches paying.*\n\s*Index Cond: .*\(id = /);
  });

  it('are prepared under one name for one text', () => {
    const texts = singlesAndPairs().map((filter) => challansOf(filter, () => '$').conditions);
    const named = new Map(texts.map((text) => [preparedName('challans', text), text]));
    expect([...named.values()].sort()).toEqual([...new Set(texts)].sort());
    expect(texts.map((text) => named.get(preparedName('challans', text)))).toEqual(texts);
  });
});
