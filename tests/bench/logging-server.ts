import { readEnv } from '../../src/server/env.ts';
import { startServer } from '../../src/server/start.ts';

/** The real server. A message with a log level changes its level, and the server answers with the same message. */
const server = await startServer({ env: readEnv(), webRoot: '', say: () => undefined });
process.on('message', (level: string) => {
  server.app.log.level = level;
  process.send?.(level);
});
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.stdout.write(`running at ${server.url}\n`);
