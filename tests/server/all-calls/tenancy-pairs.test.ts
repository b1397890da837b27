import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testSeed } from '../../calc/seed.ts';
import { long, longLimit } from '../../long.ts';
import { startApi, type Answer, type Api } from '../support/api.ts';
import { presentRows } from '../support/endpoint-table.ts';
import { withoutRequestId } from '../support/expect.ts';
import { randomOf } from '../support/random.ts';
import { buildScene, unknownRefs, type Refs, type Scene } from '../support/scene.ts';
import { tenantTables } from '../support/tables.ts';
import { partsOf } from '../support/workbooks.ts';

/**
 * Random pairs: the same call with an id of another business and with one that nobody has. Every place of an id, also with
 * ids of another kind; both are answered alike, and nothing of the other business is written (docs/security.md §3.4).
 */
const pairs = long(150, 50_000);
const random = randomOf(testSeed('tenancy pairs'));

let api: Api;
let foreign: readonly Scene[];
beforeAll(async () => {
  api = await startApi();
  foreign = [await buildScene(api, 'ONE'), await buildScene(api, 'TWO')];
});
afterAll(() => api.close());

/** The calls by sub-admins that name an id, with each place of one. */
const places = presentRows.flatMap((row) =>
  // Keys of `foreign` are keys of Refs.
  (Object.keys(row.cell.foreign ?? {}) as (keyof Refs)[]).map((place) => ({ row, place })),
);

const recordsOf = async ({ tenant }: Scene): Promise<string> =>
  api.inTenant(tenant, async (db) => {
    const rows: string[] = [];
    for (const name of await tenantTables(api)) {
      rows.push(
        ...(await db.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t ORDER BY 1`)).rows.map(
          (row) => `${name} ${row.row}`,
        ),
      );
    }
    return rows.join('\n');
  });

const clock = /"(\w+At|expires|id)":"[^"]+"|as of \d\d\/\d\d\/\d{4} \d\d:\d\d/g;

/** As a caller may compare it: without the request's id, the id that was asked for, and what the clock says. */
async function comparable(answer: Answer<unknown>, id: string) {
  if (answer.status >= 300) return withoutRequestId(answer);
  const isWorkbook = String(answer.headers['content-type']).includes('spreadsheetml');
  const text = isWorkbook ? JSON.stringify([...(await partsOf(answer.bytes))]) : answer.text;
  return { status: answer.status, body: text.replaceAll(id, 'the id').replace(clock, '') };
}

it(
  `${pairs} pairs of calls with a foreign and an unknown id are answered alike`,
  async () => {
    const before = await Promise.all(foreign.map(recordsOf));
    let own = await buildScene(api, 'OWN');
    const statuses = new Map<number, number>();
    let compared = 0;
    for (let pair = 0; pair < pairs; pair += 1) {
      // What a call with an id of its own removed would be unknown in both halves of all later pairs.
      if (pair % 200 === 199) own = await buildScene(api, 'OWN');
      const { row, place } = random.pick(places);
      const { refs } = random.pick(foreign);
      const kind =
        place === 'truckNumber' || random.chance(0.5) ? place : random.pick(Object.keys(refs) as (keyof Refs)[]);
      const isText = kind === 'truckNumber';
      const tried = isText ? refs.truckNumber : refs[kind];
      const unknown = isText ? unknownRefs.truckNumber : randomUUID();
      // Foreign first, then unknown, or the other way round: what the first one leaves behind must not matter.
      const calls = random.shuffled([tried, unknown]);
      const answers = new Map<string, Awaited<ReturnType<typeof comparable>>>();
      for (const id of calls) {
        const args = row.cell.args({ ...own.refs, [place]: id });
        const answer = await api.call(row.endpoint, args, { token: own.tenant.token });
        answers.set(id, await comparable(answer, id));
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
      // One of the two may have come after the last report that an account may send at once: another account tries again.
      if ([...answers.values()].some(({ status }) => status === 429)) {
        own = await buildScene(api, 'OWN');
        pair -= 1;
        continue;
      }
      expect([row.name, place, kind, answers.get(tried)]).toEqual([row.name, place, kind, answers.get(unknown)]);
      if (answers.size === 2) compared += 1;
    }
    expect(await Promise.all(foreign.map(recordsOf))).toEqual(before);
    process.stdout.write(`${compared} tenancy pairs; statuses ${JSON.stringify([...statuses].sort())}\n`);
    expect(compared).toBe(pairs);
    expect(Math.max(...statuses.keys())).toBeLessThan(500);
  },
  longLimit(60_000, 4 * 3_600_000),
);
