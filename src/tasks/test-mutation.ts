import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot, runTool, say } from './run.ts';

/**
 * npm run test:mutation: puts faults into the pure rules, one at a time, and prints those that the tests in tests/calc do
 * not notice (docs/security.md §11). MUTATE=src/shared/calc/money.ts is for one file. Stryker is fetched once into a folder
 * of its own, because no other command needs it.
 */
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
export default defineConfig({
  test: {
    environment: 'node',
    include: ['tests/calc/**/*.test.ts'],
    // The first one generates whole businesses, and the others find the same faults sooner. The second one sets the time
    // zone of its process, which a worker thread cannot do.
    exclude: ['tests/calc/sample-data.test.ts', 'tests/calc/dates.test.ts'],
  },
});
`;
const vitestConfigFile = join(place, 'vitest.config.ts');
const config = {
  testRunner: 'vitest',
  plugins: [join(packages, 'vitest-runner', 'dist', 'src', 'index.js')],
  vitest: { configFile: '.tmp/stryker/vitest.config.ts', related: false },
  mutate: (process.env.MUTATE ?? 'src/shared/calc/!(dates|day-ranges|typed-date).ts').split(','),
  ignorePatterns: [
    '/data',
    '/dist',
    '/backups',
    '/tests/web',
    '/tests/e2e',
    '/tests/server',
    '!/.tmp/stryker/vitest.config.ts',
  ],
  tempDirName: '.tmp/stryker/sandbox',
  // Stryker reads tsconfig.json with an older TypeScript. No file needs it, so it gets a file that does not exist.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  // A fault in code that runs once when a file is loaded would need all tests.
  ignoreStatic: true,
  concurrency: 1,
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: '.tmp/stryker/report.json' },
  allowConsoleColors: false,
};

if (!existsSync(join(packages, 'core')) || !existsSync(join(packages, 'vitest-runner'))) await fetchStryker();
await writeFile(vitestConfigFile, vitestConfig);
await writeFile(join(place, 'stryker.config.json'), JSON.stringify(config));
// Every fault gets the same random cases, and fewer of them: a fault is found early or not at all.
process.env.SEED ??= '12';
process.env.LONG ??= '0.3';
const program = join(packages, 'core', 'bin', 'stryker.js');
if (!(await runTool('node', [program, 'run', join(place, 'stryker.config.json')]))) process.exitCode = 1;
