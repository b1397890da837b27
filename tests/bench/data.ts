import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbedded } from '../../src/ops/embedded.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { loadSampleData } from '../../src/sample-data/load.ts';
import { SampleData, type SampleOptions } from '../../src/sample-data/sample-data.ts';
import { projectRoot } from '../../src/tasks/run.ts';

export interface BenchData {
  /** The data directory of this run. */
  dataDir: string;
  /** The largest business, and the smallest for comparison. */
  large: SampleData['tenants'][number];
  small: SampleData['tenants'][number];
  /** How the data was loaded, for the report. */
  loadNote: string;
}

/**
 * Loads the data once into ./data/bench. It is loaded again only when the generator or the schema has changed. Each run works
 * on a copy.
 */
export async function prepareData(size: SampleOptions['size'], say: (line: string) => void): Promise<BenchData> {
  const sample: SampleOptions = { size, seed: 1, asOf: '2026-11-01' };
  const home = join(projectRoot, 'data', 'bench', size);
  const pristine = join(home, 'pristine');
  const dataDir = join(home, 'run');
  const stamp = join(home, 'stamp');
  const wanted = await hashOf(sample);
  let loadNote = 'loaded before';
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== wanted) {
    say(`Loading size ${size}; this happens once …`);
    await rm(home, { recursive: true, force: true });
    await mkdir(home, { recursive: true });
    const begun = performance.now();
    const database = await startEmbedded({ dataDir: pristine, log: say, isDurable: false, settings: forOneLoad });
    try {
      await migrate(database.url);
      const { counts } = await loadSampleData(database.url, sample, say);
      loadNote = `${counts.get('challans')} challans in ${((performance.now() - begun) / 1000).toFixed(0)} s`;
    } finally {
      await database.stop();
    }
    await writeFile(stamp, wanted);
  }
  say('Copying the data for this run …');
  await rm(dataDir, { recursive: true, force: true });
  await promisify(execFile)('cp', ['-a', '--reflink=auto', pristine, dataDir]);

  const { tenants } = new SampleData(sample);
  const [large, small] = [tenants[0], tenants.at(-1)];
  if (!large || !small) throw new Error('A size has businesses');
  return { dataDir, large, small, loadNote };
}

/** Without a complete write-ahead log, because a load that fails is started again. */
const forOneLoad = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  shared_buffers: '1GB',
  max_parallel_maintenance_workers: '2',
};

/** A hash of everything that decides which rows are in the database. */
async function hashOf(sample: SampleOptions): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(sample));
  for (const folder of ['src/sample-data', 'src/server/db/migrations']) {
    const files = (await readdir(join(projectRoot, folder))).sort();
    for (const file of files) hash.update(`${file}\0`).update(await readFile(join(projectRoot, folder, file)));
  }
  return hash.digest('hex');
}
