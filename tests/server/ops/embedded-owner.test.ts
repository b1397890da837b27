import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { claimDirectory, thisProcess } from '../../../src/ops/embedded-owner.ts';
import { removeDirectories, temporaryDirectory } from '../embedded-run.ts';

const dead = '4194304 long ago\n';

// Files that ran before in this process have loaded these modules without the replacements below.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock('../../../src/ops/embedded-alive.ts');
  vi.doUnmock('node:fs');
  vi.resetModules();
});

/** What happens between a look at the dead process and what is done about it. */
let meanwhile: (() => void) | undefined;

vi.mock('../../../src/ops/embedded-alive.ts', async (original) => {
  const real = await original<typeof import('../../../src/ops/embedded-alive.ts')>();
  return {
    ...real,
    readProcess: (pid: number) => {
      if (pid === Number.parseInt(dead, 10)) {
        const act = meanwhile;
        meanwhile = undefined;
        act?.();
      }
      return real.readProcess(pid);
    },
  };
});
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return { ...real, rmSync: vi.fn(real.rmSync), renameSync: vi.fn(real.renameSync) };
});

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  vi.clearAllMocks();
});
afterAll(removeDirectories);

const write = (name: string, text: string) => writeFileSync(join(directory, name), text);

it('takes the directory of a process that is gone, and gives it back', () => {
  write('app.pid', dead);
  const giveBack = claimDirectory(directory);
  expect(readdirSync(directory)).toEqual(['app.pid']);
  expect(readFileSync(join(directory, 'app.pid'), 'utf8')).toBe(thisProcess());
  giveBack();
  expect(readdirSync(directory)).toEqual([]);
});

it('does not for a moment take away the file of a start that was faster', () => {
  write('app.pid', dead);
  meanwhile = () => {
    claimDirectory(directory);
    vi.clearAllMocks();
  };
  expect(() => claimDirectory(directory)).toThrow(/already uses the data directory/);
  const touched = [...vi.mocked(rmSync).mock.calls, ...vi.mocked(renameSync).mock.calls].map(([path]) => path);
  expect(touched.length).toBeGreaterThan(0);
  expect(touched).not.toContain(join(directory, 'app.pid'));
  expect(readdirSync(directory)).toEqual(['app.pid']);
});

it('leaves the removal to a start that has begun it, and passes over one that was killed in it', () => {
  write('app.pid', dead);
  write('app.pid.turn', thisProcess());
  expect(() => claimDirectory(directory)).toThrow(/already uses the data directory/);
  expect(readFileSync(join(directory, 'app.pid'), 'utf8')).toBe(dead);
  write('app.pid.turn', dead);
  claimDirectory(directory);
  expect(readdirSync(directory)).toEqual(['app.pid']);
});
