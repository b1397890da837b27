import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { projectRoot } from '../../src/tasks/run.ts';

export interface BenchServer {
  pid: number;
  url: URL;
  stop(): Promise<void>;
}

/** Starts the built server on a free port. */
export function startServer(environment: Record<string, string>): Promise<BenchServer> {
  return startProgram(['dist/server/main.js'], { LOG_LEVEL: 'warn', PORT: '0', ...environment });
}

/** Starts a program that prints its address ("running at …"). Messages can be sent to it. */
export async function startProgram(
  args: string[],
  environment: Record<string, string> = {},
): Promise<BenchServer & { child: ChildProcess }> {
  const { DATABASE_URL: _, DATABASE_ADMIN_URL: __, DATA_DIR: ___, ...inherited } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: { ...inherited, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const address = await printedAddress(child);
  if (child.pid === undefined) throw new Error('A program that prints has a process id');
  return {
    child,
    pid: child.pid,
    url: new URL(address),
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', function listen(chunk: Buffer) {
      printed += chunk.toString();
      const address = /running at (http:\S+)/.exec(printed)?.[1];
      if (!address) return;
      // What it prints afterwards is ignored.
      child.stdout?.off('data', listen).resume();
      resolve(address);
    });
    child.on('exit', (code) => reject(new Error(`The server ended with ${code}: ${printed}`)));
  });
}

export interface Reply {
  status: number;
  text: string;
}

/** Makes calls over one connection, which stays open as in a browser. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;
  #token = '';

  constructor(url: URL) {
    this.#url = url;
  }

  async signIn(email: string, password: string): Promise<void> {
    const { status, text } = await this.send('POST', '/api/subadmins/login', { email, password });
    if (status !== 200) throw new Error(`Signing in failed: ${status} ${text}`);
    const { token } = JSON.parse(text) as { token: string };
    this.#token = token;
  }

  /** Uses the session of another caller over its own connection, because an account has at most ten sessions. */
  shareSession(other: Caller): void {
    this.#token = other.#token;
  }

  async send(method: string, path: string, body?: unknown, key?: string): Promise<Reply> {
    const response = await this.open(method, path, body, key);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
  }

  /** Makes a call that must succeed, and reads its answer. */
  async ask<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
    const { status, text } = await this.send(method, path, body, key);
    if (status >= 300) throw new CallError(method, path, status, text);
    return JSON.parse(text) as T;
  }

  /** Makes a call and returns its answer as a stream. */
  open(method: string, path: string, body?: unknown, key?: string): Promise<IncomingMessage> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const call = request(
        {
          agent: this.#agent,
          host: this.#url.hostname,
          port: this.#url.port,
          method,
          path,
          headers: {
            ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
            ...(key === undefined ? {} : { 'idempotency-key': key }),
            ...(payload === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
          },
        },
        resolve,
      );
      call.on('error', reject);
      call.end(payload);
    });
  }

  /** Uploads a file as a form does. The call must succeed. */
  async upload<T>(path: string, name: string, content: string): Promise<T> {
    const form = new FormData();
    form.set('file', new Blob([content], { type: 'text/csv' }), name);
    const headers = { authorization: `Bearer ${this.#token}` };
    const response = await fetch(new URL(path, this.#url), { method: 'POST', headers, body: form });
    const text = await response.text();
    if (!response.ok) throw new CallError('POST', path, response.status, text);
    return JSON.parse(text) as T;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A call that was refused. Its status tells whether the endpoint does not exist or the call failed. */
export class CallError extends Error {
  override name = 'CallError';
  readonly status: number;

  constructor(method: string, path: string, status: number, text: string) {
    super(`${method} ${path.slice(0, 120)}: ${status} ${text.slice(0, 200)}`);
    this.status = status;
  }
}
