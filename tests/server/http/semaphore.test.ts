import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/server/refusal.ts';
import { Semaphore } from '../../../src/server/semaphore.ts';

const refusal = () => new Refusal('TOO_MANY_REQUESTS', 'Later');

/** Of a caller who stays. */
const here = (): AbortSignal => new AbortController().signal;
/** Work that ends on demand. */
function job(): { work: () => Promise<void>; end: () => void; begun: () => boolean } {
  let end = (): void => undefined;
  let hasBegun = false;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return {
    work: () => {
      hasBegun = true;
      return ended;
    },
    end,
    begun: () => hasBegun,
  };
}

describe('places for each key', () => {
  const open = ({ waiting = 2, waitMs = 60_000 } = {}) =>
    new Semaphore({ running: { perKey: 1 }, waiting: { perKey: waiting }, waitMs, refusal });
  const nobody = { running: 0, waiting: 0 };

  it('lets who waits in by the order of coming, other accounts at once, and forgets who is done', async () => {
    const gate = open();
    const [first, second, third, foreign] = [job(), job(), job(), job()];
    const done = [first, second, third].map(({ work }) => gate.run('a', here(), work));
    const elsewhere = gate.run('b', here(), foreign.work);
    expect([first, second, third, foreign].map(({ begun }) => begun())).toEqual([true, false, false, true]);
    first.end();
    await done[0];
    expect([second, third].map(({ begun }) => begun())).toEqual([true, false]);
    for (const { end } of [second, third, foreign]) end();
    await Promise.all([...done, elsewhere]);
    expect([gate.counts('a'), gate.counts('b')]).toEqual([nobody, nobody]);
  });

  it('refuses who would be one too many, and who has waited too long', async () => {
    const gate = open({ waitMs: 20 });
    const first = job();
    const done = gate.run('a', here(), first.work);
    const later = [job(), job(), job()];
    const ends = await Promise.allSettled(later.map(({ work }) => gate.run('a', here(), work)));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(later.map(({ begun }) => begun())).toEqual([false, false, false]);
    expect(gate.counts('a')).toEqual({ running: 1, waiting: 0 });
    first.end();
    await done;
  });

  it('passes over who has left, and gives a place back when work fails', async () => {
    const gate = open();
    const [first, gone, third] = [job(), job(), job()];
    const failing = gate.run('a', here(), () => first.work().then(() => Promise.reject(new Error('Failed'))));
    const left = new AbortController();
    const missed = gate.run('a', left.signal, gone.work);
    const done = gate.run('a', here(), third.work);
    left.abort();
    await expect(missed).rejects.toThrow('Later');
    await expect(gate.run('a', left.signal, gone.work)).rejects.toThrow('Later');
    first.end();
    await expect(failing).rejects.toThrow('Failed');
    third.end();
    await done;
    expect([gone.begun(), third.begun(), gate.counts('a')]).toEqual([false, true, nobody]);
  });
});

describe('places in all', () => {
  const open = (perKey?: number) =>
    new Semaphore({ running: { inAll: 2, ...(perKey && { perKey }) }, waiting: { inAll: 3 }, refusal });

  it('are given to the first in the queue for whose key there is a place', async () => {
    const places = open(1);
    const jobs = [job(), job(), job(), job()];
    const keys = ['a', 'a', 'b', 'c'];
    const done = jobs.map(({ work }, at) => places.run(keys[at]!, undefined, work));
    // The second of `a` waits for the first, not for a place, and keeps nobody else from one.
    expect(jobs.map(({ begun }) => begun())).toEqual([true, false, true, false]);
    expect([places.counts(), places.counts('a')]).toEqual([
      { running: 2, waiting: 2 },
      { running: 1, waiting: 1 },
    ]);
    jobs[2]!.end();
    await done[2];
    expect(jobs.map(({ begun }) => begun())).toEqual([true, false, true, true]);
    jobs[0]!.end();
    await done[0];
    expect(jobs.map(({ begun }) => begun())).toEqual([true, true, true, true]);
    for (const { end } of jobs) end();
    await Promise.all(done);
    expect([places.counts(), places.peak]).toEqual([
      { running: 0, waiting: 0 },
      { running: 2, taken: 4 },
    ]);
  });

  it('and in the queue are for all keys together; who has left makes room in it', async () => {
    const places = open();
    const jobs = Array.from({ length: 5 }, job);
    const left = new AbortController();
    const done = jobs.map(({ work }, at) => places.run(String(at), at === 2 ? left.signal : undefined, work));
    await expect(places.run('one too many', undefined, job().work)).rejects.toThrow('Later');
    left.abort();
    await expect(done[2]).rejects.toThrow('Later');
    const last = job();
    const later = places.run('later', undefined, last.work);
    expect(places.counts()).toEqual({ running: 2, waiting: 3 });
    for (const { end } of [...jobs, last]) end();
    await Promise.all([done[0], done[1], done[3], done[4], later]);
  });

  it('are taken by who waited, before anybody who comes at that moment', async () => {
    const places = new Semaphore({ running: { inAll: 1 }, waiting: { inAll: 2 }, refusal });
    const [first, second] = [job(), job()];
    const order: string[] = [];
    const done = places.run('', undefined, first.work);
    const waited = places.run('', undefined, () => second.work().finally(() => order.push('waited')));
    first.end();
    await done;
    const late = places.run('', undefined, async () => void order.push('came later'));
    expect(places.counts()).toEqual({ running: 1, waiting: 1 });
    second.end();
    await Promise.all([waited, late]);
    expect(order).toEqual(['waited', 'came later']);
  });
});
