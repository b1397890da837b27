import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp } from '../../../src/ops/embedded-backup.ts';
import { startEmbedded } from '../../../src/ops/embedded.ts';
import { OperatorError } from '../../../src/server/operator-error.ts';
import { canMount, query, removeDirectories, run, temporaryDirectory } from '../embedded-run.ts';

/** A start that cannot be done says so in one line and changes nothing: a database that is only away is never replaced. */
const start = (dataDir: string) =>
  startEmbedded({ dataDir, isDurable: false, settings: { shared_buffers: '32MB', io_method: 'sync' } });

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OperatorError);
  const { message } = error as Error;
  expect(message).not.toContain('\n');
  // What the database's user calls the directory, where that one cannot pass through its parents.
  expect(message).not.toContain('/proc/self');
  return message;
}

let whole: string;
beforeAll(async () => {
  whole = await temporaryDirectory();
  const database = await start(whole);
  await query(database.url, "CREATE TABLE kept AS SELECT 'Ravi' AS name");
  await database.stop();
});
afterAll(removeDirectories);

/** A data directory with a row, for each test to spoil. */
async function copyOfWhole(): Promise<{ dataDir: string; cluster: string; password: string }> {
  const dataDir = join(await temporaryDirectory(), 'data');
  execFileSync('cp', ['-a', whole, dataDir]);
  return { dataDir, cluster: join(dataDir, 'postgres'), password: join(dataDir, 'postgres.password') };
}

async function keepsItsRow(dataDir: string): Promise<void> {
  const database = await start(dataDir);
  try {
    expect(await query(database.url, 'SELECT name FROM kept')).toEqual([['Ravi']]);
  } finally {
    await database.stop();
  }
}

