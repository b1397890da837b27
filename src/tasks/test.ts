import { runTool, say } from './run.ts';

/** Every check, the cheapest first; the first failure ends the run. */
const stages: { name: string; command: string; args: string[] }[] = [
  { name: 'browser', command: 'npm', args: ['run', '--silent', 'browser'] },
  { name: 'libreoffice', command: 'tsx', args: ['src/tasks/libreoffice-setup.ts'] },
  { name: 'postgres', command: 'tsx', args: ['src/tasks/postgres-setup.ts'] },
  { name: 'node', command: 'tsx', args: ['src/tasks/node-setup.ts'] },
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
