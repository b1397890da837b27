import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { roomOf, type Directories } from './features/system/disks.service.ts';
import { readingPlaces } from './files/spreadsheet/parser-process.ts';
import type { Pools } from './http/implement.ts';
import type { LogHealth, Upkeep } from '../shared/contract/health.ts';
import { uploadsUnderWay } from './http/upload.ts';
import type { Replica } from './db/read-replica.ts';
import { withGlobal } from './db/tenant.ts';
import { releaseWarning } from './db/postgres-release.ts';
import { selectVersion } from './features/system/maintenance.queries.ts';
import { selectUpkeep } from './features/system/upkeep.queries.ts';

/**
 * Registers the metrics for Prometheus (docs/security.md §8): route patterns, codes and counts, and nothing of a
 * request's content. Call it before the routes are registered.
 */
export function registerMetrics(
  app: FastifyInstance,
  pools: Pools,
  register: Registry,
  log?: () => LogHealth,
  directories: Directories = {},
): void {
  // The default metrics: memory, processor time, garbage collection and the lag of the event loop.
  collectDefaultMetrics({ register });
  const labelNames = ['route', 'method', 'status'] as const;
  const requests = new Counter({
    name: 'challan_requests_total',
    help: 'Answered requests',
    labelNames,
    registers: [register],
  });
  const seconds = new Histogram({
    name: 'challan_request_seconds',
    help: 'Time to the answer',
    labelNames: ['route', 'method'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 30],
    registers: [register],
  });
  app.addHook('onResponse', async (request, reply) => {
    // All unknown addresses count as one route, because anybody could make up any number of them.
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    requests.inc({ route, method, status: String(reply.statusCode) });
    seconds.observe({ route, method }, reply.elapsedTime / 1000);
  });
  register.registerMetric(
    new Gauge({
      name: 'challan_database_connections',
      help: 'Connections of a pool, and calls that wait for one',
      labelNames: ['pool', 'state'],
      registers: [],
      collect() {
        const { replica, ...ours } = pools;
        const all = { ...ours, ...(replica && { replica: replica.main, 'replica-stream': replica.stream }) };
        for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(all)) {
          this.set({ pool, state: 'busy' }, totalCount - idleCount);
          this.set({ pool, state: 'idle' }, idleCount);
          this.set({ pool, state: 'waiting' }, waitingCount);
        }
      },
    }),
  );
  register.registerMetric(
    new Gauge({
      name: 'challan_gate',
      help: 'Uploads and files being read, and those that wait',
      labelNames: ['gate', 'state'],
      registers: [],
      collect() {
        for (const [gate, places] of Object.entries({ uploads: uploadsUnderWay, parser: readingPlaces })) {
          const { running, waiting } = places.counts();
          this.set({ gate, state: 'running' }, running);
          this.set({ gate, state: 'waiting' }, waiting);
        }
      },
    }),
  );
  register.registerMetric(
    new Gauge({
      name: 'challan_account_gate',
      help: 'Calls, calls in batches and files of all accounts of a role, and those that wait for their turn',
      labelNames: ['gate', 'role', 'state'],
      registers: [],
      collect() {
        for (const [gate, places] of Object.entries(app.gates)) {
          for (const role of ['admin', 'subadmin']) {
            const { running, waiting } = places.countsOfPrefix(role);
            this.set({ gate, role, state: 'running' }, running);
            this.set({ gate, role, state: 'waiting' }, waiting);
          }
        }
      },
    }),
  );
  if (pools.replica) registerReplicaMetrics(pools.replica, register);
  if (log) registerLogMetrics(log, register);
  registerUpkeepMetrics(pools, register);
  register.registerMetric(
    new Gauge({
      name: 'challan_database_old',
      help: 'Whether a newer minor version of the PostgreSQL that runs is known, or likely',
      labelNames: ['version'],
      registers: [],
      async collect() {
        this.reset();
        const version = await withGlobal(pools.main, 'read', selectVersion).catch(() => undefined);
        if (version !== undefined) this.set({ version }, Number(releaseWarning(version) !== null));
      },
    }),
  );
  register.registerMetric(
    new Gauge({
      name: 'challan_disk_free_bytes',
      help: 'Free room on the disk of a directory that the program fills',
      labelNames: ['directory'],
      registers: [],
      async collect() {
        this.reset();
        for (const { name, freeBytes } of await roomOf(directories)) this.set({ directory: name }, freeBytes);
      },
    }),
  );
}

