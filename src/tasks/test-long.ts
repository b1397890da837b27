import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runTool, say } from './run.ts';

/**
 * npm run test:long: runs the tests that take their number of rounds from tests/long.ts, with LONG times as many (default
 * 10).
 */
const factor = process.env.LONG ?? '10';
const files = ['tests/calc', 'tests/server'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder))
    .map((name) => `${folder}/${name}`)
    .filter(
      (file) => file.endsWith('.test.ts') && readFileSync(join(projectRoot, file), 'utf8').includes("'../long.ts'"),
    ),
);
say(`${factor} times as many rounds of ${files.length} files; a failure prints the SEED that repeats it.`);
process.env.LONG = factor;
if (!(await runTool('vitest', ['run', '--project', 'calc', '--project', 'server', ...files]))) process.exitCode = 1;
