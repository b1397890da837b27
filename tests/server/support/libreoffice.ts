import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { requireLibreOffice } from '../../../src/tasks/libreoffice.ts';

const run = promisify(execFile);

export interface OfficeFile {
  /** The extension says what it is. */
  name: string;
  content: Buffer | string;
}

/**
 * Opens files with LibreOffice and saves them in another format; `filter` is what its --convert-to takes
 * ('xlsx', 'csv:Text - txt - csv (StarCalc):44,34,76'). A profile of its own, so that runs do not meet.
 */
export async function convertWithLibreOffice(
  files: readonly OfficeFile[],
  filter: string,
  options: { inFilter?: string } = {},
): Promise<Buffer[]> {
  const soffice = requireLibreOffice();
  const folder = await mkdtemp(join(tmpdir(), 'challan-office-'));
  const out = join(folder, 'out');
  await mkdir(out);
  try {
    const paths = files.map(({ name }) => join(folder, name));
    await Promise.all(files.map(({ content }, index) => writeFile(paths[index] ?? '', content)));
    await run(
      soffice,
      [
        `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
        '--headless',
        '--norestore',
        ...(options.inFilter === undefined ? [] : [`--infilter=${options.inFilter}`]),
        '--convert-to',
        filter,
        '--outdir',
        out,
        ...paths,
      ],
      { timeout: 120_000, env: { ...process.env, HOME: folder } },
    );
    const extension = filter.split(':')[0];
    return await Promise.all(paths.map((path) => readFile(join(out, `${basename(path, extname(path))}.${extension}`))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
