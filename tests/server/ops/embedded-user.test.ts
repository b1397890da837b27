import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findNative, prepareBinaries } from '../../../src/ops/embedded-binaries.ts';
import { canReach, type RunAs } from '../../../src/ops/embedded-user.ts';
import { startEmbedded, type EmbeddedOptions } from '../../../src/ops/embedded.ts';
import { kill, postmasterOf, processTree, query, removeDirectories, run, temporaryDirectory } from '../embedded-run.ts';

const isRoot = process.getuid?.() === 0;
const settings = { shared_buffers: '32MB', io_method: 'sync' };
/** In no passwd file, and nobody's of this machine. */
const stranger: RunAs = { uid: 54_321, gid: 54_321 };

/** An ordinary user whom the system knows by name. */
const nobody: RunAs = {
  uid: isRoot ? (uidOfUser('nobody') ?? 0) : (process.getuid?.() ?? 0),
  gid: isRoot ? 65_534 : (process.getgid?.() ?? 0),
};
/** Nobody else can run our code from a checkout under a private directory. */
const canRunAsNobody = process.platform === 'linux' && canReach(import.meta.filename, nobody);

afterAll(removeDirectories);

/** Starts, asks, stops; returns whom the server ran as. */
async function tryOut(options: EmbeddedOptions): Promise<number> {
  const database = await startEmbedded({ settings, isDurable: false, ...options });
  try {
    expect(await query(database.url, "SELECT count(*) FROM pg_extension WHERE extname = 'plpgsql'")).toEqual([['1']]);
    await query(database.url, 'CREATE EXTENSION IF NOT EXISTS pg_trgm');
    return uidOf(postmasterOf(options.dataDir));
  } finally {
    await database.stop();
  }
}

function uidOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function uidOfUser(name: string): number | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  return line === undefined ? undefined : Number(line.split(':')[2]);
}

/** The package as `npm ci --ignore-scripts` leaves it: without a link. */
async function unpack(into: string): Promise<string> {
  const native = join(into, 'native');
  await cp(findNative(), native, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
  await cp(join(findNative(), '..', 'package.json'), join(into, 'package.json'));
  return native;
}

describe.skipIf(process.platform !== 'linux')('whom the database runs as', () => {
  it.skipIf(!isRoot)("is postgres, else nobody, where the directory is root's", async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const expected = uidOfUser('postgres') ?? uidOfUser('nobody');
    expect(await tryOut({ dataDir })).toBe(expected);
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(expected);
    expect((await stat(join(dataDir, 'postgres.password'))).uid).toBe(0);
  });

  it.skipIf(!isRoot || !canRunAsNobody)(
    'is the owner of the directory, who can start it alone afterwards',
    async () => {
      const parent = await temporaryDirectory();
      await chown(parent, nobody.uid, nobody.gid);
      const dataDir = join(parent, 'deep', 'data');
      expect(await tryOut({ dataDir })).toBe(nobody.uid);
      await runAs(nobody, dataDir);
      expect(await tryOut({ dataDir })).toBe(nobody.uid);
    },
  );

  it.skipIf(!isRoot)('is the owner of the directory also when the system does not know that one by name', async () => {
    const parent = await temporaryDirectory();
    await chown(parent, stranger.uid, stranger.gid);
    const dataDir = join(parent, 'data');
    expect(await tryOut({ dataDir })).toBe(stranger.uid);
    expect(await tryOut({ dataDir })).toBe(stranger.uid);
  });

  it.skipIf(!isRoot)('takes over a directory that was restored as root', async () => {
    const dataDir = await temporaryDirectory();
    await tryOut({ dataDir });
    execFileSync('chown', ['-R', '0:0', join(dataDir, 'postgres')]);
    const database = await startEmbedded({ dataDir, settings, isDurable: false });
    expect(await query(database.url, "SELECT similarity('coal', 'coal')")).toEqual([[1]]);
    expect(uidOf(postmasterOf(dataDir))).not.toBe(0);
    await database.stop();
  });

  it.skipIf(!canRunAsNobody)('is ourselves where we are not root', async () => {
    const parent = await temporaryDirectory();
    if (isRoot) await chown(parent, nobody.uid, nobody.gid);
    await runAs(nobody, join(parent, 'data'));
  });
});

/** The whole app as an ordinary user. */
async function runAs(user: RunAs, dataDir: string, native?: string): Promise<void> {
  const app = run({ dataDir, isWriting: true, ...(native ? { native } : {}), ...(isRoot ? { user } : {}) });
  try {
    await app.url;
    expect(uidOf(postmasterOf(dataDir))).toBe(user.uid);
    await expect.poll(() => app.messages.length, { timeout: 20_000 }).toBeGreaterThan(3);
    app.child.kill('SIGINT');
    expect((await app.ended).code).toBe(0);
  } finally {
    if (app.child.exitCode === null) kill(processTree(app.child.pid ?? 0));
  }
}

