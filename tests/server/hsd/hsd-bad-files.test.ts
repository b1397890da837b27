import { afterAll, beforeAll, expect, it } from 'vitest';
import { testSeed } from '../../calc/seed.ts';
import { parserPids } from '../../../src/server/files/spreadsheet/parser-process.ts';
import { long, longLimit } from '../../long.ts';
import { badFiles } from './hsd-corpus/bad.ts';
import { goodCsv } from './hsd-corpus/good-csv.ts';
import { goodWorkbooks } from './hsd-corpus/good-workbooks.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { uploadFile } from '../support/hsd-desk.ts';
import { randomOf } from '../support/random.ts';

/** Files of the corpus with random damage: read or refused, never a 5xx, and the next upload finds its place (docs/security.md §6.1). */
const files = long(12, 800);
const random = randomOf(testSeed('bad files'));

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

// What is slow by itself is tried once, in hsd-corpus.test.ts.
const sources = [...goodCsv, ...goodWorkbooks, ...badFiles].filter(({ bytes }) => bytes().length < 100_000);

/** Bytes changed, cut out, doubled or taken from another file. */
function damage(content: Buffer): Buffer {
  const at = random.below(content.length + 1);
  const length = 1 + random.below(64);
  const rest = content.subarray(Math.min(content.length, at + length));
  switch (random.below(5)) {
    case 0: {
      const changed = Buffer.from(content);
      for (let n = 0; n < length && changed.length > 0; n += 1)
        changed[random.below(changed.length)] = random.below(256);
      return changed;
    }
    case 1:
      return content.subarray(0, at);
    case 2:
      return Buffer.concat([content.subarray(0, at), rest]);
    case 3:
      return Buffer.concat([content.subarray(0, at), content.subarray(at, at + length), content.subarray(at)]);
    default:
      return Buffer.concat([content.subarray(0, at), random.pick(sources).bytes().subarray(0, length), rest]);
  }
}

it(
  `${files} damaged files are read or refused in words`,
  async () => {
    const statuses = new Map<number, number>();
    for (let n = 0; n < files; n += 1) {
      const source = random.pick(sources);
      let content = source.bytes();
      for (let times = 1 + random.below(3); times > 0; times -= 1) content = damage(content);
      const answer = await uploadFile(api, tenant, source.fileName, content);
      const shown = [n, source.name, answer.status, answer.text.slice(0, 200)];
      if (answer.status !== 200) {
        expect([shown, answer.status, answer.error.code]).toEqual([shown, 400, 'INVALID_FILE']);
        expect([shown, answer.error.message.length > 0]).toEqual([shown, true]);
      }
      expect(parserPids.size).toBe(0);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
    const answered = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    process.stdout.write(`${answered} damaged files; statuses ${JSON.stringify([...statuses].sort())}\n`);
    expect(answered).toBe(files);
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
  longLimit(120_000, 4 * 3_600_000),
);
