import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { makeScheduledBackup, type Origin } from '../../../src/ops/backups.ts';
import { prepareAppRole } from '../../../src/server/db/app-role.ts';
import { createKeyFile, readKey } from '../../../src/ops/backup-cipher.ts';
import { startEmbedded, type EmbeddedDatabase } from '../../../src/ops/embedded.ts';
import { hasBase } from '../../../src/ops/log-series.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { restoreEmbedded } from '../../../src/ops/restore.ts';
import { checkDatabase } from '../../../src/ops/check-database.ts';
import { readEnv, defaultBackups, type BackupSettings } from '../../../src/server/env.ts';
import { startServer } from '../../../src/server/start.ts';
import type { Health } from '../../../src/shared/contract/health.ts';
import { inIndia } from '../../../src/shared/calc/dates.ts';
import { projectRoot } from '../../../src/tasks/run.ts';
import { archiveTo, momentIn, patient, seriesIn, startArchived } from '../archived.ts';
import { query, removeDirectories, temporaryDirectory } from '../embedded-run.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createOwner } from '../support/builders.ts';
import { idsOf, insertChallans } from '../support/ledger.ts';

const started: EmbeddedDatabase[] = [];
let api: Api | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
  for (const one of started.splice(0)) await one.stop();
});
afterAll(removeDirectories);

const pay = async (from: Api, tenant: Tenant, challanIds: string[]) => {
  const { status } = await from.callRaw('POST', '/api/challans/bank-report/bulk-payment', {
    token: tenant.token,
    body: { challanIds },
  });
  expect(status).toBe(200);
};

/** Every challan and whether it is paid, in a stable order. */
const challansOf = (url: string) => query(url, 'SELECT id, payment_status, version FROM challans ORDER BY id');

describe('the server', { timeout: 300_000 }, () => {
  it('with BACKUP_DIR archives its log below it, and the admin sees how that fares', async () => {
    const [away, ADMIN_PASSWORD] = [await temporaryDirectory(), 'correct horse 42'];
    const dataDir = join(away, 'data');
    const others = { ADMIN_EMAIL: 'admin@challan.test', ADMIN_PASSWORD, LOG_LEVEL: 'silent' };
    const env = readEnv({ DATA_DIR: dataDir, BACKUP_DIR: join(away, 'backups'), PORT: '0', ...others });
    const server = await startServer({ env, webRoot: '', say: () => undefined });
    try {
      const signedIn = await server.app.inject({
        method: 'POST',
        url: '/api/admin/login',
        payload: { email: 'admin@challan.test', password: ADMIN_PASSWORD },
      });
      const { token } = signedIn.json<{ data: { token: string } }>().data;
      const { data } = (
        await server.app.inject({ url: '/api/admin/health', headers: { authorization: `Bearer ${token}` } })
      ).json<{ data: Health }>();
      expect(data.log).toMatchObject({ trouble: null });
    } finally {
      await server.stop();
    }
    // What it wrote until its end.
    const { files } = await seriesIn(join(away, 'backups', 'wal'));
    expect(files.length).toBeGreaterThan(0);
  });
});

// Clusters are started, backed up and tried out.
describe('a backup with the archived log', { timeout: 600_000 }, () => {
  it.each(['in clear', 'encrypted'])(
    '%s is restored to a moment: the rows of then, and books that agree',
    async (kind) => {
      const dataDir = join(await temporaryDirectory(), 'data');
      const backups = await temporaryDirectory();
      const walDirectory = join(backups, 'wal');
      const keyFile = join(await temporaryDirectory(), 'backups.key');
      await createKeyFile(keyFile);
      const secret = kind === 'encrypted' ? { keyFile } : {};
      const settings: BackupSettings = { ...defaultBackups, ...secret, walDirectory };

      const database = await startArchived(dataDir, { directory: walDirectory, ...secret });
      started.push(database);
      await migrate(database.url);
      await prepareAppRole(database.url, database.appUrl);
      api = await startApi({
        database: { url: database.url, appUrl: database.appUrl, drop: () => Promise.resolve() },
      });
      const tenant = await api.addTenant();
      const { id: ownerId } = await createOwner(api, tenant);
      const insert = async (count: number) =>
        idsOf(await api!.inTenant(tenant, (db) => insertChallans(db, { ownerId }, count)));

      const before = await insert(20);
      const origin: Origin = { url: database.url, dataDir, workDir: dataDir };
      expect(await hasBase(dataDir, walDirectory)).toBe(false);
      const { isGood } = await makeScheduledBackup(origin, backups, settings);
      expect(isGood).toBe(true);
      expect(await hasBase(dataDir, walDirectory)).toBe(true);
      const right = await insert(7);
      await pay(api, tenant, [...before.slice(0, 5), ...right.slice(0, 2)]);
      const moment = await momentIn(database.url);
      const wanted = await challansOf(database.url);
      // What somebody wishes not to have done.
      await pay(api, tenant, before.slice(5));
      const wrong = await insert(3);
      const all = await challansOf(database.url);
      await archiveTo(database, moment);

      const [name = ''] = (await readdir(backups)).filter((one) => one !== 'wal');
      const { files, folder } = await seriesIn(walDirectory);
      expect(files.length).toBeGreaterThan(1);
      expect(files.every(({ file }) => file.endsWith('.gz.encrypted') === (kind === 'encrypted'))).toBe(true);
      // No name of one that is not whole, once the segment that was just closed is there too.
      const unfinished = async () => (await readdir(folder)).length - (await seriesIn(walDirectory)).files.length;
      await expect.poll(unfinished, patient).toBe(0);

      const restored = join(await temporaryDirectory(), 'data');
      const { stdout } = await promisify(execFile)(
        'npx',
        ['tsx', 'src/tasks/restore.ts', join(backups, name), '--until', inIndia(moment, 'ms')],
        {
          cwd: projectRoot,
          env: {
            ...process.env,
            DATA_DIR: restored,
            DATABASE_URL: '',
            BACKUP_DIR: backups,
            BACKUP_KEY_FILE: kind === 'encrypted' ? keyFile : '',
          },
        },
      );
      expect(stdout).toContain(`Replayed to ${inIndia(moment)}: the last change is of ${inIndia(moment).slice(0, 11)}`);
      expect(stdout).toMatch(/\n1 business: no difference \([\d.]+ s\)\.\n$/);
      // The new database archives its log too, and neither takes the other's place.
      const again = await startArchived(restored, { directory: walDirectory, ...secret });
      started.push(again);
      expect(await challansOf(again.url)).toEqual(wanted);
      expect(wrong.some((id) => wanted.some(([other]) => other === id))).toBe(false);
      const second = await momentIn(again.url);
      await archiveTo(again, second);
      expect(await readdir(walDirectory)).toHaveLength(2);
      expect(await hasBase(restored, walDirectory)).toBe(false);

      // And to the end of the log, when the disk is lost.
      const key = kind === 'encrypted' ? await readKey(keyFile) : null;
      const whole = join(await temporaryDirectory(), 'data');
      await restoreEmbedded(join(backups, name), whole, key, { moment: 'latest', directory: walDirectory });
      const last = await startEmbedded({ dataDir: whole, isDurable: false });
      started.push(last);
      expect(await challansOf(last.url)).toEqual(all);
      expect((await checkDatabase(last.url)).isGood).toBe(true);
    },
  );
});
