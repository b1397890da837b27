import { read, utils } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { challanGroupColumns } from '../../../src/shared/columns/challan-group-columns.ts';
import {
  groupFigureNames,
  groupKeyNames,
  groupSorts,
  type ChallanGroup,
  type GroupFigures,
  type GroupKey,
} from '../../../src/shared/contract/challan-groups.ts';
import type { QueryInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { testSeed } from '../../calc/seed.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner, createPump, createTag } from '../support/builders.ts';
import { expectRefusal } from '../support/expect.ts';
import { insertChallans } from '../support/ledger.ts';
import { randomOf } from '../support/random.ts';

/** The groups of the challan list (docs/specification.md §33), against sums of our own in whole paise. */
let api: Api;
let tenant: Tenant;
let owners: string[];
let all: Row[];
const random = randomOf(testSeed('challan groups'));

const { accounting, bankStatement, challanGroups, challans, paymentBatches } = contract;
type Asked = QueryInput<typeof challanGroups.list>;

interface Row {
  owner: string;
  tag: string | null;
  loading: string;
  unloading: string;
  vehicle: string;
  driver: string;
  material: string;
  pump: string | null;
  deposited: string | null;
  paid: boolean;
  payment: string | null;
  loadingWeight: string;
  unloadingWeight: string;
  shortageAmount: string;
  rate: string;
  tdsAmount: string;
  hsdAmount: string;
  advanceMoney: string;
  officeCharges: string;
  materialShortageAmount: string;
  netAmountPayable: string;
}

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  owners = [];
  // Two owners have the same name, and are two groups.
  for (const name of ['Anil Jena', 'Anil Jena', 'zafar Khan'])
    owners.push((await createOwner(api, tenant, { name })).id);
  const tags = [(await createTag(api, tenant)).id, null];
  const pump = (await createPump(api, tenant)).id;
  for (const ownerId of owners) for (const tagId of tags) await makeSome(ownerId, tagId, pump);
  all = await everyRow();
  // Another business has challans of the same days, places and vehicles.
  const other = await api.addTenant();
  const otherOwner = (await createOwner(api, other)).id;
  await api.inTenant(other, (db) => insertChallans(db, { ownerId: otherOwner }, 20));
});
afterAll(() => api.close());

const day = (offset: number): string => new Date(Date.UTC(2026, 2, 20 + offset)).toISOString().slice(0, 10);

