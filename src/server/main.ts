import path from 'node:path';
import closeWithGrace from 'close-with-grace';
import { EmbeddedError } from './db/embedded.ts';
import { MigrationError } from './db/migrate.ts';
import { EnvError, readEnv } from './env.ts';
import { loggable } from './http/problems.ts';
import { startServer } from './start.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  const env = readEnv();
  const server = await startServer({ env, webRoot: path.resolve('dist/web'), say });
  say(`Challan Desk is running at ${server.url}`);
  // A second error while stopping would otherwise be printed as it is, with whatever it repeats.
  const logger = {
    error: (what: unknown) =>
      server.app.log.fatal(typeof what === 'string' ? { reason: what } : loggable(what), 'the stop was cut short'),
  };
  closeWithGrace({ delay: 29_000, logger }, async ({ err, signal }) => {
    if (err) server.app.log.fatal(loggable(err), 'stopping after an unexpected error');
    else say(`Stopping (${signal ?? 'asked to'})`);
    await server.stop();
  });
  // Under npm start: should that be killed, it cannot pass a signal on, but its channel to us ends.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
} catch (error) {
  // What a person can mend is one clear line; anything else keeps its stack.
  const isPlain = error instanceof EnvError || error instanceof EmbeddedError || error instanceof MigrationError;
  process.stderr.write(
    isPlain ? `${error.message}\n` : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}
