import { spawn, type ChildProcess } from 'node:child_process';
import { delimiter, join } from 'node:path';

export const projectRoot = join(import.meta.dirname, '../..');

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The environment of npm's scripts: the project's own tools come first. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const tools = join(projectRoot, 'node_modules', '.bin');
  return { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH ?? ''}` };
}

/** Runs a command of the project in the foreground and returns whether it succeeded. */
export async function runTool(command: string, args: string[]): Promise<boolean> {
  const child = spawn(command, args, { cwd: projectRoot, env: toolEnvironment(), stdio: 'inherit' });
  return (await endOf(child)) === 0;
}

/** The exit code, as a shell counts it; 127 when there is no such command. */
export function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/**
 * Starts a program that stays, outside our process group: Ctrl-C then reaches it once, passed on by us, and not a second
 * time from the terminal, which a program that stops with grace would take for "at once". Should we be killed, it learns
 * of that by the end of its channel to us.
 */
export function spawnApart(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: projectRoot,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
}

/** One press of Ctrl-C may arrive twice, from the terminal and from the npm above us; a second press comes later. */
const samePress = 500;

/** Calls back for each time that someone asks us to stop. */
export function onStop(stop: (signal: NodeJS.Signals) => void): void {
  let last = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const isNew = performance.now() - last > samePress;
      last = performance.now();
      if (isNew) stop(signal);
    });
  }
}
