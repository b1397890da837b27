import path from 'node:path';
import closeWithGrace from 'close-with-grace';
import { readEnv } from './env.ts';
import { endStart } from './heap.ts';
import { loggable } from './http/problems.ts';
import { reloadTls } from './http/tls.ts';
import { explain } from './operator-error.ts';
import { startServer } from './start.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The path is relative to this file and not to the working directory. It is correct for src/server and dist/server. */
const webRoot = path.join(import.meta.dirname, '../../dist/web');

try {
  const env = readEnv();
  const server = await startServer({ env, webRoot, say });
  // Without this logger a second error while stopping would be printed with everything it contains.
  const logger = {
    error: (what: unknown) =>
      server.app.log.fatal(
        typeof what === 'string' ? { reason: what } : loggable(what),
        'the shutdown did not complete',
      ),
  };
  const { tls } = env;
  if (tls !== undefined) {
    // A service manager announces a renewed certificate with SIGHUP.
    process.on('SIGHUP', () => {
      try {
        reloadTls(server.app, tls);
        say('The certificate was read again');
      } catch (error) {
        process.stderr.write(`The certificate stays as it was. ${explain(error)}\n`);
      }
    });
  }
  closeWithGrace({ delay: 29_000, logger, ...(tls && { skip: ['SIGHUP'] }) }, async ({ err, signal }) => {
    if (err) server.app.log.fatal(loggable(err), 'stopping after an unexpected error');
    else say(`Stopping (${signal ?? 'asked to'})`);
    await server.stop();
  });
  // Under npm start: when npm is killed it passes no signal on, but its channel to this process closes.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  endStart();
  // This line is printed last, because whoever reads it may send a signal at once.
  say(`Challan Desk is running at ${server.url}`);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
