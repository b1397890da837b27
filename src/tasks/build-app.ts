import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build as viteBuild } from 'vite';
import { dist, filesIn, hashSources, stampName } from './built.ts';
import { projectRoot } from './run.ts';

/** On the same disk, so that a rename is enough, and ignored by every tool. */
const workshop = join(projectRoot, '.tmp');
/** Builds web and server into dist. */
export async function buildApp(): Promise<void> {
  await buildInto(await hashSources());
}

/** Builds in another directory, which then replaces dist: an interrupted build leaves the old one intact. */
async function buildInto(hash: string): Promise<void> {
  await mkdir(workshop, { recursive: true });
  const fresh = join(workshop, `dist-${randomBytes(6).toString('hex')}`);
  try {
    await buildWeb(join(fresh, 'web'));
    await buildServer(join(fresh, 'server'));
    await writeFile(join(fresh, stampName), hash);
    await putInPlace(fresh);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function buildWeb(outDir: string): Promise<void> {
  await viteBuild({
    configFile: join(projectRoot, 'vite.config.ts'),
    root: join(projectRoot, 'src/web'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  await compress(outDir);
}

/** One file per entry, flat, so that `import.meta.dirname` is dist/server for all of it, beside the migrations. */
async function buildServer(outDir: string): Promise<void> {
  await viteBuild({
    configFile: false,
    root: projectRoot,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: await findEntries(),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  await cp(join(projectRoot, 'src/server/db/migrations'), join(outDir, 'migrations'), { recursive: true });
}

/** What run-task.js runs where the packages for development are not. */
const tasks = ['backup', 'restore', 'take-in', 'upgrade-database', 'verify'];

/** The server, each program that it starts as a child of its own (`…-child.ts`), and the commands for its database. */
async function findEntries(): Promise<Record<string, string>> {
  const server = join(projectRoot, 'src/server');
  const files = await filesIn(server);
  const children = files.filter((file) => file.endsWith('-child.ts'));
  return {
    main: join(server, 'main.ts'),
    ...Object.fromEntries(children.map((file) => [basename(file, '.ts'), file])),
    ...Object.fromEntries(tasks.map((name) => [name, join(projectRoot, 'src/tasks', `${name}.ts`)])),
  };
}

const compressible = new Set(['.js', '.css', '.html', '.svg', '.json', '.webmanifest']);
const brotli = promisify(brotliCompress);

/** A compressed copy beside each file that gets smaller: made once at the best rate, never while serving. */
async function compress(directory: string): Promise<void> {
  for (const file of await filesIn(directory)) {
    if (!compressible.has(extname(file))) continue;
    const content = await readFile(file);
    if (content.length < 1024) continue;
    const [br, gz] = await Promise.all([
      brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
      promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
    ]);
    await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
  }
}

async function putInPlace(fresh: string): Promise<void> {
  for (;;) {
    const old = join(workshop, `old-dist-${randomBytes(6).toString('hex')}`);
    await rename(dist, old).catch(ignoreCode('ENOENT'));
    await rm(old, { recursive: true, force: true });
    // Another build may have finished in between: try once more.
    const isDone = await rename(fresh, dist).then(
      () => true,
      (error: NodeJS.ErrnoException) => ignoreCode('ENOTEMPTY', 'EEXIST')(error) ?? false,
    );
    if (isDone) return;
  }
}

function ignoreCode(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code === undefined || !codes.includes(error.code)) throw error;
  };
}
