import { spawn } from 'node:child_process';
import { runTool, say, toolEnvironment, projectRoot, endOf } from './run.ts';
import { runTestFiles, type Outcome } from './test-files.ts';

/**
 * `npm test` runs the checks that protect money, tenants and the main flows. With `full` it runs every check. With `ci` it runs
 * those of `npm test`, and then the rest until the hour is over.
 */
const mode = process.argv[2] ?? 'default';
const hourMs = 3_600_000;

const begun = performance.now();
const secondsSince = (moment: number): string => `${((performance.now() - moment) / 1000).toFixed(1)} s`;

/** Runs one stage and prints how long it took. A stage that fails ends the run. */
async function stage(name: string, run: () => Promise<boolean>): Promise<void> {
  const stageBegun = performance.now();
  say(`— ${name}`);
  if (!(await run())) {
    say(`✗ ${name} failed after ${secondsSince(stageBegun)}`);
    process.exit(1);
  }
  say(`✓ ${name} (${secondsSince(stageBegun)})`);
}

/** Runs a command beside others, and prints its output when it has ended. */
async function runQuietly(command: string, args: string[]): Promise<boolean> {
  const child = spawn(command, args, { cwd: projectRoot, env: toolEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const isGood = (await endOf(child)) === 0;
  process.stdout.write(Buffer.concat(output));
  return isGood;
}

const npmRun = (name: string) => (): Promise<boolean> => runTool('npm', ['run', '--silent', name]);
const totals: Outcome = { isGood: true, passed: 0, failed: 0, skipped: 0, notRun: [] };

async function files(...args: Parameters<typeof runTestFiles>): Promise<boolean> {
  const outcome = await runTestFiles(...args);
  for (const count of ['passed', 'failed', 'skipped'] as const) totals[count] += outcome[count];
  totals.notRun.push(...outcome.notRun);
  return outcome.isGood;
}

const programs = (): Promise<boolean> => runTool('tsx', ['src/tasks/test-programs.ts']);
const selection = mode === 'full' ? 'full' : 'default';

await stage('browser', npmRun('browser'));
if (mode === 'full') await stage('programs', programs);
await stage('types, lint and rules', async () => {
  const checks = await Promise.all([
    runQuietly('npm', ['run', '--silent', 'types']),
    runQuietly('npm', ['run', '--silent', 'lint']),
    files(selection, ['calc']),
  ]);
  return checks.every(Boolean);
});
await stage('build', npmRun('build'));
await stage('tests', () => files(selection, ['server', 'postgres', 'web', 'e2e']));
if (mode === 'ci') {
  await stage('programs', programs);
  await stage('the rest of the tests', () => files('rest', [], begun + hourMs));
  if (totals.notRun.length > 0) say(`The hour was over. Not run:\n${totals.notRun.join('\n')}`);
}
const { passed, failed, skipped } = totals;
say(`Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
say(`All checks passed in ${secondsSince(begun)}.`);
