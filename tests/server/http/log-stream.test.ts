import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** No line of the log is lost, also where more was written than a pipe holds while nobody read it. */
const lines = 20_000;
const source = new URL('../../../src/server/http/log-stream.ts', import.meta.url).href;

/** A process that has written that many lines in one turn, and then does this. */
function writer(then: string): ChildProcess {
  const code = `
    import { LogStream } from ${JSON.stringify(source)};
    const log = new LogStream();
    const write = (many) => { for (let line = 1; line <= many; line += 1) log.write(JSON.stringify({ line, pad: 'x'.repeat(80) }) + '\\n'); };
    write(${lines});
    ${then}`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

const numbersIn = (said: string): number[] =>
  said
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { line: number }).line);

const everyNumber = Array.from({ length: lines }, (_, index) => index + 1);

it.each([
  ['that ends', 'process.disconnect();', 0],
  ['that is ended', 'process.exit(3);', 3],
  ['that ends by an error nobody caught', `throw new Error('unexpected');`, 1],
  ['whose log was flushed for a fatal line', 'log.flushSync(); process.exit(1);', 1],
])('a process %s has written every line, in order', async (_, then, code) => {
  const child = writer(then);
  const [said, [ended]] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
  expect(ended).toBe(code);
  expect(numbersIn(said)).toEqual(everyNumber);
});

it('a reader who stands still stops nobody, and reads every line later', async () => {
  const child = writer(`
    log.flushSync();
    process.on('message', () => process.send('at work', () => process.disconnect()));
    process.send('written');`);
  await once(child, 'message');
  child.send('are you there?');
  expect(await once(child, 'message')).toContain('at work');
  expect(numbersIn(await text(child.stdout!))).toEqual(everyNumber);
});

it('a reader who has gone ends nobody', async () => {
  const child = writer(`
    process.on('message', () => { write(1); log.flushSync(); process.send('at work', () => process.exit(0)); });
    process.send('written');`);
  await once(child, 'message');
  child.stdout!.destroy();
  child.send('write');
  expect(await once(child, 'message')).toContain('at work');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('lines that nobody reads are left out beyond a limit, and counted', async () => {
  const child = writer(`
    log.flushSync();
    write(300_000);
    log.flushSync();
    process.exit(0);`);
  const said = (await text(child.stdout!)).trimEnd().split('\n');
  const last = JSON.parse(said.at(-1)!) as { level: number; lines: number };
  expect(last.level).toBe(40);
  expect(said.length - 1 + last.lines).toBe(lines + 300_000);
});