async function makeSome(ownerId: string, tagId: string | null, pump: string): Promise<void> {
  await api.inTenant(tenant, async (db) => {
    const made = await insertChallans(db, { ownerId, tagId }, 25);
    for (const { id } of made) {
      const [loaded, hasPump] = [random.below(20), random.chance(0.6)];
      const [weight, less] = [2_000 + random.below(2_000), random.below(60) - 10];
      await db.query(
        `UPDATE challans AS c SET vehicle_no = $3, material = $4, loading_place = $5, unloading_place = $6, driver_name = $7,
           petrol_pump_id = $8, hsd_price_per_liter = CASE WHEN $8::uuid IS NULL THEN 0 ELSE 92.64 END,
           hsd_in_liters = CASE WHEN $8::uuid IS NULL THEN 0 ELSE 20 END, loading_at = $9::date::timestamp AT TIME ZONE 'Asia/Kolkata',
           unloading_at = $9::date::timestamp AT TIME ZONE 'Asia/Kolkata',
           deposited_at = $10::date::timestamp AT TIME ZONE 'Asia/Kolkata', payment_status = $11,
           paid_at = CASE WHEN $11 THEN $12::date::timestamp AT TIME ZONE 'Asia/Kolkata' END, loading_weight = $13, unloading_weight = $14,
           difference_weight = $13::numeric - $14::numeric, tds_amount = $15, office_charges = $16, advance_money = $17,
           hsd_amount = CASE WHEN $8::uuid IS NULL THEN 0 ELSE 1852.80 END,
           shortage_amount = round(greatest(0, $13::numeric - $14::numeric) * rate_per_mt, 2),
           material_shortage_amount = CASE WHEN $13::numeric > $14::numeric THEN 12.34 ELSE 0 END,
           net_amount_payable = round(least($13::numeric, $14::numeric) * rate_per_mt, 2) - $15 - $16 - $17
             - CASE WHEN $8::uuid IS NULL THEN 0 ELSE 1852.80 END - CASE WHEN $13::numeric > $14::numeric THEN 12.34 ELSE 0 END
         WHERE subadmin_id = $1 AND id = $2`,
        [
          tenant.id,
          id,
          random.pick(['OD 09 AB 1234', 'OD-09-AB-1234', 'OD-05-Z-7']),
          random.pick(['Coal', 'COAL', 'Coal Fines', 'Iron ore']),
          random.pick(['Joda', 'JODA', 'Joda East']),
          random.pick(['Paradip', 'Joda']),
          random.pick(['', 'None', 'Ravi', 'RAVI']),
          hasPump ? pump : null,
          day(loaded),
          random.chance(0.2) ? null : day(loaded + random.below(40)),
          // The first is deleted below, and what is paid cannot be.
          id !== made[0]!.id && random.chance(0.4),
          day(60 + random.below(3)),
          (weight / 100).toFixed(2),
          ((weight - less) / 100).toFixed(2),
          `${random.below(90)}.${10 + random.below(90)}`,
          `${random.below(9)}.05`,
          // Some nets are below zero.
          random.chance(0.1) ? '90000.55' : '100',
        ],
      );
    }
    await db.query('UPDATE challans SET deleted_at = now() WHERE subadmin_id = $1 AND id = $2', [
      tenant.id,
      made[0]!.id,
    ]);
    // One payment on each day, as the ledger has it.
    await db.query(
      `WITH paid AS (SELECT * FROM challans WHERE subadmin_id = $1 AND owner_id = $2 AND tag_id IS NOT DISTINCT FROM $3
           AND payment_status), batches AS (
         INSERT INTO payment_batches
           (subadmin_id, number, kind, created_by, updated_count, total_amount, owner_count, paid_on)
         SELECT $1, concat('PAY-', paid_on, $2::uuid, $3::uuid), 'selected', $1, count(*),
           sum(net_amount_payable), 1, least(paid_on, current_date) FROM paid GROUP BY paid_on RETURNING id, number
       )
       INSERT INTO payment_lines
         (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount, challan_number, created_by)
       SELECT $1, paid.id, pay_cycle, 'pay', batches.id, row_number() OVER (PARTITION BY batches.id ORDER BY paid.id),
         owner_id, net_amount_payable, challan_number, $1
       FROM paid JOIN batches ON starts_with(batches.number, 'PAY-' || paid_on)`,
      [db.tenantId, ownerId, tagId],
    );
  });
}

function everyRow(): Promise<Row[]> {
  return api.inTenant(tenant, async (db) => {
    const { rows } = await db.query<Row>(
      `SELECT owner_id AS owner, tag_id AS tag, loading_place AS loading, unloading_place AS unloading, vehicle_no AS vehicle,
         driver_name AS driver, material, petrol_pump_id AS pump, deposited_on::text AS deposited, payment_status AS paid,
         (SELECT batch_id FROM payment_lines l WHERE l.challan_id = c.id) AS payment,
         loading_weight AS "loadingWeight", unloading_weight AS "unloadingWeight", shortage_amount AS "shortageAmount",
         rate_per_mt AS rate, tds_amount AS "tdsAmount", hsd_amount AS "hsdAmount", advance_money AS "advanceMoney",
         office_charges AS "officeCharges", material_shortage_amount AS "materialShortageAmount",
         net_amount_payable AS "netAmountPayable"
       FROM challans c WHERE subadmin_id = $1 AND deleted_at IS NULL`,
      [db.tenantId],
    );
    return rows;
  });
}

