import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot, runTool, say } from './run.ts';

/**
 * npm run test:mutation: puts faults into the pure rules, one at a time, and says which the tests of tests/calc do not
 * notice (docs/security.md §11). With `-- payments` into what pays and takes back, for the tests of payments; a run of all of
 * them takes hours, so SHARE=0.2 draws a fifth of the lines, by SEED. MUTATE=src/shared/calc/money.ts for one file. For
 * statements in SQL: npm run test:statements. Stryker is fetched once, into a place of its own: no other command needs it.
 */
interface Part {
  /** One pattern, or one file. */
  mutate: string;
  tests: readonly string[];
  /** Tests that no fault is tried with. */
  without: readonly string[];
  /** Folders that its tests do without. */
  leftOut: readonly string[];
  globalSetup: readonly string[];
}

const parts: Record<string, Part> = {
  rules: {
    mutate: 'src/shared/calc/!(dates|day-ranges|typed-date).ts',
    tests: ['tests/calc/**/*.test.ts'],
    // The first generates whole businesses, and what it finds the others find sooner. The second sets the zone of its
    // process, which a worker thread cannot.
    without: ['tests/calc/sample-data.test.ts', 'tests/calc/dates.test.ts'],
    leftOut: ['/tests/server'],
    globalSetup: [],
  },
  payments: {
    mutate: 'src/server/services/payments.ts',
    tests: [
      'payments',
      'payments-by-filter',
      'payments-ledger',
      'payments-standing',
      'payments-together',
      'carries',
      'holds',
      'bank-files',
    ].map((name) => `tests/server/${name}.test.ts`),
    without: [],
    leftOut: [],
    globalSetup: ['tests/server/global-setup.ts'],
  },
};
const part = parts[process.argv[2] ?? 'rules'];
if (!part) throw new Error(`What to put faults into is one of: ${Object.keys(parts).join(', ')}`);

const version = '9.6.1';
const place = join(projectRoot, '.tmp', 'stryker');
const packages = join(place, 'node_modules', '@stryker-mutator');

async function fetchStryker(): Promise<void> {
  say(`Fetching Stryker ${version} (63 MB, once) …`);
  await mkdir(place, { recursive: true });
  // --legacy-peer-deps keeps npm from installing another vitest: the project's own is used.
  const options = [
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    '--legacy-peer-deps',
  ];
  const wanted = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`);
  await runTool('npm', ['install', '--prefix', place, ...options, ...wanted]);
}

const vitestConfig = `import { defineConfig } from 'vitest/config';
export default defineConfig({ test: ${JSON.stringify({
  environment: 'node',
  include: part.tests,
  exclude: part.without,
  globalSetup: part.globalSetup,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
})} });
`;
const vitestConfigFile = join(place, 'vitest.config.ts');
const seed = process.env.SEED ?? '12';
const share = Number(process.env.SHARE ?? 1);
const isDrawn = (line: number): boolean =>
  createHash('sha256').update(`${seed} ${line}`).digest().readUInt32BE() / 2 ** 32 < share;

/** What Stryker changes: a file, or lines of it that were drawn. */
function placesIn(file: string): string[] {
  if (share >= 1) return [file];
  const count = readFileSync(join(projectRoot, file), 'utf8').split('\n').length;
  const lines = Array.from({ length: count }, (_, n) => n + 1).filter(isDrawn);
  return lines.map((line) => `${file}:${line}-${line}`);
}

const config = {
  testRunner: 'vitest',
  plugins: [join(packages, 'vitest-runner', 'dist', 'src', 'index.js')],
  vitest: { configFile: '.tmp/stryker/vitest.config.ts', related: false },
  mutate: placesIn(process.env.MUTATE ?? part.mutate),
  ignorePatterns: [
    '/data',
    '/dist',
    '/backups',
    '/.tmp/programs-*',
    '/tests/web',
    '/tests/e2e',
    ...part.leftOut,
    '!/.tmp/stryker/vitest.config.ts',
  ],
  tempDirName: '.tmp/stryker/sandbox',
  // Stryker reads tsconfig.json with an older TypeScript. No file needs it, so it gets a file that does not exist.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  // A fault in code that runs once when a file is loaded would need all tests.
  ignoreStatic: true,
  concurrency: 1,
  // A busy machine: a fault is not noticed by a test that was only slow.
  timeoutMS: 120_000,
  dryRunTimeoutMinutes: 30,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: '.tmp/stryker/report.json' },
  allowConsoleColors: false,
};

if (!existsSync(join(packages, 'core')) || !existsSync(join(packages, 'vitest-runner'))) await fetchStryker();
await writeFile(vitestConfigFile, vitestConfig);
await writeFile(join(place, 'stryker.config.json'), JSON.stringify(config));
// The same random cases for each fault, and fewer of them: a fault is found early or not at all.
process.env.SEED = seed;
process.env.LONG ??= '0.3';
const program = join(packages, 'core', 'bin', 'stryker.js');
if (!(await runTool('node', [program, 'run', join(place, 'stryker.config.json')]))) process.exitCode = 1;
