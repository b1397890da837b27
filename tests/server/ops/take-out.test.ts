import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { contract } from '../../../src/shared/contract/index.ts';
import { importTakeOut } from '../../../src/ops/take-in.ts';
import type { Manifest } from '../../../src/server/features/profile/take-out.file.ts';
import { foldTotals } from '../../../src/server/features/system/maintenance.queries.ts';
import { notTaken } from '../../../src/server/features/profile/take-out.queries.ts';
import { checkBooks, differencesOf } from '../../../src/server/features/system/books.service.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner, lockPeriod } from '../support/builders.ts';
import { idsOf, insertChallans } from '../support/ledger.ts';
import { addPerson } from '../support/people.ts';
import { buildScene, type Scene } from '../support/scene.ts';
import { asSchemaOwner, tenantTables } from '../support/tables.ts';

let api: Api;
let scene: Scene;
let other: Scene;
let directory: string;

beforeAll(async () => {
  api = await startApi();
  [scene, other] = [await buildScene(api, 'KOEL'), await buildScene(api, 'MAYUR')];
  const { tenant, refs } = scene;
  // A clerk of the business has written history and kept a view under the same key as the business.
  const clerk = await addPerson(api, tenant, 'clerk');
  const view = { key: 'columns', value: '{}' };
  for (const { token } of [tenant, clerk]) await api.call(contract.preferences.put, { body: view }, { token });
  const rename = { params: { id: refs.freeOwnerId }, body: { branchName: 'Written by the clerk' } };
  await api.call(contract.owners.update, rename, { token: clerk.token });
  // What a spreadsheet would take for a formula, what has an apostrophe already, and what a CSV must quote.
  for (const address of ['=HYPERLINK("http://evil.example")', "'tis here", '-5, "Main" Road\nJoda', '\u200b=1+1', '']) {
    await createOwner(api, tenant, { address });
  }
  await asSchemaOwner(api, async (client) => {
    // The scene writes these as they could not be: a carry beside a challan that stays paid.
    await client.query("SET session_replication_role = 'replica'");
    await client.query('DELETE FROM carry_events');
    await client.query('DELETE FROM payment_sums WHERE challans = 0');
  });
  const rule = { aboveOne: '500000', aboveDay: null, accountantUpTo: null };
  await api.call(contract.preparedPayments.setRule, { body: rule }, { token: tenant.token });
  const made = await api.inTenant(tenant, (db) => insertChallans(db, { ownerId: refs.ownerId }, 5));
  const body = { challanIds: idsOf(made) };
  const paid = await api.call(contract.bankStatement.markPaid, { body }, { token: tenant.token });
  const reversal = { params: { id: paid.body.data.batchId ?? '' }, body: { reason: 'wrong' } };
  await api.call(contract.paymentBatches.reverse, reversal, { token: tenant.token });
  // What is taken in again is in locked days.
  await lockPeriod(api, tenant, '2026-04-30');
  await api.inTenant(tenant, (db) => foldTotals(db, tenant.id));
  directory = await mkdtemp(join(tmpdir(), 'challan-desk-take-out-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await api.close();
});

const takeOut = (tenant: Tenant, currentPassword = tenant.password) =>
  api.call(contract.profile.takeOut, { body: { currentPassword } }, { token: tenant.token });

async function filesOf(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return files;
}

/** Of every table that is taken out: how many rows a business has, and what they say but for times, ids of accounts and links. */
async function contentOf(tenantId: string): Promise<Record<string, unknown>> {
  return asSchemaOwner(api, async (client) => {
    const content: Record<string, unknown> = {};
    for (const table of (await tenantTables(api)).filter((name) => !(name in notTaken))) {
      const { rows } = await client.query<{ rows: unknown[] }>(
        `SELECT coalesce(jsonb_agg(r ORDER BY r::text), '[]') AS rows FROM (
           SELECT to_jsonb(t) - ARRAY['subadmin_id', 'written_at', 'token_hash', 'created_by', 'updated_by', 'undone_by', 'actor_id', 'account_id',
               'changed_by', 'decided_by', 'set_by', 'next_by']
             - CASE to_jsonb(t) ->> 'entity' WHEN 'subadmin' THEN 'entity_id' ELSE '' END AS r
           FROM ${table} AS t WHERE subadmin_id = $1) AS found`,
        [tenantId],
      );
      content[table] = rows[0]?.rows;
    }
    return content;
  });
}

describe('take-out', () => {
  it('has every table of the business with its rows and hashes, and nothing of another business', async () => {
    const answer = await takeOut(scene.tenant);
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(answer.headers['content-type']).toBe('application/zip');
    expect(answer.headers['content-disposition']).toMatch(/challan-desk-\d{4}-\d\d-\d\d\.zip/);
    const files = await filesOf(answer.bytes);
    const manifest = JSON.parse(files.get('manifest.json') ?? '') as Manifest;
    const tables = await tenantTables(api);
    // A table that is added later is in it, or somebody has said why not.
    expect(manifest.files.map(({ name }) => name).sort()).toEqual(
      ['account', 'people', ...tables.filter((name) => !(name in notTaken))].map((name) => `${name}.csv`).sort(),
    );
    expect(Object.keys(manifest.notTaken).filter((name) => !tables.includes(name))).toEqual([]);
    const content = await contentOf(scene.tenant.id);
    for (const { name, rows, sha256, bytes } of manifest.files) {
      const csv = files.get(name) ?? '';
      expect([name, createHash('sha256').update(csv).digest('hex'), Buffer.byteLength(csv)]).toEqual([
        name,
        sha256,
        bytes,
      ]);
      const own: Record<string, unknown[]> = { 'account.csv': [1], 'people.csv': [1, 1, 1] };
      const stored = own[name] ?? (content[name.replace('.csv', '')] as unknown[]);
      expect([name, rows]).toEqual([name, stored.length]);
    }
    expect(Object.values(content).filter((rows) => (rows as unknown[]).length > 0).length).toBeGreaterThan(25);
    // Bytes are in a table as their digits.
    const all = [...files.values()]
      .join('\n')
      .replace(/\\x((?:[0-9a-f]{2})+)/g, (_, digits: string) => Buffer.from(digits, 'hex').toString('latin1'));
    for (const secret of scene.secrets.filter((word) => !word.includes('@'))) expect(all).toContain(secret);
    for (const secret of [...other.secrets, other.tenant.id])
      expect([secret, all.includes(secret)]).toEqual([secret, false]);
    const owners = files.get('owners.csv') ?? '';
    expect(owners).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(owners).toContain(`''tis here`);
    expect(owners).toContain(`,'\u200b=1+1,`);
    expect(owners).toContain(`"'-5, ""Main"" Road\nJoda"`);
    expect(all).not.toContain('password_hash');
  });

  it('asks for the password, and lets it be guessed no faster than a change of it', async () => {
    const tenant = await api.addTenant();
    const wrong = await takeOut(tenant, 'not this one');
    expect([wrong.status, wrong.error.code]).toEqual([400, 'WRONG_PASSWORD']);
    expect(wrong.error.fields).toEqual({ currentPassword: 'Current password is incorrect' });
    for (let n = 0; n < 3; n += 1) await takeOut(tenant, 'not this one');
    expect((await takeOut(tenant)).status).toBe(429);
  });

  it('is had three times at once', async () => {
    const tenant = await api.addTenant();
    for (let n = 0; n < 3; n += 1) expect((await takeOut(tenant)).status).toBe(200);
    const fourth = await takeOut(tenant);
    expect([fourth.status, fourth.error.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
  });
});

describe('take-in', () => {
  const takeIn = (file: string, email: string) =>
    importTakeOut(api.databaseUrl, file, email, { notTaken, differencesOf });
  async function archiveOf(bytes: Buffer): Promise<string> {
    const file = join(directory, `${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.zip`);
    await writeFile(file, bytes);
    return file;
  }

  it('reads an archive into an empty business: the same rows, and books that agree', async () => {
    const fresh = await api.addTenant();
    const file = await archiveOf((await takeOut(scene.tenant)).bytes);
    const { tenantId, counts } = await takeIn(file, fresh.email);
    expect(tenantId).toBe(fresh.id);
    expect(counts.get('challans')).toBe(7);
    expect(await contentOf(fresh.id)).toEqual(await contentOf(scene.tenant.id));
    const checked = await api.inTenant(fresh, checkBooks);
    expect(checked.filter(({ differences }) => differences > 0)).toEqual([]);
    // What its people see is what they saw.
    const listOf = async (tenant: Tenant) =>
      (await api.call(contract.challans.list, { query: { limit: 100 } }, { token: tenant.token })).body;
    const [before, after] = [await listOf(scene.tenant), await listOf(fresh)];
    expect(after).toEqual(before);
    // Its people have come along: who did what is still known, and nobody can sign in before an owner makes a link.
    const { data } = (await api.call(contract.people.list, {}, { token: fresh.token })).body;
    expect(data.map(({ name, seat, joinedAt }) => [name !== '', seat, joinedAt !== null])).toEqual([
      [false, 'owner', true],
      [false, 'clerk', false],
      [true, 'clerk', false],
      [true, 'owner', false],
    ]);
    const history = await asSchemaOwner(api, (client) =>
      client.query<{ person_name: string }>(
        `SELECT DISTINCT a.person_name FROM history h JOIN accounts a ON a.id = h.actor_id AND a.business_id = $1
         WHERE h.subadmin_id = $1`,
        [fresh.id],
      ),
    );
    expect(history.rows.map(({ person_name: name }) => name.replace(/ \d+$/, '')).toSorted()).toEqual([
      'Ravi clerk',
      'Ravi owner',
    ]);
    // What waits for a second person, and the rule, are those of before.
    const { preparedPayments } = contract;
    const waiting = async ({ token }: Tenant) =>
      (await api.call(preparedPayments.list, {}, { token })).body.data.map(({ number, amount, state }) => ({
        number,
        amount,
        state,
      }));
    expect(await waiting(fresh)).toEqual(await waiting(scene.tenant));
    const rule = (await api.call(preparedPayments.getRule, {}, { token: fresh.token })).body.data;
    expect(rule).toMatchObject({ aboveOne: '500000.00', next: null });
    // The business of before is as it was.
    expect((await api.inTenant(scene.tenant, checkBooks)).filter(({ differences }) => differences > 0)).toEqual([]);

    await expect(takeIn(file, fresh.email)).rejects.toThrow('an archive is read into an empty one only');
    await expect(takeIn(file, 'nobody@example.com')).rejects.toThrow('make one first');
  });

  it('demands a second step where the business did, also of who is signed in', async () => {
    const business = await api.addTenant();
    const setDemand = (isOn: boolean) =>
      asSchemaOwner(api, (client) =>
        client.query('UPDATE accounts SET demands_second_step = $2 WHERE id = $1', [business.id, isOn]),
      );
    const demands = async (tenant: Tenant): Promise<boolean> => {
      const { rows } = await asSchemaOwner(api, (client) =>
        client.query<{ is: boolean }>('SELECT demands_second_step AS is FROM accounts WHERE id = $1', [tenant.id]),
      );
      return rows[0]!.is;
    };
    const [demanded, free] = [await api.addTenant(), await api.addTenant()];
    const without = await archiveOf((await takeOut(business)).bytes);
    await takeIn(without, free.email);
    expect(await demands(free)).toBe(false);
    await setDemand(true);
    const file = await archiveOf((await takeOut(business)).bytes);
    await takeIn(file, demanded.email);
    expect(await demands(demanded)).toBe(true);
    const list = (token: string) => api.call(contract.challans.list, {}, { token });
    expect([(await list(demanded.token)).status, (await list(free.token)).status]).toEqual([401, 200]);
  });

  it('writes nothing of an archive that was changed', async () => {
    const fresh = await api.addTenant();
    const files = await filesOf((await takeOut(other.tenant)).bytes);
    const packed = async (change: (files: Map<string, string>) => void): Promise<string> => {
      const copy = new Map(files);
      change(copy);
      const zip = new ZipFile();
      for (const [name, content] of copy) zip.addBuffer(Buffer.from(content), name);
      zip.end();
      const chunks: Buffer[] = [];
      for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) chunks.push(chunk);
      return archiveOf(Buffer.concat(chunks));
    };
    /** Another content with the hash and the rows that the manifest then says. */
    const relist = (all: Map<string, string>, name: string, content: string): void => {
      const manifest = JSON.parse(all.get('manifest.json') ?? '') as Manifest;
      const sha256 = createHash('sha256').update(content).digest('hex');
      const before = manifest.files.find((one) => one.name === name) ?? { rows: 1 };
      const files = [...manifest.files.filter((one) => one.name !== name), { ...before, name, bytes: 0, sha256 }];
      all.set(name, content).set('manifest.json', JSON.stringify({ ...manifest, files }));
    };
    const changes: [string, (files: Map<string, string>) => void][] = [
      ['tags.csv is not as the manifest says', (all) => all.set('tags.csv', `${all.get('tags.csv')}x`)],
      ['owners.csv is not as the manifest says', (all) => all.delete('owners.csv')],
      ['no manifest.json', (all) => all.delete('manifest.json')],
      ['cannot be read', (all) => all.set('manifest.json', '{')],
      ['is not one of a take-out', (all) => all.set('manifest.json', '{"format":1,"files":[{"name":"tags.csv"}]}')],
      ['is not one of a take-out', (all) => all.set('manifest.json', 'null')],
      ['is too large', (all) => all.set('manifest.json', ' '.repeat(1024 * 1024 + 1))],
      ['written by a newer version', (all) => all.set('manifest.json', '{"format":2}')],
      ['has no sessions', (all) => relist(all, 'sessions.csv', 'token_hash\nx\n')],
      ['has no seals', (all) => relist(all, 'seals.csv', 'seal_no\n1\n')],
      // The hashes fit, but the payment no longer pays what its lines say.
      [
        'the books would not agree',
        (all) =>
          // A whole cell: the seconds of a time may have two decimals too.
          relist(
            all,
            'payment_batches.csv',
            (all.get('payment_batches.csv') ?? '').replace(/(?<=,)\d+\.\d\d(?=,)/, '1.11'),
          ),
      ],
    ];
    for (const [reason, change] of changes) {
      await expect(takeIn(await packed(change), fresh.email)).rejects.toThrow(reason);
    }
    const whole = await packed(() => undefined);
    await expect(takeIn(join(directory, 'none.zip'), fresh.email)).rejects.toThrow('cannot be read');
    expect(Object.values(await contentOf(fresh.id)).flat()).toEqual([]);
    await takeIn(whole, fresh.email);
  });
});