type AddGauge = (name: string, help: string, figureOf: () => number | undefined) => void;

/** Returns a function that registers a gauge with one value. The value is absent while it is not known. */
const gaugeAdder =
  (register: Registry): AddGauge =>
  (name, help, figureOf) =>
    register.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.reset();
          const figure = figureOf();
          if (figure !== undefined) this.set(figure);
        },
      }),
    );

/**
 * Registers gauges about the embedded database's log: how much of it is not archived and would be lost with the disk.
 */
function registerLogMetrics(logState: () => LogHealth, register: Registry): void {
  const add = gaugeAdder(register);
  add('challan_log_archive_good', 'Whether the last round archived what waited', () =>
    Number(logState().trouble === null),
  );
  add('challan_log_archive_waiting_bytes', 'Log that is complete and not archived', () => logState().waitingBytes);
  add('challan_log_archive_waiting_seconds', 'How long the first of it waits; 0: none does', () => {
    const { waitingSince } = logState();
    return waitingSince === null ? 0 : Math.max(0, (Date.now() - Date.parse(waitingSince)) / 1_000);
  });
}

/** Registers gauges about the replica: whether reads that may lag go to it, and how far it is behind. */
function registerReplicaMetrics(replica: Replica, register: Registry): void {
  const add = gaugeAdder(register);
  add('challan_replica_usable', 'Whether reads that may be a moment old go to the replica', () =>
    Number(replica.isUsable()),
  );
  add('challan_replica_lag_seconds', 'How far the replica is behind; absent: that is not known', () =>
    replica.lagSeconds(),
  );
  add('challan_replica_passed_by', 'Reads that went to the primary because the replica could not be used', () =>
    replica.bypassCount(),
  );
}

/**
 * Registers gauges about the last check of the books and the last backup, whichever server on the database made them.
 */
function registerUpkeepMetrics({ main }: Pools, register: Registry): void {
  const kinds = ['check', 'backup'] as const;
  const queryUpkeep = () => withGlobal(main, 'read', (db) => Promise.all(kinds.map((kind) => selectUpkeep(db, kind))));
  /** The running query, shared by both gauges, so that one scrape shows both from the same answer. */
  let runningQuery: ReturnType<typeof queryUpkeep> | undefined;
  const add = (name: string, help: string, figureOf: (last: Upkeep) => number | undefined): void =>
    register.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['kind'],
        registers: [],
        async collect() {
          this.reset();
          runningQuery ??= queryUpkeep().finally(() => (runningQuery = undefined));
          // When the database is unreachable, the other metrics are still served.
          const both = await runningQuery.catch(() => []);
          for (const [index, kind] of kinds.entries()) {
            const last = both[index];
            const figure = last ? figureOf(last) : undefined;
            if (figure !== undefined) this.set({ kind }, figure);
          }
        },
      }),
    );
  add(
    'challan_upkeep_good',
    'Whether the last check of the books, or backup, was good; absent: there was none',
    (last) => (last.endedAt === null ? undefined : Number(last.isGood)),
  );
  add('challan_upkeep_good_age_seconds', 'Since it last ended well; absent: it never did', ({ goodAt }) =>
    goodAt === null ? undefined : (Date.now() - Date.parse(goodAt)) / 1_000,
  );
}

/** Serves the metrics on 127.0.0.1 only, whatever HOST says, because this address has no sign-in. */
export async function serveMetrics(register: Registry, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    register.metrics().then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}
