import { ensureBuilt } from './built.ts';
import { endOf, onStop, spawnApart } from './run.ts';

/** Real use: builds what is not up to date and runs the server in the foreground until it is asked to stop. */
if (!(await ensureBuilt())) process.exit(1);
const server = spawnApart(['dist/server/main.js'], { NODE_ENV: 'production', ...process.env });
onStop((signal) => server.kill(signal));
process.exitCode = await endOf(server);
