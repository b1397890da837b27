import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Api } from './api.ts';

/** The real app as a process of its own, made to be killed. */
export interface ChildServer {
  child: ChildProcess;
  url: string;
}

const running = new Set<ChildProcess>();

export async function startChildServer(api: Api): Promise<ChildServer> {
  const child = spawn(process.execPath, [join(inject('programs'), 'server-child.js')], {
    env: { ...process.env, DATABASE_URL: api.appUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  // stdio says 'pipe' for it.
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, url: line.toString().trim() };
}

/** Fails for a server that had ended by itself: such a round would count as a kill. */
export async function killServer({ child }: ChildServer): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error('The server ended before it was killed');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
  if (signal !== 'SIGKILL') throw new Error(`The server ended with ${code ?? signal} and not by the kill`);
}

export async function killChildServers(): Promise<void> {
  const children = [...running];
  const exits = children.map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(exits);
}

/** The answer to a call, or nothing when the server died before it. */
export async function sendTo(
  { url }: ChildServer,
  call: { method: string; path: string; body?: unknown; key: string; token: string },
): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(`${url}/api${call.path}`, {
      method: call.method,
      headers: {
        authorization: `Bearer ${call.token}`,
        'idempotency-key': call.key,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}
