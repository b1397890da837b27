import { readFile, rm } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../../src/ops/embedded.ts';
import { createPool } from '../../src/server/db/pool.ts';
import { ensureBuilt } from '../../src/tasks/built.ts';
import type { Context, Measurement } from './context.ts';
import { measureBankMatching } from './bank-matching.ts';
import { measureBulk } from './bulk.ts';
import { measureCsv, measureWorkbook } from './csv.ts';
import { measureDashboard } from './dashboard.ts';
import { prepareData, type BenchData } from './data.ts';
import { measureEvents } from './events.ts';
import { measureExceptions } from './exceptions.ts';
import { measureFilters } from './filters.ts';
import { measureGroups } from './groups.ts';
import { measureGrowth } from './growth.ts';
import { measureHsd } from './hsd.ts';
import { measureLargeChanges } from './large-changes.ts';
import { measureLists } from './lists.ts';
import { measureLogging } from './logging.ts';
import { measurePayments } from './payments.ts';
import { measureRanges } from './ranges.ts';
import { measureRates } from './rates.ts';
import { measureRows } from './rows.ts';
import { measureScripts } from './scripts.ts';
import { CallError, Caller, startServer } from './server.ts';
import { measureSheet } from './sheet.ts';
import { measureSheetScreen } from './sheet-screen.ts';
import { measureSingles } from './singles.ts';
import { measureSorts } from './sorts.ts';
import { measureStarts } from './starts.ts';
import { measureSteady } from './steady.ts';
import { megabytes, printTable, type Line } from './table.ts';
import { measureTds } from './tds.ts';
import { measureToday } from './today.ts';
import { residentBytes } from './usage.ts';
import { measureWrites } from './writes.ts';

/**
 * npm run bench: measures speed and memory of the built server with a million challans, compared with the same work in SQL in
 * the same run. It prints one table and asserts nothing, because figures depend on the machine; ratios hardly do. `--quick`
 * takes 50,000 challans, `--only lists,csv` runs some parts, and `--minutes 10` is the length of `steady`.
 */
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, minutes: { type: 'string' } },
});
const parts = [
  'starts',
  'lists',
  'rates',
  'logging',
  'sorts',
  'filters',
  'groups',
  'exceptions',
  'growth',
  'dashboard',
  'today',
  'csv',
  'writes',
  'singles',
  'payments',
  'large-changes',
  'steady',
  'bulk',
  'bank-matching',
  'hsd',
  'tds',
  'sheet',
  'scripts',
  'events',
  'rows',
  'ranges',
  'sheet-screen',
  'workbook',
] as const;
type Part = (typeof parts)[number];
const asked = values.only?.split(',') ?? [...parts];
const isAsked = (part: Part): boolean => asked.includes(part);

async function run(): Promise<void> {
  if (process.platform !== 'linux') throw new Error('The bench reads /proc: it runs on Linux only.');
  if (!(await ensureBuilt())) throw new Error('There is no build to measure.');
  const data = await prepareData(values.quick ? 'M' : 'XL', say);
  const lines: Line[] = [];
  if (isAsked('starts')) {
    say('Starts …');
    lines.push(...(await attempt('starts', () => measureStarts(data))));
  }
  lines.push(...(await withServer(data)));
  await rm(data.dataDir, { recursive: true, force: true });
  const { model } = cpus()[0] ?? { model: 'unknown processor' };
  say('');
  say(`${cpus().length} × ${model}, ${megabytes(totalmem())}, Node ${process.version}; data: ${data.loadNote}`);
  printTable(lines, say);
}

async function withServer(data: BenchData): Promise<Line[]> {
  const database = await startEmbedded({ dataDir: data.dataDir, log: say });
  const [sql, copy] = [
    createPool(database.url, { max: 2, statementTimeoutMs: 300_000 }),
    createPool(database.url, { max: 1, pipeline: false, statementTimeoutMs: 300_000 }),
  ];
  const server = await startServer({ DATABASE_URL: database.appUrl, DATABASE_ADMIN_URL: database.url });
  const [large, small] = [new Caller(server.url), new Caller(server.url)];
  try {
    await large.signIn(data.large.email, data.large.password);
    await small.signIn(data.small.email, data.small.password);
    const processes = { server: server.pid, postmaster: await postmasterOf(data.dataDir) };
    const context: Context = {
      data,
      server,
      processes,
      databaseUrl: database.url,
      appUrl: database.appUrl,
      large,
      small,
      sql,
      copy,
      isQuick: values.quick,
      say,
    };
    const measurements: [Part, Measurement][] = [
      ['lists', measureLists],
      ['rates', measureRates],
      ['logging', measureLogging],
      ['sorts', measureSorts],
      ['filters', measureFilters],
      ['groups', measureGroups],
      ['exceptions', measureExceptions],
      ['growth', measureGrowth],
      ['dashboard', measureDashboard],
      ['today', measureToday],
      ['csv', measureCsv],
      ['writes', measureWrites],
      ['singles', measureSingles],
      ['payments', measurePayments],
      ['large-changes', measureLargeChanges],
      ['steady', (of) => measureSteady(of, Number(values.minutes ?? (values.quick ? 2 : 30)))],
      ['sheet', measureSheet],
      ['bulk', measureBulk],
      ['bank-matching', measureBankMatching],
      ['hsd', measureHsd],
      ['tds', measureTds],
      ['scripts', () => measureScripts(server, data)],
      ['events', () => measureEvents(server, data)],
      ['rows', () => measureRows(server, data)],
      ['ranges', () => measureRanges(server, data)],
      ['sheet-screen', () => measureSheetScreen(server, data)],
      // This is the last one, because it makes challans unpaid without the ledger.
      ['workbook', measureWorkbook],
    ];
    const lines: Line[] = [];
    for (const [part, measure] of measurements) {
      if (!isAsked(part)) continue;
      say(`${part.charAt(0).toUpperCase()}${part.slice(1)} …`);
      lines.push(...(await attempt(part, () => measure(context))));
    }
    return [...lines, { what: 'memory of the server after all this', measured: megabytes(residentBytes(server.pid)) }];
  } finally {
    large.close();
    small.close();
    await server.stop();
    await Promise.all([sql.end(), copy.end()]);
    await database.stop();
  }
}

/** When a measurement fails, the report has a line about it and the run goes on. */
async function attempt(part: string, measure: () => Promise<Line[]>): Promise<Line[]> {
  try {
    return await measure();
  } catch (error) {
    const isMissing = error instanceof CallError && (error.status === 404 || error.status === 405);
    const reason = error instanceof Error ? error.message : String(error);
    return [{ what: part, measured: isMissing ? 'left out: not there yet' : 'failed', note: reason }];
  }
}

async function postmasterOf(dataDir: string): Promise<number> {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}

await run();
