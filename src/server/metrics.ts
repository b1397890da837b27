import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { readingPlaces } from './files/spreadsheet/parser-process.ts';
import type { Pools } from './http/implement.ts';
import { uploadsUnderWay } from './http/upload.ts';

/**
 * Figures for Prometheus (docs/security.md §8): route patterns, codes and counts, nothing of a request's content. Call it
 * before routes are registered.
 */
export function watchApp(app: FastifyInstance, pools: Pools, register: Registry): void {
  // Memory, processor time, garbage collection and the lag of the event loop.
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
    // Unknown addresses are one route: anybody could make up any number of them.
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
        for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
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
          const { running, waiting } = places.look();
          this.set({ gate, state: 'running' }, running);
          this.set({ gate, state: 'waiting' }, waiting);
        }
      },
    }),
  );
}

/** On this machine alone, whatever HOST says: nobody signs in to it. */
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
