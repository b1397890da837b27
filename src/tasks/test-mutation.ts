import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot, runTool, say } from './run.ts';

/**
 * npm run test:mutation: puts faults into the pure rules, one at a time, and reports those that tests/calc does not notice
 * (docs/security.md §11). `-- payments` puts them into the code that pays and reverses, and runs the tests of payments. That
 * takes hours, so SHARE=0.2 chooses a fifth of the lines at random, by SEED. MUTATE=src/shared/calc/money.ts takes one file.
 * Faults in SQL are put in by npm run test:statements. Stryker is downloaded once, into a folder of its own under .tmp,
 * because no other command needs it.
 */
interface Part {
  /** The files that get faults: one pattern, or one file. */
  mutate: string;
  tests: readonly string[];
  /** Test files that are not run. */
  excludedTests: readonly string[];
  /** Folders that its tests do not need. They are not copied. */
  unneededFolders: readonly string[];
  globalSetup: readonly string[];
}

const parts: Record<string, Part> = {
  rules: {
    mutate: 'src/shared/calc/!(dates|day-ranges).ts',
    tests: ['tests/calc/**/*.test.ts'],
    // The first generates whole businesses, and the other tests find the same faults sooner. The second sets the time zone of
    // its process, which is not possible in a worker thread.
    excludedTests: ['tests/calc/sample-data.test.ts', 'tests/calc/dates.test.ts'],
    unneededFolders: ['/tests/server'],
    globalSetup: [],
  },
  payments: {
    mutate: 'src/server/features/payments/payments.service.ts',
    tests: [
      'payments',
      'payments-by-filter',
      'payments-ledger',
      'payments-standing',
      'payments-together',
      'carries',
      'holds',
      'bank-files',
    ].map((name) => `tests/server/**/${name}.test.ts`),
    excludedTests: [],
    unneededFolders: [],
    globalSetup: ['tests/server/global-setup.ts'],
  },
};
const part = parts[process.argv[2] ?? 'rules'];
if (!part) throw new Error(`The argument must be one of: ${Object.keys(parts).join(', ')}`);

const version = '9.6.1';
const folder = join(projectRoot, '.tmp', 'stryker');
const packages = join(folder, 'node_modules', '@stryker-mutator');

async function fetchStryker(): Promise<void> {
  say(`Fetching Stryker ${version} (63 MB, once) …`);
  await mkdir(folder, { recursive: true });
  // With --legacy-peer-deps npm does not install another vitest. The project's own is used.
  const options = [
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    '--legacy-peer-deps',
  ];
  const wanted = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`);
  await runTool('npm', ['install', '--prefix', folder, ...options, ...wanted]);
}

const vitestConfig = `import { defineConfig } from 'vitest/config';
export default defineConfig({ test: ${JSON.stringify({
  environment: 'node',
  include: part.tests,
  exclude: part.excludedTests,
  globalSetup: part.globalSetup,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
})} });
`;
const vitestConfigFile = join(folder, 'vitest.config.ts');
const seed = process.env.SEED ?? '12';
const share = Number(process.env.SHARE ?? 1);
const isChosen = (line: number): boolean =>
  createHash('sha256').update(`${seed} ${line}`).digest().readUInt32BE() / 2 ** 32 < share;

/** What Stryker changes: the file, or the chosen lines of it. */
function rangesOf(file: string): string[] {
  if (share >= 1) return [file];
  const count = readFileSync(join(projectRoot, file), 'utf8').split('\n').length;
  const lines = Array.from({ length: count }, (_, n) => n + 1).filter(isChosen);
  return lines.map((line) => `${file}:${line}-${line}`);
}

const config = {
  testRunner: 'vitest',
  plugins: [join(packages, 'vitest-runner', 'dist', 'src', 'index.js')],
  vitest: { configFile: '.tmp/stryker/vitest.config.ts', related: false },
  mutate: rangesOf(process.env.MUTATE ?? part.mutate),
  ignorePatterns: [
    '/data',
    '/dist',
    '/backups',
    '/.tmp/programs-*',
    '/tests/web',
    '/tests/e2e',
    ...part.unneededFolders,
    '!/.tmp/stryker/vitest.config.ts',
  ],
  tempDirName: '.tmp/stryker/sandbox',
  // Stryker would read tsconfig.json with an older TypeScript. It is not needed, so a file is named that does not exist.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  // A fault in code that runs when a file is loaded would need all tests.
  ignoreStatic: true,
  concurrency: 1,
  // A long limit, because a test that is only slow on a busy machine must not count as one that noticed the fault.
  timeoutMS: 120_000,
  dryRunTimeoutMinutes: 30,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: '.tmp/stryker/report.json' },
  allowConsoleColors: false,
};

if (!existsSync(join(packages, 'core')) || !existsSync(join(packages, 'vitest-runner'))) await fetchStryker();
await writeFile(vitestConfigFile, vitestConfig);
await writeFile(join(folder, 'stryker.config.json'), JSON.stringify(config));
// The same random cases for each fault, and fewer of them: more cases hardly find more faults.
process.env.SEED = seed;
process.env.LONG ??= '0.3';
const program = join(packages, 'core', 'bin', 'stryker.js');
if (!(await runTool('node', [program, 'run', join(folder, 'stryker.config.json')]))) process.exitCode = 1;