/** Hundredths as a whole number, and back. */
const whole = (text: string): bigint => BigInt(text.replace('.', ''));
const written = (value: bigint): string => {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

function figuresOf(rows: readonly Row[]): GroupFigures {
  const add = (of: (row: Row) => bigint): bigint => rows.reduce((sum, row) => sum + of(row), 0n);
  const field = (name: keyof Row): string => written(add((row) => whole(String(row[name]))));
  const net = add((row) => whole(row.netAmountPayable));
  const paid = add((row) => (row.paid ? whole(row.netAmountPayable) : 0n));
  const freight = add(({ loadingWeight, unloadingWeight, rate }) => {
    const [a, b] = [whole(loadingWeight), whole(unloadingWeight)];
    return ((a < b ? a : b) * whole(rate) + 50n) / 100n;
  });
  return {
    challanCount: rows.length,
    loadingWeight: field('loadingWeight'),
    unloadingWeight: field('unloadingWeight'),
    differenceWeight: written(add((row) => whole(row.loadingWeight) - whole(row.unloadingWeight))),
    shortageAmount: field('shortageAmount'),
    freight: written(freight),
    tdsAmount: field('tdsAmount'),
    hsdAmount: field('hsdAmount'),
    advanceMoney: field('advanceMoney'),
    officeCharges: field('officeCharges'),
    materialShortageAmount: field('materialShortageAmount'),
    netAmountPayable: written(net),
    paidAmount: written(paid),
    unpaidAmount: written(net - paid),
  };
}

const monday = (text: string): string => {
  const date = new Date(`${text}T00:00:00Z`);
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
};
/** What is the same in all challans of a group. */
const sameIn: { readonly [K in GroupKey]: (row: Row) => string } = {
  owner: ({ owner }) => owner,
  tag: ({ tag }) => tag ?? '',
  route: ({ loading, unloading }) => `${loading}\n${unloading}`.toLowerCase(),
  loadingPlace: ({ loading }) => loading.toLowerCase(),
  unloadingPlace: ({ unloading }) => unloading.toLowerCase(),
  vehicle: ({ vehicle }) => vehicle.replace(/[ -]/g, ''),
  driver: ({ driver }) => driver.toLowerCase().replace('none', ''),
  material: ({ material }) => material.toLowerCase(),
  pump: ({ pump }) => pump ?? '',
  month: ({ deposited }) => (deposited === null ? '' : `${deposited.slice(0, 7)}-01`),
  week: ({ deposited }) => (deposited === null ? '' : monday(deposited)),
  paid: ({ paid }) => (paid ? 'Paid' : 'Unpaid'),
  payment: ({ payment }) => payment ?? '',
};

/** The figures of each group of the rows by its id. */
function expectedGroups(rows: readonly Row[], groupBy: readonly GroupKey[]): Map<string, GroupFigures> {
  const grouped = new Map<string, Row[]>();
  for (const row of rows) {
    const path = groupBy.map((key) => sameIn[key](row));
    for (let level = 1; level <= path.length; level += 1) {
      const id = JSON.stringify(path.slice(0, level));
      grouped.set(id, [...(grouped.get(id) ?? []), row]);
    }
  }
  return new Map([...grouped].map(([id, members]) => [id, figuresOf(members)]));
}

const figures = (group: GroupFigures): GroupFigures =>
  Object.fromEntries(groupFigureNames.map((name) => [name, group[name]])) as GroupFigures;

const auth = () => ({ token: tenant.token });
async function ask(query: Asked) {
  const answer = await api.call(challanGroups.list, { query: { limit: 100, ...query } }, auth());
  expect([query, answer.status, answer.text.slice(0, 300)]).toEqual([query, 200, expect.any(String)]);
  return answer.body;
}
/** Every page. */
async function askAll(query: Asked): Promise<ChallanGroup[]> {
  const groups: ChallanGroup[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await ask({ ...query, page });
    groups.push(...data);
    if (!pagination.hasNext) {
      expect(groups).toHaveLength(pagination.totalCount);
      return groups;
    }
  }
}

const pairs = groupKeyNames.flatMap((first) =>
  groupKeyNames.flatMap((second) => (first === second ? [] : [[first, second] as const])),
);

describe('the sums of groups', () => {
  it('are those of the challans, for every key and every two of them', async () => {
    const total = figuresOf(all);
    for (const groupBy of [...groupKeyNames.map((key) => [key] as const), ...pairs]) {
      const query = {
        groupBy: groupBy.join(),
        sortBy: random.pick(groupSorts),
        sortOrder: random.pick(['asc', 'desc'] as const),
      };
      const groups = await askAll(query);
      const found = new Map(groups.map((group) => [group.id, figures(group)]));
      expect([query, [...found].toSorted()]).toEqual([query, [...expectedGroups(all, groupBy)].toSorted()]);
      const { totals, groupCount } = await ask({ ...query, limit: 1 });
      expect([query, totals, groupCount]).toEqual([query, total, groups.filter(({ level }) => level === 1).length]);
    }
  });

  it('are those of the list that the filters of the group open, and of its sums', async () => {
    const filters = [
      {},
      { material: 'coal', depositedStartDate: '2026-04-02' },
      { depositedEndDate: '2026-04-20', paymentStatus: 'unpaid' as const },
      { place: 'joda', tagId: 'none' },
    ];
    for (const groupBy of [...groupKeyNames.map((key) => [key] as const), ...random.some(pairs, 20)]) {
      const filter = random.pick(filters);
      const { data } = await ask({ ...filter, groupBy: groupBy.join() });
      for (const group of random.some(data, 4)) {
        const query = { ...filter, ...group.filters };
        const { body, status } = await api.call(challans.list, { query: { ...query, limit: 1 } as never }, auth());
        const about = JSON.stringify([groupBy, query]);
        expect([about, status]).toEqual([about, 200]);
        const { totalCount, totalAmount, paidAmount, unpaidAmount } = body.summary;
        expect([about, totalCount, totalAmount, paidAmount, unpaidAmount]).toEqual([
          about,
          group.challanCount,
          group.netAmountPayable,
          group.paidAmount,
          group.unpaidAmount,
        ]);
      }
    }
  });

  it('are those of the filter that is set, and zero where nothing matches', async () => {
    const coal = all.filter(({ material, paid }) => /coal/i.test(material) && !paid);
    const query = { material: 'coal', paymentStatus: 'unpaid' as const, groupBy: 'loadingPlace,owner' };
    const groups = await askAll(query);
    const expected = expectedGroups(coal, ['loadingPlace', 'owner']);
    expect(new Map(groups.map((group) => [group.id, figures(group)]))).toEqual(expected);
    expect((await ask(query)).totals).toEqual(figuresOf(coal));
    const nothing = await ask({ tpNo: 'nothing has this', groupBy: 'owner' });
    expect(nothing).toMatchObject({ data: [], groupCount: 0, totals: figuresOf([]), pagination: { totalCount: 0 } });
  });

  it('are those of an owner’s challans, of the bank statement, and of a payment', async () => {
    for (const ownerId of owners)
      for (const filter of [
        {},
        { paymentStatus: 'unpaid' as const, depositedEndDate: '2026-04-20' },
        { tagId: 'none' },
      ]) {
        const { body } = await api.call(accounting.listOwnerChallans, { query: { ownerId, ...filter } }, auth());
        const { totals } = await ask({ ownerId, ...filter, groupBy: 'month' });
        expect(body.meta.summary).toMatchObject({
          totalCount: totals.challanCount,
          totalPayableAmount: totals.netAmountPayable,
          totalPaidAmount: totals.paidAmount,
          totalUnpaidAmount: totals.unpaidAmount,
          totalTds: totals.tdsAmount,
        });
      }
    await api.inTenant(tenant, (db) =>
      db.query(
        "UPDATE challans SET hold_reason = 'Wait' WHERE subadmin_id = $1 AND owner_id = $2 AND NOT payment_status",
        [db.tenantId, owners[1]],
      ),
    );
    for (const filter of [{}, { ownerId: owners[1]! }, { depositedStartDate: '2026-04-02', tagId: 'none' }]) {
      const { body } = await api.call(bankStatement.listOwners, { query: filter }, auth());
      const { totals } = await ask({ ...filter, paymentStatus: 'unpaid', groupBy: 'owner' });
      const { totalChallans, totalUnpaidAmount } = body.data.summary;
      expect([filter, totalChallans, totalUnpaidAmount]).toEqual([
        filter,
        totals.challanCount,
        totals.netAmountPayable,
      ]);
    }
    const paying = random.some([...new Set(all.flatMap(({ payment }) => payment ?? []))], 3);
    for (const id of paying) {
      const { body } = await api.call(paymentBatches.get, { params: { id }, query: {} }, auth());
      const { number, paidCount, paidAmount } = body.data;
      const { totals } = await ask({ paymentIs: number, groupBy: 'owner' });
      expect([number, paidCount, paidAmount]).toEqual([number, totals.challanCount, totals.netAmountPayable]);
    }
  });

  it('are of the own business only', async () => {
    const other = await api.addTenant();
    const answer = await api.call(
      challanGroups.list,
      { query: { ownerId: owners[0]!, groupBy: 'owner' } },
      { token: other.token },
    );
    expect(answer.body).toMatchObject({ data: [], groupCount: 0 });
  });
});

describe('the rows of groups', () => {
  it('come in the order that is asked for, those of a group behind it, on pages that never overlap', async () => {
    for (const sortBy of groupSorts) {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const query = { groupBy: 'material,paid', sortBy, sortOrder } as const;
        const inOne = (await ask(query)).data;
        const inSmall: ChallanGroup[] = [];
        for (let page = 1; inSmall.length < inOne.length; page += 1)
          inSmall.push(...(await ask({ ...query, limit: 2, page })).data);
        expect([query, inSmall]).toEqual([query, inOne]);
        const firsts = inOne.filter(({ level }) => level === 1);
        if (sortBy === 'name') {
          const names = firsts.map(({ first }) => first.toLowerCase());
          expect(names).toEqual(sortOrder === 'asc' ? names.toSorted() : names.toSorted().reverse());
        } else {
          const values = firsts.map((row) => whole(String(row[sortBy])));
          const sorted = values.toSorted((a, b) => (a < b ? -1 : 1));
          expect([query, values]).toEqual([query, sortOrder === 'asc' ? sorted : sorted.reverse()]);
        }
        // Each part stands behind its group.
        let current = '';
        for (const row of inOne) {
          if (row.level === 1) current = row.first;
          else expect(row.first).toBe(current);
        }
      }
    }
  });

  it('keep their place on pages where all are equal', async () => {
    const query = { groupBy: 'vehicle,week', sortBy: 'officeCharges', materialIs: 'iron ore' } as const;
    const whole = (await ask(query)).data.map(({ id }) => id);
    const paged: string[] = [];
    for (let page = 1; paged.length < whole.length; page += 1)
      paged.push(...(await ask({ ...query, limit: 3, page })).data.map(({ id }) => id));
    expect(paged).toEqual(whole);
    expect(new Set(paged).size).toBe(whole.length);
  });

  it('have names as people read them; those without a value are last', async () => {
    const namesOf = async (groupBy: string, sortOrder: 'asc' | 'desc' = 'asc') =>
      (await ask({ groupBy, sortBy: 'name', sortOrder })).data.map(({ first }) => first);
    expect(await namesOf('owner')).toEqual(['Anil Jena', 'Anil Jena', 'zafar Khan']);
    expect((await namesOf('month', 'desc')).slice(-2)).toEqual(['March 2026', 'Not deposited']);
    expect((await namesOf('week'))[0]).toMatch(/^\d\d\/03\/2026 to \d\d\/03\/2026$/);
    expect(await namesOf('paid')).toEqual(['Paid', 'Unpaid']);
    expect((await namesOf('driver')).at(-1)).toBe('Without a driver');
    expect((await namesOf('payment')).at(-1)).toBe('Without a payment');
    expect((await namesOf('tag')).at(-1)).toBe('Without a tag');
    expect(await namesOf('route')).toContain('JODA → Joda');
  });

  it('are refused by a key that is not known, one that is there twice, or three', async () => {
    for (const groupBy of ['panNo', 'owner,owner', 'owner,tag,month', '']) {
      const answer = await api.call(challanGroups.list, { query: { groupBy } }, auth());
      expect([groupBy, answer.status]).toEqual([groupBy, 400]);
    }
    const refused = await api.call(challanGroups.list, { query: { groupBy: 'owner,owner' } }, auth());
    expectRefusal(refused, 400, 'VALIDATION_ERROR');
    expect(refused.body).toMatchObject({ fields: { groupBy: expect.stringContaining('with a comma') } });
  });
});

