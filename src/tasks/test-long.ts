import { isShortened } from '../../tests/suites.ts';
import { filesUnder } from './imports.ts';
import { runTool, say } from './run.ts';

/**
 * npm run test:long: runs the tests that take their number of rounds from tests/long.ts, with LONG times as many (default
 * 10).
 */
const factor = process.env.LONG ?? '10';
const files = [...filesUnder('tests/calc', /\.test\.ts$/), ...filesUnder('tests/server', /\.test\.ts$/)].filter(
  isShortened,
);
say(`${factor} times as many rounds of ${files.length} files; a failure prints the SEED that repeats it.`);
process.env.LONG = factor;
if (!(await runTool('vitest', ['run', '--project', 'calc', '--project', 'server', ...files]))) process.exitCode = 1;
