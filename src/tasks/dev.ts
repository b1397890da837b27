import { join } from 'node:path';
import { createServer } from 'vite';
import { startEmbedded, type EmbeddedDatabase } from '../ops/embedded.ts';
import { readEnv, type Env } from '../server/env.ts';
import { explain } from '../server/operator-error.ts';
import { endOf, onStop, projectRoot, say, spawnApart } from './run.ts';

/**
 * npm run dev: runs the server and the web app, both with reload. The server restarts after each change, while the database
 * keeps running. Vite serves the web app and forwards the calls of the API.
 */
async function develop(env: Env): Promise<void> {
  const apiPort = process.env.API_PORT ?? '3001';
  // vite.config.ts reads it.
  process.env.API_PORT = apiPort;
  const database = await openDatabase(env);
  try {
    const server = spawnApart([join(projectRoot, 'node_modules/tsx/dist/cli.mjs'), 'watch', 'src/server/main.ts'], {
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: database?.appUrl ?? env.databaseUrl,
      DATABASE_ADMIN_URL: database?.url ?? env.databaseAdminUrl,
      // This process runs the database, so the server must not archive its log. Development needs no archive.
      WAL_DIR: '',
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
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
