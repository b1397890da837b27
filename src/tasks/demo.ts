import { join } from 'node:path';
import { dayOf } from '../shared/calc/dates.ts';
import { startEmbedded } from '../ops/embedded.ts';
import { migrate, MigrationError } from '../server/db/migrate.ts';
import { explain } from '../server/operator-error.ts';
import { hasSubadmins, loadSampleData } from '../sample-data/load.ts';
import { closeSampleMonth } from '../sample-data/month-end.ts';
import { colleagues } from '../sample-data/office-people.ts';
import { fillSampleOffice } from '../sample-data/office.ts';
import { SampleData, type SampleOptions } from '../sample-data/sample-data.ts';
import { ensureBuilt } from './built.ts';
import { endOf, onStop, projectRoot, say, spawnApart } from './run.ts';

/**
 * npm run demo: builds the product if it is not up to date, fills a database with sample data and serves it. The database is
 * always in ./data/demo, whatever DATA_DIR and DATABASE_URL say, so that sample data is never mixed with real data. A later
 * start uses the same data. Delete the directory to begin with new data.
 */
const dataDir = join(projectRoot, 'data', 'demo');
const sample: SampleOptions = { size: 'M', seed: 1, asOf: dayOf(new Date()) };

if (!(await ensureBuilt())) process.exit(1);
if (await fillOnce()) {
  const { DATABASE_URL: _, DATABASE_ADMIN_URL: __, ...environment } = process.env;
  for (const line of welcome()) say(line);
  const server = spawnApart(['dist/server/main.js'], {
    LOG_LEVEL: 'warn',
    ...environment,
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
  });
  onStop((signal) => server.kill(signal));
  process.exitCode = await endOf(server);
}

/** Makes the sample data unless they are there already. Returns false when it failed, after it has printed the reason. */
async function fillOnce(): Promise<boolean> {
  try {
    const database = await startEmbedded({ dataDir, log: say });
    try {
      await migrate(database.url);
      if (await hasSubadmins(database.url)) return true;
      const begun = performance.now();
      say('Making sample data: three transport businesses, a year of challans …');
      const { counts } = await loadSampleData(database.url, sample);
      const { tenants } = new SampleData(sample);
      const now = new Date();
      if (tenants[0]) await closeSampleMonth(database.url, database.appUrl, tenants[0], now);
      await fillSampleOffice(database.url, database.appUrl, tenants, now);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      say(`${counts.get('challans') ?? 0} challans of ${counts.get('owners') ?? 0} owners in ${seconds} s.`);
      return true;
    } finally {
      await database.stop();
    }
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    if (error instanceof MigrationError)
      process.stderr.write('Delete the directory data/demo to begin with new sample data.\n');
    process.exitCode = 1;
    return false;
  }
}

function welcome(): string[] {
  const { logins } = new SampleData(sample);
  const admin = logins.find(({ role }) => role === 'admin');
  const subadmin = logins.find(({ role }) => role === 'subadmin');
  return [
    '',
    `  Sub-admin  ${subadmin?.email}   password ${subadmin?.password}   at /login  (${subadmin?.bannerName})`,
    ...colleagues.map(
      ({ name, seat, email, password }) => `             ${email}   password ${password}   (${name}, ${seat})`,
    ),
    `  Admin      ${admin?.email}    password ${admin?.password}    at /adminlogin`,
    '',
  ];
}
