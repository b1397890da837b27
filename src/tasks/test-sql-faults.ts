import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node';
import { projectRoot, say } from './run.ts';
import { describeFault, sqlFaults, withFault, type Fault } from './sql-faults.ts';

/**
 * npm run test:statements: puts faults into the statements that pay and reverse, one at a time, and reports those that the
 * tests of payments do not notice. It exists because Stryker does not change SQL. It tries as many faults as it can in
 * MINUTES (default 30), in a random order by SEED. MUTATE=src/server/features/challans/holds.queries.ts takes other statements.
 */
const seed = process.env.SEED ?? '12';
const files = (
  process.env.MUTATE ??
  ['payable', 'payments', 'payments-single'].map((name) => `src/server/features/payments/${name}.queries.ts`).join()
).split(',');
/** They run in this order. When one of them notices a fault, the others do not run. */
const paymentTests = [
  'payments',
  'payments-ledger',
  'payments-by-filter',
  'payments-standing',
  'carries',
  'holds',
  'payments-together',
  'payment-races',
  'payable',
].map((name) => `tests/server/payments/${name}.test.ts`);

interface FileFault extends Fault {
  file: string;
  source: string;
}

const randomKey = (text: string): string => createHash('sha256').update(`${seed} ${text}`).digest('hex');
const faults: FileFault[] = files
  .flatMap((file) => {
    const source = readFileSync(join(projectRoot, file), 'utf8');
    return sqlFaults(source).map((fault) => ({ ...fault, file, source }));
  })
  .map((fault) => ({ fault, key: randomKey(`${fault.file} ${fault.start} ${fault.replacement}`) }))
  .toSorted((one, other) => one.key.localeCompare(other.key))
  .map(({ fault }) => fault);

let current: FileFault | undefined;
const faultPlugin: Plugin = {
  name: 'sql-fault',
  enforce: 'pre',
  transform: (code, id) => {
    if (!current || id !== join(projectRoot, current.file)) return null;
    if (code !== current.source) throw new Error(`${current.file} has changed during the run`);
    return withFault(code, current);
  },
};
class InOrder extends BaseSequencer {
  override sort(given: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      paymentTests.findIndex((test) => moduleId === join(projectRoot, test));
    return Promise.resolve(given.toSorted((one, other) => place(one) - place(other)));
  }
}
const vitest = await createVitest(
  'test',
  {
    root: projectRoot,
    config: false,
    environment: 'node',
    include: paymentTests,
    globalSetup: ['tests/server/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    sequence: { sequencer: InOrder },
    maxWorkers: 1,
    bail: 1,
    watch: false,
    // The tests print nothing, because most runs are expected to fail.
    reporters: [{}],
    onConsoleLog: () => false,
  },
  { plugins: [faultPlugin] },
);
const tests = await vitest.globTestSpecifications();

const firstFailure = (): string => {
  const failed = vitest.state.getTestModules().find((module) => module.state() === 'failed');
  const [test] = failed?.children.allTests('failed') ?? [];
  return `${failed?.moduleId} fails: ${test?.fullName} ${test?.result().errors?.[0]?.message ?? failed?.errors()[0]?.message}`;
};

/** Whether all tests pass with the fault. They end at the first that fails. */
async function passes(fault: FileFault | undefined): Promise<boolean> {
  current = fault;
  for (const file of files) vitest.invalidateFile(join(projectRoot, file));
  const { testModules } = await vitest.runTestSpecifications(tests);
  return testModules.every((module) => module.ok());
}

const survivors: FileFault[] = [];
let tried = 0;
try {
  if (!(await passes(undefined))) throw new Error(`Without a fault ${firstFailure()}`);
  const until = performance.now() + Number(process.env.MINUTES ?? 30) * 60_000;
  for (const fault of faults) {
    if (performance.now() > until) break;
    const isUnnoticed = await passes(fault);
    tried += 1;
    if (isUnnoticed) survivors.push(fault);
    say(
      `${tried} of ${faults.length}, ${isUnnoticed ? 'NOT NOTICED' : 'noticed'}: ${fault.file}:${describeFault(fault.source, fault)}`,
    );
  }
} finally {
  await vitest.close();
}
say(
  `${tried} of ${faults.length} faults tried (SEED=${seed}): ${tried - survivors.length} noticed, ${survivors.length} not.`,
);
