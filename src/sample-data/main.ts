import { dayOf } from '../shared/calc/dates.ts';
import { readEnv } from '../server/env.ts';
import { startEmbedded } from '../ops/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { explain } from '../server/operator-error.ts';
import { hasTables, loadSampleData, SeedError, type Loaded } from './load.ts';
import { loginLines, readSeedOptions } from './options.ts';

/** npm run seed -- --size S|M|L|XL --seed N: loads sample data into an empty database (docs/specification.md §18.3). */
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function seed(): Promise<Loaded> {
  // It reads process.env itself: readEnv takes an absent NODE_ENV for production, which would refuse every seed.
  if (process.env.NODE_ENV === 'production') {
    throw new SeedError('Sample data is not loaded when NODE_ENV is production.');
  }
  const { isConfirmed, ...options } = readSeedOptions(process.argv.slice(2), dayOf(new Date()));
  const env = readEnv();
  const embedded = env.databaseUrl === undefined ? await startEmbedded({ dataDir: env.dataDir, log: say }) : undefined;
  try {
    const url = env.databaseAdminUrl ?? env.databaseUrl ?? embedded?.url ?? '';
    if (!isConfirmed && (env.databaseUrl !== undefined || (await hasTables(url)))) {
      throw new SeedError(
        'Without --yes sample data is loaded only into a database that this command makes itself (a new DATA_DIR). With --yes it is loaded into one that is there and has no sub-admins.',
      );
    }
    await migrate(url);
    say(`Loading sample data: size ${options.size}, seed ${options.seed}, up to ${options.asOf}`);
    return await loadSampleData(url, options, say);
  } finally {
    await embedded?.stop();
  }
}

try {
  const loaded = await seed();
  for (const line of loginLines(loaded)) say(line);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
