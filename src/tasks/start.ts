import { ensureBuilt } from './built.ts';
import { endOf, onStop, spawnApart } from './run.ts';

/** npm start, for real use: builds the product if it is not up to date, and runs the server until it is stopped. */
if (!(await ensureBuilt())) process.exit(1);
const server = spawnApart(['dist/server/main.js'], { NODE_ENV: 'production', ...process.env });
onStop((signal) => server.kill(signal));
process.exitCode = await endOf(server);
