import { spawn, type ChildProcess } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { readProcess, parentOf } from '../ops/embedded-alive.ts';
import { explain } from '../server/operator-error.ts';

export const projectRoot = join(import.meta.dirname, '../..');

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a command to its end. When it fails or returns false, the exit code is 1; an error is printed. */
export async function runCommand(command: () => Promise<boolean>): Promise<void> {
  try {
    if (!(await command())) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

/** The environment as npm's scripts have it: the project's own tools come first in PATH. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const tools = join(projectRoot, 'node_modules', '.bin');
  return { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH ?? ''}` };
}

/** Runs a command of the project in the foreground. Returns whether it succeeded. */
export async function runTool(command: string, args: string[]): Promise<boolean> {
  const child = spawn(command, args, { cwd: projectRoot, env: toolEnvironment(), stdio: 'inherit' });
  return (await endOf(child)) === 0;
}

/** The exit code of a process, as a shell gives it. 127 means that there is no such command. */
export function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/**
 * Starts a long-running program outside our process group. Ctrl-C then reaches it only through us. Otherwise it would get a
 * second signal from the terminal, which means "stop at once". If we are killed, the program notices that its channel to us
 * has closed.
 */
export function spawnApart(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: projectRoot,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
}

/** One press of Ctrl-C may arrive twice, from the terminal and from npm. A second press comes later than this. */
const samePressMs = 500;

/** Calls `stop` for each stop signal, and when the npm that runs us has ended. */
export function onStop(stop: (signal: NodeJS.Signals) => void): void {
  let last = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const isNew = performance.now() - last > samePressMs;
      last = performance.now();
      if (isNew) stop(signal);
    });
  }
  if (process.env.npm_lifecycle_event !== undefined) onNpmGone(() => stop('SIGTERM'));
}

const parent = process.ppid;
/** npm runs a script through a shell. On some systems the shell stays between npm and us; then its parent is npm. */
const aboveShell = /^(ba|da|a|z|k)?sh$|^busybox$/.test(readProcess(parent)?.command ?? '')
  ? parentOf(parent)
  : undefined;

/** A signal ends npm or its shell, and neither passes it on to us. We only see that our parent process has changed. */
function onNpmGone(stop: () => void): void {
  const watch = setInterval(() => {
    const isThere = process.ppid === parent && (aboveShell === undefined || parentOf(parent) === aboveShell);
    if (isThere) return;
    clearInterval(watch);
    stop();
  }, 500);
  watch.unref();
}
