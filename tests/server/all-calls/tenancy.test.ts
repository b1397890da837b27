import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError, type Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { withGlobal, type TenantDb } from '../../../src/server/db/tenant.ts';
import { sealWritten } from '../../../src/server/features/system/seals.queries.ts';
import { filesUnder } from '../../../src/tasks/imports.ts';
import { projectRoot } from '../../../src/tasks/run.ts';
import { startApi, type Api } from '../support/api.ts';
import { statementFiles } from '../support/statement-files.ts';
import { presentRows, type TableRow } from '../support/endpoint-table.ts';
import { insertChallans } from '../support/ledger.ts';
import { buildScene, type Refs, type Scene } from '../support/scene.ts';
import { asSchemaOwner, tenantTables } from '../support/tables.ts';

let api: Api;
let scenes: readonly [Scene, Scene, Scene];
let tables: string[];

beforeAll(async () => {
  api = await startApi();
  scenes = [await buildScene(api, 'KOEL'), await buildScene(api, 'MAYUR'), await buildScene(api, 'HANSA')];
  tables = await tenantTables(api);
});
afterAll(() => api.close());

describe('three businesses with marks in every string', () => {
  const call = (row: TableRow, refs: Refs, token: string) => api.call(row.endpoint, row.cell.args(refs), { token });
  /** Reads first, then what changes, then what removes: so that there is something to leak as long as possible. */
  const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  // Without those that end the session, and Copy, which brings another's owners into the own list on purpose.
  const leftOut: ReadonlySet<unknown> = new Set([
    contract.session.logout,
    contract.profile.changePassword,
    contract.owners.copy,
  ]);
  const forSubadmins = presentRows
    .filter(({ endpoint }) => endpoint.roles !== 'public' && endpoint.roles.includes('subadmin'))
    .filter(({ endpoint }) => !leftOut.has(endpoint))
    .sort((a, b) => order.indexOf(a.endpoint.method) - order.indexOf(b.endpoint.method));

  it('a call sees the marks of its own account, so that the check below can fail', async () => {
    const [{ tenant, secrets }] = scenes;
    const answers = await Promise.all(
      [contract.tags.list, contract.petrolPumps.list, contract.owners.list, contract.bankStatement.list].map(
        (endpoint) => api.call(endpoint, {}, { token: tenant.token }),
      ),
    );
    const seen = answers.map(({ text }) => text).join('\n');
    expect(secrets.filter((mark) => seen.includes(mark)).length).toBeGreaterThan(10);
  });

  it.each(forSubadmins.map((row) => [row.name, row] as const))(
    'nothing of another crosses in an answer of %s',
    async (_, row) => {
      for (const own of scenes) {
        for (const refs of scenes.map((scene) => scene.refs)) {
          const answer = await call(row, refs, own.tenant.token);
          const said = `${answer.text}\n${JSON.stringify(answer.headers)}`;
          for (const other of scenes.filter((scene) => scene !== own)) {
            const isShown = row.endpoint === contract.owners.listAllSystem;
            // An id that the call itself brought may come back in its answer.
            const asked = Object.values(refs);
            const marks = [...other.secrets, ...(isShown ? [] : other.shown)].filter((mark) => !asked.includes(mark));
            expect([own.tenant.bannerName, marks.filter((mark) => said.includes(mark))]).toEqual([
              own.tenant.bannerName,
              [],
            ]);
          }
        }
      }
    },
  );

  it('nothing crosses while many ask at once over the same connections', async () => {
    // Six for each connection: of many more, those at the end of the line would be asked to come again on a slow machine.
    for (let round = 0; round < 4; round += 1) {
      const asked = Array.from({ length: 60 }, (_, n) => {
        // n % 3 is an index of the three.
        const own = scenes[n % 3]!;
        const endpoint = [contract.owners.list, contract.tags.list, contract.petrolPumps.list, contract.trucks.list][
          n % 4
        ];
        // n % 4 is an index of the four.
        return api.call(endpoint!, {}, { token: own.tenant.token }).then((answer) => ({ own, answer }));
      });
      for (const { own, answer } of await Promise.all(asked)) {
        expect(answer.status).toBe(200);
        const others = scenes.filter((scene) => scene !== own);
        expect(
          others.flatMap(({ secrets, shown }) => [...secrets, ...shown]).filter((m) => answer.text.includes(m)),
        ).toEqual([]);
      }
    }
  });
});