describe.skipIf(process.platform !== 'linux' || !isRoot)('a directory that only root may enter', () => {
  let closed: string;
  let native: string;
  let copyInto: string[];

  beforeAll(async () => {
    closed = join(await temporaryDirectory(), 'closed');
    await mkdir(closed, { mode: 0o700 });
    native = await unpack(closed);
    copyInto = [await temporaryDirectory()];
  });

  it('may hold the program and the data, without any install script', async () => {
    const dataDir = join(closed, 'data');
    expect(await tryOut({ dataDir, native, copyInto })).toBeGreaterThan(0);
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
    expect(await tryOut({ dataDir, native, copyInto })).toBeGreaterThan(0);
    expect((await stat(closed)).mode & 0o777).toBe(0o700);
  });

  it('is copied once, to where any user may read and only root may write', async () => {
    const [parent = ''] = copyInto;
    const [name, ...more] = await readdir(parent);
    expect(more).toEqual([]);
    const { mode, uid, ino } = await stat(join(parent, name ?? ''));
    expect([mode & 0o777, uid]).toEqual([0o755, 0]);
    await prepareBinaries(native, [stranger], closed, copyInto);
    expect((await stat(join(parent, name ?? ''))).ino).toBe(ino);
  });

  it('is copied when only the files themselves are closed (a strict umask)', async () => {
    const open = await temporaryDirectory();
    const strict = await unpack(open);
    execFileSync('chmod', ['-R', 'go=', strict]);
    const { postgres } = await prepareBinaries(strict, [stranger], open, [await temporaryDirectory()]);
    expect(postgres.startsWith(open)).toBe(false);
    expect(canReach(postgres, stranger)).toBe(true);
  });

  it('is never copied over, nor run from, a directory that another user made', async () => {
    const [parent, second] = [await temporaryDirectory(), await temporaryDirectory()];
    await prepareBinaries(native, [stranger], closed, [parent]);
    const [name = ''] = await readdir(parent);
    await chown(join(parent, name), stranger.uid, stranger.gid);
    const { initdb } = await prepareBinaries(native, [stranger], closed, [parent, second]);
    expect(initdb.startsWith(second)).toBe(true);
    await rm(join(parent, name), { recursive: true });
    await symlink(second, join(parent, name));
    await expect(prepareBinaries(native, [stranger], closed, [parent])).rejects.toThrow('set DATABASE_URL');
  });

  it('is copied again when a clean-up has removed parts of the copy', async () => {
    const parent = await temporaryDirectory();
    const first = await prepareBinaries(native, [stranger], closed, [parent]);
    await rm(first.postgres);
    const again = await prepareBinaries(native, [stranger], closed, [parent]);
    expect(again.postgres).toBe(first.postgres);
    expect(canReach(again.postgres, stranger)).toBe(true);
  });
});

describe.skipIf(process.platform !== 'linux')('the links between the libraries', () => {
  it('are made in place, once, whoever comes first', async () => {
    const open = await temporaryDirectory();
    const native = await unpack(open);
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    const present = () => links.filter(({ target }) => existsSync(join(open, target))).length;
    expect(present()).toBe(0);
    await Promise.all(Array.from({ length: 4 }, () => prepareBinaries(native, [], open)));
    expect([present(), links.length > 5]).toEqual([links.length, true]);
    expect((await prepareBinaries(native, [], open)).env).toEqual({});
  });

  it.skipIf(!isRoot || !canRunAsNobody)('are beside the data where we may not change the program', async () => {
    const open = await temporaryDirectory();
    const native = await unpack(open);
    const parent = await temporaryDirectory();
    await chown(parent, nobody.uid, nobody.gid);
    const dataDir = join(parent, 'data');
    await runAs(nobody, dataDir, native);
    expect(existsSync(join(native, 'lib', 'libpq.so.5'))).toBe(false);
    // Those of an older version, in a place that is gone, are made again.
    const link = join(dataDir, 'postgres-lib', 'libpq.so.5');
    await rm(link);
    await symlink('/nowhere/libpq.so.5.1', link);
    await runAs(nobody, dataDir, native);
    expect(existsSync(link)).toBe(true);
  });
});

describe.skipIf(!isRoot)('canReach', () => {
  it('asks for a way through every directory above, as owner, group or anyone', async () => {
    const top = await temporaryDirectory();
    const inner = join(top, 'inner');
    const file = join(inner, 'file');
    await mkdir(inner);
    await writeFile(file, '');
    const reach = async (mode: number, owner: RunAs) => {
      await chown(inner, owner.uid, owner.gid);
      await chmod(inner, mode);
      return canReach(file, stranger);
    };
    const other = { uid: 0, gid: 0 };
    expect(await reach(0o701, other)).toBe(true);
    expect(await reach(0o776, other)).toBe(false);
    expect(await reach(0o710, { uid: 0, gid: stranger.gid })).toBe(true);
    expect(await reach(0o701, { uid: 0, gid: stranger.gid })).toBe(false);
    expect(await reach(0o100, stranger)).toBe(true);
    expect(await reach(0o077, stranger)).toBe(false);
    await chmod(file, 0o600);
    expect(await reach(0o755, other)).toBe(false);
  });
});
