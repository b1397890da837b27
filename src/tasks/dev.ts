import { join } from 'node:path';
import { createServer } from 'vite';
import { EmbeddedError, startEmbedded, type EmbeddedDatabase } from '../server/db/embedded.ts';
import { EnvError, readEnv, type Env } from '../server/env.ts';
import { endOf, onStop, projectRoot, say, spawnApart } from './run.ts';

/**
 * Server and web with reload in one command. The database stays up while the server behind it is started anew at each
 * change; the web is served by Vite, which passes the API's calls on.
 */
async function develop(env: Env): Promise<void> {
  const apiPort = process.env.API_PORT ?? '3001';
  // Read by vite.config.ts.
  process.env.API_PORT = apiPort;
  const database = await openDatabase(env);
  try {
    const server = spawnApart([join(projectRoot, 'node_modules/tsx/dist/cli.mjs'), 'watch', 'src/server/main.ts'], {
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: database?.url ?? env.databaseUrl,
      HOST: '127.0.0.1',
      PORT: apiPort,
    });
    const serverEnd = endOf(server);
    onStop((signal) => server.kill(signal));
    const web = await createServer({
      configFile: join(projectRoot, 'vite.config.ts'),
      root: join(projectRoot, 'src/web'),
      server: { port: env.port, host: env.host },
    });
    try {
      await web.listen();
      web.printUrls();
      await serverEnd;
    } finally {
      server.kill('SIGTERM');
      await serverEnd;
      await web.close();
    }
  } finally {
    await database?.stop();
  }
}

async function openDatabase(env: Env): Promise<EmbeddedDatabase | undefined> {
  if (env.databaseUrl !== undefined) return undefined;
  return startEmbedded({ dataDir: env.dataDir, log: say });
}

try {
  await develop(readEnv());
} catch (error) {
  if (!(error instanceof EnvError || error instanceof EmbeddedError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
