import { runTool, say } from './run.ts';

/** Every check, the cheapest first. The first failure ends the run. */
const stages: { name: string; command: string; args: string[] }[] = [
  { name: 'browser', command: 'npm', args: ['run', '--silent', 'browser'] },
  { name: 'programs', command: 'tsx', args: ['src/tasks/test-programs.ts'] },
  { name: 'types', command: 'npm', args: ['run', '--silent', 'types'] },
  { name: 'lint', command: 'npm', args: ['run', '--silent', 'lint'] },
  { name: 'build', command: 'npm', args: ['run', '--silent', 'build'] },
  { name: 'tests', command: 'vitest', args: ['run'] },
];

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const begun = performance.now();
for (const { name, command, args } of stages) {
  const stageBegun = performance.now();
  say(`— ${name}`);
  if (!(await runTool(command, args))) {
    say(`✗ ${name} failed after ${seconds(stageBegun)}`);
    process.exit(1);
  }
  say(`✓ ${name} (${seconds(stageBegun)})`);
}
say(`All checks passed in ${seconds(begun)}.`);