describe('the files of groups', () => {
  const partsOf = (groups: readonly ChallanGroup[]) => groups.filter(({ level }) => level === 2);
  const body = {
    filters: { paymentStatus: false },
    groupBy: 'owner,month',
    sortBy: 'unpaidAmount',
    sortOrder: 'desc',
  } as const;

  it('have the parts, columns and order of the table, and their sums behind', async () => {
    const columns = ['second', 'first', 'netAmountPayable', 'challanCount'] as const;
    const groups = partsOf(await askAll({ ...body, paymentStatus: 'unpaid', filters: undefined } as Asked));
    const file = await api.call(challanGroups.exportCsv, { body: { ...body, columns: [...columns] } }, auth());
    expect(file.status).toBe(200);
    const [intro, headings, ...lines]: string[][] = parse(file.text, { bom: true, relax_column_count: true });
    expect(intro?.[0]).toMatch(/^Challans by owner, then month: unpaid only\. \d+ challans in 3 groups, as of /);
    expect(headings).toEqual(['Month', 'Owner', 'Net Amount', 'Challans']);
    expect(lines.slice(0, -1)).toEqual(
      groups.map((row) => [row.second, row.first, row.netAmountPayable, String(row.challanCount)]),
    );
    const { totals } = await ask({ groupBy: 'owner', paymentStatus: 'unpaid' });
    expect(lines.at(-1)).toEqual([
      `Total of ${totals.challanCount} challans`,
      '',
      totals.netAmountPayable,
      String(totals.challanCount),
    ]);
    // As a spreadsheet adds the column up.
    expect(written(lines.slice(0, -1).reduce((sum, line) => sum + whole(line[2]!), 0n))).toBe(totals.netAmountPayable);
  });

  it('are the same as a workbook, with all columns where none is named', async () => {
    const file = await api.callRaw('POST', `/api${challanGroups.exportXlsx.path}`, { ...auth(), body });
    expect(file.status).toBe(200);
    const [, headings, ...lines]: unknown[][] = utils.sheet_to_json(read(file.bytes).Sheets['Groups']!, { header: 1 });
    const table = challanGroupColumns(['owner', 'month']);
    expect(headings).toEqual(table.map(({ label }) => label));
    const { groupBy, sortBy } = body;
    const groups = partsOf(await askAll({ groupBy, sortBy, sortOrder: 'desc', paymentStatus: 'unpaid' }));
    const netAt = table.findIndex(({ key }) => key === 'netAmountPayable');
    expect(lines.slice(0, -1).map((line) => [line[0], line[1], Number(line[netAt]).toFixed(2)])).toEqual(
      groups.map((row) => [row.first, row.second, row.netAmountPayable]),
    );
  });

  it('hold nothing of another business', async () => {
    const other = await api.addTenant();
    const file = await api.call(
      challanGroups.exportCsv,
      { body: { filters: { ownerId: owners[0]! }, groupBy: 'owner', columns: ['first', 'netAmountPayable'] } },
      { token: other.token },
    );
    expect(file.text).toMatch(/ 0 challans in 0 groups/);
    expect(file.text).not.toContain('Anil');
  });
});
