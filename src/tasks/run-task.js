import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * run-task.js <task> [arguments]: runs a task of this folder from its source. Without the packages for development
 * (`npm prune --omit=dev`) it runs the task as `npm run build` has built it. This file is JavaScript because Node runs it
 * before TypeScript can be read.
 */
const [name = ''] = process.argv.splice(2, 1);
const source = join(import.meta.dirname, `${name}.ts`);
const built = join(import.meta.dirname, '../../dist/server', `${name}.js`);

if (existsSync(source) && (await findTsx())) await import(pathToFileURL(source).href);
else if (existsSync(built)) await import(pathToFileURL(built).href);
else {
  process.stderr.write(
    'This command needs the packages for development: run npm ci. The server runs without them: node dist/server/main.js\n',
  );
  process.exitCode = 1;
}

/** Importing tsx lets Node read TypeScript. Returns false where tsx is not installed. */
async function findTsx() {
  try {
    await import('tsx');
    return true;
  } catch (error) {
    if (error?.code === 'ERR_MODULE_NOT_FOUND') return false;
    throw error;
  }
}
