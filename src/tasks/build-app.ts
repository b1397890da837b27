import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build as viteBuild } from 'vite';
import { dist, filesIn, hashSources, stampName } from './built.ts';
import { projectRoot } from './run.ts';

/** The build is made here. It is on the same disk as dist, so that a rename is enough, and every tool ignores it. */
const workDirectory = join(projectRoot, '.tmp');

/**
 * Builds the web app and the server into dist. React and its libraries choose their build by NODE_ENV, which a test runner or a
 * shell may have set to something else.
 */
export async function buildApp(): Promise<void> {
  process.env.NODE_ENV = 'production';
  await buildInto(await hashSources());
}

/** Builds in another directory, which then replaces dist, so that an interrupted build leaves the old dist intact. */
async function buildInto(hash: string): Promise<void> {
  await mkdir(workDirectory, { recursive: true });
  const fresh = join(workDirectory, `dist-${randomBytes(6).toString('hex')}`);
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

/** All files are in one folder, so that `import.meta.dirname` is dist/server everywhere; the migrations are beside them. */
async function buildServer(outDir: string): Promise<void> {
  await viteBuild({
    configFile: false,
    root: projectRoot,
    logLevel: 'warn',
    // Of zod's 95 modules the server uses 20: the rest are messages in other languages.
    ssr: { noExternal: ['zod'] },
    plugins: [inOneByte],
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

/**
 * Writes every character beyond Latin-1 as an escape. With one such character V8 keeps the whole text of a program in two
 * bytes per character, for as long as the program runs. An escape means the same in strings and regular expressions.
 */
const inOneByte = {
  name: 'in-one-byte',
  renderChunk: (code: string) =>
    code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
};

/** The tasks that run-task.js can run without the packages for development. */
const tasks = ['backup', 'reset-admin', 'restore', 'take-in', 'upgrade-database', 'verify'];

/** The entries of the build: the server, each program that it starts as a child process (`…-child.ts`), and the tasks. */
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

/** Writes compressed copies beside the files. They are made once at the best rate, so that the server never compresses. */
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
    const old = join(workDirectory, `old-dist-${randomBytes(6).toString('hex')}`);
    await rename(dist, old).catch(ignoreCode('ENOENT'));
    await rm(old, { recursive: true, force: true });
    // Another build may have put its dist in place in the meantime; then this one tries again.
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