describe('a database that was here and is not found', () => {
  it('is missed, not replaced: put back, it is the same with its password', async () => {
    const { dataDir, cluster, password } = await copyOfWhole();
    const away = `${dataDir}-away`;
    await rename(cluster, away);
    const before = [await readdir(dataDir), await readFile(password, 'utf8')];
    expect(await refusalOf(start(dataDir))).toBe(
      `The database ${cluster} is missing. Mount its disk or put the directory back. To begin with an empty database instead, move ${password} away.`,
    );
    expect([await readdir(dataDir), await readFile(password, 'utf8')]).toEqual(before);
    await rename(away, cluster);
    await keepsItsRow(dataDir);
  });

  it('may be a link to a disk that is not mounted', async () => {
    const { dataDir, cluster } = await copyOfWhole();
    const disk = `${dataDir}-disk`;
    await rename(cluster, disk);
    await symlink(disk, cluster);
    await keepsItsRow(dataDir);
    await rename(disk, `${disk}-unmounted`);
    expect(await refusalOf(start(dataDir))).toBe(
      `The database ${cluster} is a link to ${disk}, which is not there. Mount its disk or put the directory back. To begin with an empty database instead, move ${cluster} away.`,
    );
    expect(existsSync(disk)).toBe(false);
    await rename(`${disk}-unmounted`, disk);
    await keepsItsRow(dataDir);
  });

  it('may have left the empty directory of its mount', async () => {
    const { dataDir, cluster, password } = await copyOfWhole();
    await rename(cluster, `${dataDir}-away`);
    await mkdir(cluster);
    expect(await refusalOf(start(dataDir))).toBe(
      `The directory ${cluster} holds no database (PG_VERSION is missing). Mount its disk or put its files back. To begin with an empty database instead, move it and ${password} away.`,
    );
    expect(await readdir(cluster)).toEqual([]);
    await rm(cluster, { recursive: true });
    await rename(`${dataDir}-away`, cluster);
    await keepsItsRow(dataDir);
  });

  it('is completed where the first start ended between its two files', async () => {
    const { dataDir, password } = await copyOfWhole();
    await rename(password, `${password}.new`);
    await keepsItsRow(dataDir);
    // And where it ended before: what is there belongs to nothing.
    const empty = await temporaryDirectory();
    await writeFile(join(empty, 'postgres.password.new'), 'of no database\n');
    const database = await start(empty);
    await database.stop();
    expect((await readdir(empty)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password']);
  });
});

describe('a data directory that cannot be used', () => {
  it('is a file, or below one', async () => {
    const file = join(await temporaryDirectory(), 'data');
    await writeFile(file, 'mine');
    expect(await refusalOf(start(file))).toBe(`The data directory ${file} is a file: set DATA_DIR to a directory.`);
    expect(await refusalOf(start(join(file, 'deep')))).toMatch(
      `The data directory ${join(file, 'deep')} cannot be used: ${join(file, 'deep')} leads through a file that is not a directory.`,
    );
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it('is a link to nothing', async () => {
    const directory = await temporaryDirectory();
    const link = join(directory, 'data');
    await symlink(join(directory, 'disk'), link);
    expect(await refusalOf(start(link))).toBe(
      `The data directory ${link} is a link to ${join(directory, 'disk')}, which is not there. Is its disk mounted?`,
    );
    expect(await readdir(directory)).toEqual(['data']);
  });

  it.skipIf(process.getuid?.() === 0)('is closed to us', async () => {
    const closed = join(await temporaryDirectory(), 'closed');
    await mkdir(closed, { mode: 0o500 });
    expect(await refusalOf(start(join(closed, 'data')))).toContain('this user has no access to');
  });

  it.skipIf(!canMount())('is on a full disk, before the database is made and after', { timeout: 60_000 }, async () => {
    const disk = await temporaryDirectory();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', disk]);
    try {
      await writeFile(join(disk, 'ballast'), Buffer.alloc(8 * 1024 * 1024)).catch(() => undefined);
      expect(await refusalOf(start(join(disk, 'data')))).toBe(
        `The data directory ${join(disk, 'data')} cannot be used: the disk is full.`,
      );
      await writeFile(join(disk, 'ballast'), Buffer.alloc(4 * 1024 * 1024));
      expect(await refusalOf(start(join(disk, 'data')))).toMatch(
        /^The database could not be made: .*No space left on device$/,
      );
      expect(await readdir(join(disk, 'data'))).toEqual([]);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

describe('a database that is damaged', () => {
  it.each([
    ['global/pg_control', /^The database did not start: .*pg_control.* \(log: .*\)$/],
    ['pg_hba.conf', /^The database did not start: could not load .*pg_hba\.conf \(log: .*\)$/],
    [
      'global/pg_filenode.map',
      /^The database in .* takes no connections: could not open file "global\/pg_filenode.map": /,
    ],
  ])('says that it lacks %s', async (file, sentence) => {
    const { dataDir, cluster } = await copyOfWhole();
    const away = join(dataDir, 'away');
    await rename(join(cluster, file), away);
    expect(await refusalOf(start(dataDir))).toMatch(sentence);
    // The directory is free, and the same once the file is back.
    await rename(away, join(cluster, file));
    await keepsItsRow(dataDir);
  });

  it('is named, not called /proc/self/cwd, where its user cannot pass through to it', async () => {
    const { dataDir, cluster } = await copyOfWhole();
    execFileSync('chmod', ['700', join(dataDir, '..')]);
    await writeFile(join(cluster, 'global', 'pg_control'), '');
    expect(await refusalOf(start(dataDir))).toMatch(/^The database did not start: /);
    await rm(join(cluster, 'global'), { recursive: true });
    expect(await refusalOf(start(dataDir))).toContain(cluster);
  });

  it('says that the password is not its own, or cannot be read', async () => {
    const { dataDir, cluster, password } = await copyOfWhole();
    const own = await readFile(password, 'utf8');
    for (const other of ['', 'another password / with # signs\n']) {
      await writeFile(password, other);
      expect(await refusalOf(start(dataDir))).toBe(
        `The password in ${password} is not that of the database in ${cluster}: put the file back that belongs to it.`,
      );
    }
    await rm(password);
    expect(await refusalOf(start(dataDir))).toBe(
      `The password of the database in ${cluster} cannot be read from ${password}.`,
    );
    await writeFile(password, own);
    await keepsItsRow(dataDir);
  });
});

describe('a database of another major version of PostgreSQL', () => {
  it.each([
    ['15', /^The database in \S+ is of PostgreSQL 15, and .* PostgreSQL 18: .* npm run upgrade:database$/],
    ['9.6', /^The database in \S+ is of PostgreSQL 9, and .* PostgreSQL 18: .* npm run upgrade:database$/],
    ['19', /^The database in \S+ is of PostgreSQL 19, and .* PostgreSQL 18, so it is older than its data: /],
    ['', /^The file \S+PG_VERSION does not say which PostgreSQL made the database: put the file of a backup/],
    ['eighteen', /^The file \S+PG_VERSION does not say which PostgreSQL made the database: put the file of a backup/],
  ])('is refused, and not touched: %s', async (version, sentence) => {
    const { dataDir, cluster } = await copyOfWhole();
    const own = await readFile(join(cluster, 'PG_VERSION'), 'utf8');
    await writeFile(join(cluster, 'PG_VERSION'), `${version}\n`);
    expect(await refusalOf(start(dataDir))).toMatch(sentence);
    await writeFile(join(cluster, 'PG_VERSION'), own);
    await keepsItsRow(dataDir);
  });
});

describe('a backup that does not come to its end', () => {
  it('says in one line that the database went away, and leaves nothing', async () => {
    const { dataDir } = await copyOfWhole();
    const copies = await temporaryDirectory();
    const database = await start(dataDir);
    // Between the two: the connection ends in the middle of the copy, as with a server that dies.
    const between = createServer((client) => {
      const server = connect(database.port, '127.0.0.1');
      client.on('data', (chunk: Buffer) => {
        if (chunk.includes('pg_backup_stop')) [client, server].forEach((socket) => socket.destroy());
        else server.write(chunk);
      });
      server.on('data', (chunk: Buffer) => client.write(chunk));
      for (const socket of [client, server]) socket.on('error', () => undefined);
      client.on('close', () => server.destroy());
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const url = new URL(database.url);
    url.port = String((between.address() as { port: number }).port);
    expect(await refusalOf(backUp(dataDir, url.href, join(copies, 'copy')))).toBe(
      'No backup was made: the database went away (Connection terminated unexpectedly).',
    );
    expect(await readdir(copies)).toEqual([]);
    between.close();
    await database.stop();
  });

  it('is cleared away by the next one when it was killed, while one that is being made stays', async () => {
    const { dataDir } = await copyOfWhole();
    const copies = await temporaryDirectory();
    const killed = join(copies, 'monday.new-0123456789ab');
    await mkdir(join(killed, 'postgres'), { recursive: true });
    await writeFile(join(killed, 'backup.pid'), '4194304 long ago\n');
    const underWay = join(copies, 'tuesday.new-0123456789ab');
    await mkdir(underWay);
    const busy = await temporaryDirectory();
    const app = run({ dataDir: busy });
    const others = join(copies, 'letters.new-0123456789ab');
    await mkdir(others);
    await app.url;
    await writeFile(join(underWay, 'backup.pid'), await readFile(join(busy, 'app.pid')));

    const database = await start(dataDir);
    await database.backup(join(copies, 'wednesday'));
    await database.stop();
    app.child.kill('SIGINT');
    await app.ended;
    expect((await readdir(copies)).sort()).toEqual([
      'letters.new-0123456789ab',
      'tuesday.new-0123456789ab',
      'wednesday',
    ]);
    expect((await readdir(join(copies, 'wednesday'))).sort()).toEqual(['postgres', 'postgres.password']);
    await keepsItsRow(join(copies, 'wednesday'));
  });
});
