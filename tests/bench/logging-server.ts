import { readEnv } from '../../src/server/env.ts';
import { startServer } from '../../src/server/start.ts';

/** The server as it is run for real, whose log level is changed while it runs: a message with the level, answered by it. */
const server = await startServer({ env: readEnv(), webRoot: '', say: () => undefined });
process.on('message', (level: string) => {
  server.app.log.level = level;
  process.send?.(level);
});
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.stdout.write(`running at ${server.url}\n`);
