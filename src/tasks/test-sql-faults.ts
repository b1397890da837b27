import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node';
import { projectRoot, say } from './run.ts';
import { shownFault, sqlFaults, withFault, type Fault } from './sql-faults.ts';

/**
 * npm run test:statements: puts faults into the statements that pay and take back, one at a time, and says which
 * of them the tests of payments do not notice. Stryker does not change SQL. It tries as many as fit into MINUTES (usual: 30),
 * in an order drawn by SEED; MUTATE=src/server/queries/holds.ts for other statements.
 */
const seed = process.env.SEED ?? '12';
const files = (process.env.MUTATE ?? 'src/server/queries/payments.ts,src/server/queries/payments-single.ts').split(',');
/** In this order; what one of them notices is not tried with the others. */
const paymentTests = [
  'payments',
  'payments-ledger',
  'payments-by-filter',
  'payments-standing',
  'carries',
  'holds',
  'payments-together',
  'payment-races',
].map((name) => `tests/server/${name}.test.ts`);

interface Placed extends Fault {
  file: string;
  source: string;
}

const drawn = (text: string): string => createHash('sha256').update(`${seed} ${text}`).digest('hex');
const faults: Placed[] = files
  .flatMap((file) => {
    const source = readFileSync(join(projectRoot, file), 'utf8');
    return sqlFaults(source).map((fault) => ({ ...fault, file, source }));
  })
  .map((fault) => ({ fault, place: drawn(`${fault.file} ${fault.start} ${fault.becomes}`) }))
  .toSorted((one, other) => one.place.localeCompare(other.place))
  .map(({ fault }) => fault);

let present: Placed | undefined;
const faulty: Plugin = {
  name: 'sql-fault',
  enforce: 'pre',
  transform: (code, id) => {
    if (!present || id !== join(projectRoot, present.file)) return null;
    if (code !== present.source) throw new Error(`${present.file} has changed meanwhile`);
    return withFault(code, present);
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
    // What is printed of the tests is of no use: most runs are meant to fail.
    reporters: [{}],
    onConsoleLog: () => false,
  },
  { plugins: [faulty] },
);
const tests = await vitest.globTestSpecifications();

const failedFirst = (): string => {
  const failed = vitest.state.getTestModules().find((module) => module.state() === 'failed');
  const [test] = failed?.children.allTests('failed') ?? [];
  return `${failed?.moduleId} fails: ${test?.fullName} ${test?.result().errors?.[0]?.message ?? failed?.errors()[0]?.message}`;
};

/** Whether the tests pass with the fault; the first that fails ends them. */
async function passes(fault: Placed | undefined): Promise<boolean> {
  present = fault;
  for (const file of files) vitest.invalidateFile(join(projectRoot, file));
  const { testModules } = await vitest.runTestSpecifications(tests);
  return testModules.every((module) => module.ok());
}

const survivors: Placed[] = [];
let tried = 0;
try {
  if (!(await passes(undefined))) throw new Error(`Without a fault ${failedFirst()}`);
  const until = performance.now() + Number(process.env.MINUTES ?? 30) * 60_000;
  for (const fault of faults) {
    if (performance.now() > until) break;
    const isUnnoticed = await passes(fault);
    tried += 1;
    if (isUnnoticed) survivors.push(fault);
    say(
      `${tried} of ${faults.length}, ${isUnnoticed ? 'NOT NOTICED' : 'noticed'}: ${fault.file}:${shownFault(fault.source, fault)}`,
    );
  }
} finally {
  await vitest.close();
}
say(
  `${tried} of ${faults.length} faults tried (SEED=${seed}): ${tried - survivors.length} noticed, ${survivors.length} not.`,
);