describe('the catalog of the database', () => {
  const ask = <T extends object>(text: string, values: unknown[] = []) =>
    asSchemaOwner(api, async (client) => (await client.query<T>(text, values)).rows);

  it('has a tenant in every table but those that belong to none', async () => {
    const rows = await ask<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
         AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'subadmin_id') ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'account_devices',
      'account_networks',
      'accounts',
      'code_waits',
      'login_failures',
      'readiness',
      'recovery_codes',
      'schema_migrations',
      'second_steps',
      'server_key',
      'sessions',
      'settings',
      'sign_ins',
      'upkeep',
    ]);
    expect(tables.length).toBeGreaterThan(15);
  });

  it('counts nothing over all businesses: no sequence, so no id or cursor tells how busy the others are', async () => {
    expect(await ask(`SELECT sequencename FROM pg_sequences`)).toEqual([]);
  });

  it('forces row-level security on each, with a policy that checks what is written', async () => {
    const rows = await ask<{ name: string; is_safe: boolean }>(
      `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (
         SELECT FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = c.relname
           AND p.roles = ARRAY['challan_app'::name] AND p.qual LIKE '%current_tenant()%'
           AND p.with_check LIKE '%current_tenant()%' AND p.cmd = 'ALL') AS is_safe
       FROM pg_class c WHERE c.relname = ANY ($1) AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
      [tables],
    );
    expect(rows.filter(({ is_safe: isSafe }) => !isSafe)).toEqual([]);
    expect(rows.map(({ name }) => name)).toEqual(tables);
  });

  it('starts every primary key, unique rule and index of theirs with the tenant', async () => {
    const rows = await ask<{ index: string }>(
      `SELECT i.indexrelid::regclass::text AS index FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       WHERE c.relname = ANY ($1) AND c.relnamespace = 'public'::regnamespace
         AND (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = i.indkey[0])
           IS DISTINCT FROM 'subadmin_id' ORDER BY 1`,
      [tables],
    );
    // What is looked up without knowing the tenant: a share link's token, and old answers to be forgotten.
    expect(rows.map(({ index }) => index)).toEqual(['idempotency_keys_by_age', 'shared_reports_token_hash_key']);
  });

  it('leads every reference between them by the tenant, on both sides', async () => {
    const rows = await ask<{ rule: string; is_led: boolean }>(
      `SELECT k.conname AS rule,
         (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = k.conkey[1]) = 'subadmin_id'
         AND (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = k.confrelid AND a.attnum = k.confkey[1]) = 'subadmin_id'
         AND array_length(k.conkey, 1) > 1 AND k.confdeltype IN ('a', 'r') AS is_led
       FROM pg_constraint k JOIN pg_class t ON t.oid = k.confrelid
       WHERE k.contype = 'f' AND t.relname = ANY ($1)`,
      [tables],
    );
    expect(rows.filter(({ is_led: isLed }) => !isLed)).toEqual([]);
    expect(rows.length).toBeGreaterThan(8);
  });

  it('leads every other reference of theirs to the accounts, which every node of a distributed database would have', async () => {
    // docs/running.md §9
    const rows = await ask<{ target: string }>(
      `SELECT DISTINCT k.confrelid::regclass::text AS target FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
       JOIN pg_class t ON t.oid = k.confrelid WHERE k.contype = 'f' AND c.relname = ANY ($1) AND NOT t.relname = ANY ($1)`,
      [tables],
    );
    expect(rows).toEqual([{ target: 'accounts' }]);
  });

  it('lets the app work as a role that owns nothing and cannot step past the policies', async () => {
    const rows = await ask(
      `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin,
         (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned
       FROM pg_roles r WHERE rolname IN ('challan_app', 'challan_definer') ORDER BY rolname`,
    );
    const powerless = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      owned: 0,
    };
    expect(rows).toEqual([
      { ...powerless, rolcanlogin: true },
      { ...powerless, rolcanlogin: false },
    ]);
    const answer = await withGlobal(api.pools.main, 'read', (db) =>
      db.query<{ role: string }>('SELECT session_user AS role'),
    );
    expect(answer.rows).toEqual([{ role: 'challan_app' }]);
  });

  it('gives the app no more than rows of them to read and write, and everybody nothing', async () => {
    const rows = await ask<{ name: string; grantee: string; rights: string[] }>(
      `SELECT c.relname AS name, a.grantee::regrole::text AS grantee, array_agg(a.privilege_type ORDER BY 1) AS rights
       FROM pg_class c, aclexplode(c.relacl) a
       WHERE c.relname = ANY ($1) AND c.relnamespace = 'public'::regnamespace AND a.grantee <> c.relowner GROUP BY 1, 2`,
      [tables],
    );
    const wanted = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
    expect(rows.filter(({ rights }) => rights.some((right) => !wanted.includes(right)))).toEqual([]);
    expect([...new Set(rows.map(({ grantee }) => grantee))].sort()).toEqual(['challan_app', 'challan_definer']);
    const readable = rows.filter(({ grantee, rights }) => grantee === 'challan_app' && rights.includes('SELECT'));
    expect(readable.map(({ name }) => name).sort()).toEqual(tables);
  });

  it('leads what belongs to no tenant by policies too: sessions and sign-ins only in a transaction of no tenant', async () => {
    const rows = await ask<{ name: string; policies: string[] }>(
      `SELECT c.relname AS name, array_agg(p.cmd || ' ' || coalesce(p.qual, p.with_check) ORDER BY p.cmd) AS policies
       FROM pg_class c JOIN pg_policies p ON p.schemaname = 'public' AND p.tablename = c.relname
       WHERE c.relrowsecurity AND NOT c.relname = ANY ($1) AND 'challan_app' = ANY (p.roles) GROUP BY 1 ORDER BY 1`,
      [tables],
    );
    const isGlobal = '( SELECT is_global() AS is_global)';
    expect(rows).toEqual([
      { name: 'account_devices', policies: [`ALL ${isGlobal}`] },
      { name: 'account_networks', policies: [`ALL ${isGlobal}`] },
      {
        name: 'accounts',
        policies: [
          `INSERT ${isGlobal}`,
          // People are seen by their own business alone.
          `SELECT ((business_id IS NULL) OR (business_id = ( SELECT current_tenant() AS current_tenant)) OR ${isGlobal})`,
          `UPDATE ${isGlobal}`,
        ],
      },
      { name: 'code_waits', policies: [`ALL ${isGlobal}`] },
      { name: 'login_failures', policies: [`ALL ${isGlobal}`] },
      { name: 'recovery_codes', policies: [`ALL ${isGlobal}`] },
      { name: 'second_steps', policies: [`ALL ${isGlobal}`] },
      { name: 'sessions', policies: [`ALL ${isGlobal}`] },
      { name: 'settings', policies: ['SELECT true', `UPDATE ${isGlobal}`] },
      { name: 'sign_ins', policies: [`ALL ${isGlobal}`] },
      { name: 'upkeep', policies: [`ALL ${isGlobal}`] },
    ]);
  });

  it('lets every function that looks past the policies belong to a role without power, with a fixed path', async () => {
    const rows = await ask<{ name: string; is_safe: boolean }>(
      `SELECT p.proname AS name, p.proconfig @> ARRAY['search_path=pg_catalog, public, pg_temp']
         AND NOT has_function_privilege('public', p.oid, 'EXECUTE') AND r.rolname = 'challan_definer' AS is_safe
       FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
       WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef`,
    );
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter(({ is_safe: isSafe }) => !isSafe)).toEqual([]);
  });

  it('tests each of them: through the calls whose queries name it, or by name', async () => {
    const definers = await ask<{ name: string }>(
      `SELECT DISTINCT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`,
    );
    const tests = filesUnder('tests/server').filter((file) => !file.includes('/support/'));
    const files = [...statementFiles(), ...tests].map((file) => readFileSync(join(projectRoot, file), 'utf8'));
    expect(definers.filter(({ name }) => !files.some((text) => text.includes(`${name}(`)))).toEqual([]);
  });
});

/** Rows also where the calls above may have written none, so that no table is seen empty for lack of rows. */
async function fillTheRest(client: Client): Promise<void> {
  for (const { tenant, refs } of scenes) {
    await client.query(
      `INSERT INTO hsd_uploads (subadmin_id, file_name, sha256, total_records, valid_records, valid_matches, total_discrepancies, created_by)
       VALUES ($1, 'bill.csv', '\\x00', 1, 1, 1, 0, $1)`,
      [tenant.id],
    );
    await client.query(
      `INSERT INTO hsd_upload_verifications (subadmin_id, upload_id, verified_count, skipped_count, created_by)
       SELECT $1, id, 1, 0, $1 FROM hsd_uploads WHERE subadmin_id = $1`,
      [tenant.id],
    );
    await client.query(
      `INSERT INTO hsd_upload_matches (subadmin_id, upload_id, challan_id, tp_key, hsd_amount, petrol_pump_id)
       SELECT $1, id, gen_random_uuid(), 'TP', 1, gen_random_uuid() FROM hsd_uploads WHERE subadmin_id = $1`,
      [tenant.id],
    );
    await client.query(
      `INSERT INTO hsd_acceptances (subadmin_id, upload_id, row_no, challan_id, challan_amount, reason, created_by)
       SELECT $1, upload_id, row_no, challan_id, 0, 'x', $1 FROM hsd_upload_rows WHERE subadmin_id = $1
       ON CONFLICT DO NOTHING`,
      [tenant.id],
    );
    await client.query(
      `INSERT INTO shared_reports (subadmin_id, token_hash, owner_id, file_name, content, record_count, created_by, expires_at)
       VALUES ($1, decode(md5($3), 'hex'), $2, 'report.csv', 'x', 1, $1, now() + interval '1 hour')`,
      [tenant.id, refs.ownerId, tenant.id],
    );
    await client.query(
      `INSERT INTO payment_reversals (subadmin_id, batch_id, reason, created_by, reversed_count, reversed_amount)
       VALUES ($1, $2, 'x', $1, 0, 0) ON CONFLICT DO NOTHING`,
      [tenant.id, refs.batchId],
    );
    // The paid challan of a scene has no TDS.
    await client.query(
      'INSERT INTO tds_deposit_covers (subadmin_id, deposit_id, challan_id, amount) VALUES ($1, $2, $3, 1)',
      [tenant.id, refs.tdsDepositId, refs.paidChallanId],
    );
    // The settings of a pump that was deleted meanwhile cannot be written by a call.
    await client.query('INSERT INTO hsd_pump_settings (subadmin_id, petrol_pump_id, updated_by) VALUES ($1, $2, $1)', [
      tenant.id,
      refs.pumpId,
    ]);
    // Roll-ups, and a difference that is still open.
    await api.inTenant(tenant, async (db) => {
      await insertChallans(db, { ownerId: refs.ownerId, tagId: refs.tagId }, 1);
      await db.query('SELECT fold_challan_totals()');
      await sealWritten(db, 0);
      await insertChallans(db, { ownerId: refs.ownerId, tagId: refs.tagId }, 1);
    });
  }
}

describe('statements past the API, as the role of the app', () => {
  beforeAll(() => asSchemaOwner(api, fillTheRest));

  /** The SQLSTATE a statement is refused with, or 'done'. */
  const refusalOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof DatabaseError ? String(error.code) : String(error)),
    );
  const inFirst = <T>(work: (db: TenantDb) => Promise<T>): Promise<T> => api.inTenant(scenes[0].tenant, work);

  /** A row of the second account, to be written again by somebody else. */
  const foreignRow = (name: string) =>
    asSchemaOwner(api, async (client) => {
      const columns = await client.query<{ list: string }>(
        `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS list FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
        [name],
      );
      const row = await client.query<{ row: string }>(
        `SELECT to_jsonb(t)::text AS row FROM ${name} AS t WHERE subadmin_id = $1 LIMIT 1`,
        [scenes[1].tenant.id],
      );
      return { columns: columns.rows[0]?.list ?? '', row: row.rows[0]?.row };
    });
  const insertText = (name: string, columns: string) =>
    `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
     SELECT ${columns} FROM jsonb_populate_record(NULL::${name}, $1::jsonb)`;

  it('without a tenant there is no row and none can be written, in any table', async () => {
    for (const name of tables) {
      const { columns, row } = await foreignRow(name);
      expect([name, row]).toEqual([name, expect.any(String)]);
      const seen = await withGlobal(api.pools.main, 'read', (db) => db.query(`SELECT FROM ${name}`));
      expect([name, seen.rowCount]).toEqual([name, 0]);
      const written = withGlobal(api.pools.main, 'write', (db) => db.query(insertText(name, columns), [row]));
      expect([name, await refusalOf(written)]).toEqual([name, '42501']);
    }
  });

  it('a tenant sees its own rows and no others, in any table, and writes none for another', async () => {
    for (const name of tables) {
      const seen = await inFirst((db) => db.query<{ subadmin_id: string }>(`SELECT DISTINCT subadmin_id FROM ${name}`));
      expect([name, seen.rows]).toEqual([name, [{ subadmin_id: scenes[0].tenant.id }]]);
      const { columns, row } = await foreignRow(name);
      const written = inFirst((db) => db.query(insertText(name, columns), [row]));
      expect([name, await refusalOf(written)]).toEqual([name, '42501']);
    }
  });

  it('a row cannot be handed to another tenant', async () => {
    for (const name of ['owners', 'trucks', 'tags', 'petrol_pumps', 'challans']) {
      const moved = inFirst((db) => db.query(`UPDATE ${name} SET subadmin_id = $1`, [scenes[1].tenant.id]));
      expect([name, await refusalOf(moved)]).toEqual([name, '42501']);
    }
  });

  it("no row can name another tenant's owner, tag, pump or discounter, though it is invisible", async () => {
    const [first, second] = scenes;
    const attempts: [string, string][] = [
      ['UPDATE trucks SET owner_id = $1', second.refs.ownerId],
      ['UPDATE challans SET owner_id = $1', second.refs.ownerId],
      ['UPDATE challans SET discounter_id = $1', second.refs.ownerId],
      ['UPDATE challans SET tag_id = $1', second.refs.tagId],
      ['UPDATE challans SET petrol_pump_id = $1', second.refs.pumpId],
    ];
    for (const [text, id] of attempts) {
      expect([text, await refusalOf(inFirst((db) => db.query(text, [id])))]).toEqual([text, '23503']);
    }
    const own = inFirst((db) => db.query('UPDATE trucks SET owner_id = $1', [first.refs.ownerId]));
    expect(await refusalOf(own)).toBe('done');
  });

  it("no line of a payment can name another tenant's challan or payment, or one that is not there", async () => {
    const [first, second] = scenes;
    const insert = `INSERT INTO payment_lines
        (subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount, challan_number, created_by)
      SELECT $1, challan_id, 98 + line_no, 'pay', batch_id, line_no, $4, 1, 'x', $1
      FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS t (challan_id, batch_id, line_no)`;
    const { challanId, batchId, ownerId } = first.refs;
    const good = [challanId, batchId] as const;
    const values = (lines: readonly (readonly [string, string])[]) => [
      first.tenant.id,
      lines.map(([challan]) => challan),
      lines.map(([, batch]) => batch),
      ownerId,
    ];
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const wrong of [
      [second.refs.challanId, batchId],
      [challanId, second.refs.batchId],
      [second.refs.challanId, second.refs.batchId],
      [unknown, batchId],
      [challanId, unknown],
    ] as const) {
      for (const lines of [[wrong], [good, wrong]]) {
        const asApp = inFirst((db) => db.query(insert, values(lines)));
        expect([lines, await refusalOf(asApp)]).toEqual([lines, '23503']);
        const asOwner = asSchemaOwner(api, (client) => client.query(insert, values(lines)));
        expect([lines, await refusalOf(asOwner)]).toEqual([lines, '23503']);
      }
    }
    // What is there is accepted; the books would not agree with it, so it is taken back.
    const accepted = inFirst(async (db) => {
      const { rowCount } = await db.query(insert, values([good]));
      throw new Error(`${rowCount} written`);
    });
    expect(await refusalOf(accepted)).toBe('Error: 1 written');
  });

  it("no row of a bill can name another tenant's upload or challan, or one that is not there", async () => {
    const [{ tenant, refs }, { refs: theirs }] = scenes;
    const unknown = '00000000-0000-4000-8000-000000000000';
    const row = `INSERT INTO hsd_upload_rows (subadmin_id, upload_id, row_no, kind, tp_no, tp_key, challan_id, month)
      SELECT $1, $2, 90 + n, 'match', 'x', 'x', id, now() FROM unnest($3::uuid[]) WITH ORDINALITY AS t (id, n)`;
    const match = `INSERT INTO hsd_upload_matches (subadmin_id, upload_id, challan_id, tp_key, hsd_amount, petrol_pump_id)
      SELECT $1, $2, id, 'x', 1, id FROM unnest($3::uuid[]) AS t (id)`;
    const own = [refs.challanId];
    for (const [text, upload, challans, said] of [
      [row, refs.hsdUploadId, [...own, theirs.challanId], '23503'],
      [row, refs.hsdUploadId, [...own, unknown], '23503'],
      [row, theirs.hsdUploadId, own, '23503'],
      [match, theirs.hsdUploadId, own, '23503'],
      [match, unknown, own, '23503'],
      [row, refs.hsdUploadId, [...own, ...own], 'done'],
      [match, refs.hsdUploadId, own, 'done'],
    ] as const) {
      const values = [tenant.id, upload, challans];
      const asApp = inFirst((db) => db.query(text, values));
      expect([upload, challans, await refusalOf(asApp)]).toEqual([upload, challans, said]);
      if (said === 'done') continue;
      const asOwner = asSchemaOwner(api, (client) => client.query(text, values));
      expect([upload, challans, await refusalOf(asOwner)]).toEqual([upload, challans, said]);
    }
  });

  it('a challan keeps its key, which lines of payments name', async () => {
    const [{ tenant, refs }, second] = scenes;
    for (const [what, value] of [
      ['id', '00000000-0000-4000-8000-000000000000'],
      ['subadmin_id', second.tenant.id],
    ] as const) {
      const text = `UPDATE challans SET ${what} = $3 WHERE subadmin_id = $1 AND id = $2`;
      const values = [tenant.id, refs.challanId, value];
      const refused = asSchemaOwner(api, (client) => client.query(text, values));
      expect([what, await refusalOf(refused)]).toEqual([what, '23503']);
    }
    const text = 'UPDATE challans SET id = gen_random_uuid() WHERE id = $1';
    expect(await refusalOf(inFirst((db) => db.query(text, [refs.challanId])))).toBe('23503');
    const same = inFirst((db) => db.query('UPDATE challans SET id = id WHERE id = $1', [refs.challanId]));
    expect(await refusalOf(same)).toBe('done');
  });

  const appendOnly = [
    'payment_batches',
    'payment_batch_owners',
    'payment_lines',
    'payment_reversals',
    'carry_events',
    'history',
    'batch_lines',
    'hsd_uploads',
    'hsd_upload_verifications',
    'hsd_upload_matches',
    'hsd_upload_rows',
    'hsd_acceptances',
    'seals',
  ];

  it.each(appendOnly)('%s is append-only: no update, delete or truncate, also for its owner', async (name) => {
    for (const text of [
      `UPDATE ${name} SET subadmin_id = subadmin_id`,
      `DELETE FROM ${name}`,
      `TRUNCATE ${name} CASCADE`,
    ]) {
      expect([text, await refusalOf(inFirst((db) => db.query(text)))]).toEqual([text, '42501']);
      expect([text, await refusalOf(asSchemaOwner(api, (client) => client.query(text)))]).toEqual([text, '42501']);
    }
    const kept = await inFirst((db) => db.query(`SELECT FROM ${name}`));
    expect(kept.rowCount).toBeGreaterThan(0);
  });

  it('no record is ever deleted, and no schema changed', async () => {
    const attempts = [
      ...['owners', 'trucks', 'tags', 'petrol_pumps', 'challans', 'accounts', 'counters'].map(
        (name) => `DELETE FROM ${name}`,
      ),
      'DROP TABLE owners',
      'CREATE TABLE mine (id int)',
      'ALTER TABLE owners DISABLE ROW LEVEL SECURITY',
      'TRUNCATE challans',
    ];
    for (const text of attempts) {
      expect([text, await refusalOf(inFirst((db) => db.query(text)))]).toEqual([text, '42501']);
    }
  });
});
