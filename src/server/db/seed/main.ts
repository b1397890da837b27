import { dayOf } from '../../../shared/calc/dates.ts';
import { EnvError, readEnv } from '../../env.ts';
import { EmbeddedError, startEmbedded } from '../embedded.ts';
import { migrate, MigrationError } from '../migrate.ts';
import { loadSampleData, SeedError, type Loaded } from './load.ts';
import { loginLines, readSeedOptions } from './options.ts';

/** npm run seed -- --size S|M|L|XL --seed N: sample data into an empty database (wire.md, "Running"). */
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function seed(): Promise<Loaded> {
  // Only where it is said outright: readEnv takes an absent NODE_ENV for production, which here would refuse everybody.
  if (process.env.NODE_ENV === 'production') {
    throw new SeedError('Sample data is not loaded when NODE_ENV is production.');
  }
  const options = readSeedOptions(process.argv.slice(2), dayOf(new Date()));
  const env = readEnv();
  const embedded = env.databaseUrl === undefined ? await startEmbedded({ dataDir: env.dataDir, log: say }) : undefined;
  try {
    const url = env.databaseUrl ?? embedded?.url ?? '';
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
  // What a person can mend is one clear line; anything else keeps its stack.
  const isPlain = [SeedError, EnvError, EmbeddedError, MigrationError].some((kind) => error instanceof kind);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${isPlain && error instanceof Error ? error.message : stack}\n`);
  process.exitCode = 1;
}
