import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { createVitest, DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node';
import { budgetSeconds, isFullOnly, isShortened } from '../../tests/suites.ts';
import { filesUnder, importsOf } from './imports.ts';
import { projectRoot, say } from './run.ts';

/** `default`: what `npm test` runs. `full`: everything. `rest`: what the default leaves out, or runs with fewer rounds. */
export type Selection = 'default' | 'full' | 'rest';

const isChosen: Record<Selection, (file: string, project: string) => boolean> = {
  default: (file, project) => !isFullOnly(file, project),
  full: () => true,
  rest: (file, project) => isFullOnly(file, project) || isShortened(file),
};

export interface Outcome {
  isGood: boolean;
  passed: number;
  failed: number;
  skipped: number;
  /** The files that were not started, because the time was over. */
  notRun: string[];
}

/**
 * Runs the chosen test files of the given projects (all, if none is given). With `until`, a moment of `performance.now()`, the
 * files that are nearest to the last change come first, and none is started after that moment.
 */
export async function runTestFiles(selection: Selection, projects: string[], until?: number): Promise<Outcome> {
  // tests/long.ts reads it in the workers, which get the environment of this process.
  process.env.LONG = selection === 'default' ? '0.2' : '1';
  const reporter = new DefaultReporter();
  const vitest = await createVitest('test', { watch: false, reporters: [reporter], project: projects });
  try {
    reporter.onInit(vitest);
    const found = await vitest.globTestSpecifications();
    const chosen = found.filter((one) => isChosen[selection](fileOf(one), one.project.name));
    const notRun: string[] = [];
    for (const batch of until === undefined ? [chosen] : nearestFirst(chosen)) {
      if (until !== undefined && performance.now() > until) notRun.push(...batch.map(nameOf));
      else if (batch.length > 0) await vitest.runTestSpecifications(batch);
    }
    const modules = vitest.state.getTestModules();
    record(modules);
    if (selection === 'default') printSlow(modules);
    const unhandled = vitest.state.getUnhandledErrors();
    printFailures(modules, unhandled);
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const isGood = modules.every((module) => module.ok()) && unhandled.length === 0;
    return { isGood, passed: count('passed'), failed: count('failed'), skipped: count('skipped'), notRun };
  } finally {
    await vitest.close();
  }
}

const fileOf = ({ moduleId }: { moduleId: string }): string => path.relative(projectRoot, moduleId);
const nameOf = (one: TestSpecification | TestModule): string => `${one.project.name}: ${fileOf(one)}`;

/** Seconds that a file took, its imports included. */
function secondsOf(module: TestModule): number {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return Math.round((setupDuration + collectDuration + duration) / 100) / 10;
}

/** Where each run notes the seconds of its files; those of other files stay. */
const durationsFile = path.join(projectRoot, '.tmp/test-durations.json');

function record(modules: TestModule[]): void {
  let known: Record<string, number> = {};
  try {
    known = JSON.parse(readFileSync(durationsFile, 'utf8')) as Record<string, number>;
  } catch {
    // The first run.
  }
  for (const module of modules) known[nameOf(module)] = secondsOf(module);
  mkdirSync(path.dirname(durationsFile), { recursive: true });
  const longestFirst = Object.entries(known).sort(([, one], [, other]) => other - one);
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(longestFirst), null, 1)}\n`);
}

function printSlow(modules: TestModule[]): void {
  for (const module of modules) {
    const seconds = secondsOf(module);
    if (seconds > budgetSeconds) say(`Over its budget of ${budgetSeconds} s: ${nameOf(module)} (${seconds} s)`);
  }
}

/** Names each failure once more: with many batches, its own report is far above the end. */
function printFailures(modules: TestModule[], unhandled: readonly unknown[]): void {
  for (const error of unhandled) say(`✗ An error that no test caught: ${inspect(error, { depth: 1 })}`);
  for (const module of modules) {
    for (const error of module.errors()) say(`✗ ${nameOf(module)}: ${error.message}`);
    for (const test of module.children.allTests('failed')) {
      say(`✗ ${nameOf(module)}: ${test.fullName}\n${test.result().errors?.[0]?.message ?? ''}`);
    }
  }
}

/** The files of a batch run side by side: enough of them to keep the workers busy. */
const batchSize = 24;

/** In batches, by the number of imports between a test file and what was changed. */
function nearestFirst(specifications: TestSpecification[]): TestSpecification[][] {
  const distance = distancesToChange();
  const far = (one: TestSpecification): number => distance.get(fileOf(one)) ?? Infinity;
  const sorted = specifications.toSorted(
    (one, other) => far(one) - far(other) || (nameOf(one) < nameOf(other) ? -1 : 1),
  );
  return Array.from({ length: Math.ceil(sorted.length / batchSize) }, (_, at) =>
    sorted.slice(at * batchSize, (at + 1) * batchSize),
  );
}

/** How many commits count as the last change. */
const commits = 40;

/** File → how many imports it is away from a file that the last commits changed. Without a history: nothing. */
function distancesToChange(): Map<string, number> {
  let changed: string[];
  try {
    const git = ['log', `-${commits}`, '--name-only', '--format='];
    changed = execFileSync('git', git, { cwd: projectRoot, encoding: 'utf8', stdio: 'pipe' }).split('\n');
  } catch {
    return new Map();
  }
  const importers = new Map<string, string[]>();
  for (const { from, to } of [...filesUnder('src'), ...filesUnder('tests')].flatMap(importsOf)) {
    importers.set(to, [...(importers.get(to) ?? []), from]);
  }
  const distance = new Map(changed.map((file) => [file, 0]));
  // A map is walked in the order in which its keys were added, the new ones included: the nearest first.
  for (const [file, steps] of distance) {
    for (const importer of importers.get(file) ?? []) if (!distance.has(importer)) distance.set(importer, steps + 1);
  }
  return distance;
}
