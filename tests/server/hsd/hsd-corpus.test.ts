import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HsdUploadResult } from '../../../src/shared/contract/hsd-verification.ts';
import { fileMessages } from '../../../src/server/files/spreadsheet/messages.ts';
import { checkZip } from '../../../src/server/files/spreadsheet/zip-check.ts';
import { parserPids } from '../../../src/server/files/spreadsheet/parser-process.ts';
import { someOf } from '../../long.ts';
import { badFiles } from './hsd-corpus/bad.ts';
import { corpusChallans, type CorpusFile, type Expected } from './hsd-corpus/case.ts';
import { goodCsv } from './hsd-corpus/good-csv.ts';
import { goodWorkbooks } from './hsd-corpus/good-workbooks.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { addHsdChallans, uploadFile } from '../support/hsd-desk.ts';
import { ParserMemory } from '../support/parser-memory.ts';

/** Every upload file of the corpus, each with its expected answer (docs/security.md §6.1). */
let api: Api;
let tenant: Tenant;
const corpus: readonly CorpusFile[] = [...goodCsv, ...goodWorkbooks, ...badFiles];
const memory = new ParserMemory();
const measured: { name: string; ms: number; parserMb: number; bytes: number }[] = [];

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  await addHsdChallans(api, tenant, corpusChallans);
});
afterAll(async () => {
  memory.stop();
  const worst = (key: 'ms' | 'parserMb') => measured.reduce((a, b) => (b[key] > a[key] ? b : a));
  console.log(
    `HSD corpus: ${corpus.length} files; slowest ${worst('ms').ms.toFixed(0)} ms (${worst('ms').name}); ` +
      `most memory of a parser ${worst('parserMb').parserMb.toFixed(0)} MB (${worst('parserMb').name})`,
  );
  await api.close();
});

/** What an upload found, in the words of the corpus. */
const seen = ({ results, processingErrors }: HsdUploadResult): Required<Expected> => ({
  matches: results.validMatches.map(({ tpNo }) => tpNo),
  mismatches: results.discrepancies.amountMismatch.map(({ tpNo, difference }) => [tpNo, difference] as const),
  verified: results.discrepancies.alreadyVerified.map(({ tpNo }) => tpNo),
  notFound: results.discrepancies.tpNotFound,
  errors: processingErrors,
});
const nothing: Required<Expected> = { matches: [], mismatches: [], verified: [], notFound: [], errors: [] };

describe('the corpus', () => {
  it('holds at least 60 files, each under a name of its own', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(60);
    expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
  });

  it.each(someOf(corpus).map((file) => [file.name, file] as const))(
    '%s',
    async (name, { fileName, bytes, expected }) => {
      const content = bytes();
      memory.reset();
      const begun = performance.now();
      const answer = await uploadFile(api, tenant, fileName, content);
      measured.push({ name, ms: performance.now() - begun, parserMb: memory.peakMb, bytes: content.length });
      if ('refused' in expected) {
        expect([answer.status, answer.text]).toEqual([expected.status ?? 400, expect.any(String)]);
        expect(answer.error).toMatchObject({ code: 'INVALID_FILE', message: expected.refused });
      } else {
        expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
        expect(seen(answer.data)).toEqual({ ...nothing, ...expected });
        const { summary, validRecords, totalRecords, results } = answer.data;
        const { amountMismatch, alreadyVerified, tpNotFound } = results.discrepancies;
        expect(summary).toEqual({
          validMatches: results.validMatches.length,
          totalDiscrepancies: amountMismatch.length + alreadyVerified.length + tpNotFound.length,
        });
        expect(validRecords).toBeLessThanOrEqual(totalRecords);
      }
      expect(parserPids.size).toBe(0);
      // The limit, and what a parser may take in between two looks of the watch.
      expect(memory.peakMb).toBeLessThan(600);
    },
  );

  it('left every object as it was', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    const plain: Record<string, unknown> = {};
    for (const key of ['polluted', 'a', 't', 'r', 'ref']) expect(plain[key]).toBeUndefined();
  });
});

describe('a workbook whose references are beyond the limits', () => {
  const beyond = badFiles.filter(
    ({ name, fileName }) => fileName === 'a.xlsx' && /beyond every sheet|whole sheet|column 65|20,021 rows/.test(name),
  );

  it.each(beyond.map((file) => [file.name, file] as const))('is refused before it is built: %s', async (_, file) => {
    await expect(checkZip(file.bytes())).rejects.toThrow('refused' in file.expected ? file.expected.refused : '');
  });

  it('is one of nine', () => {
    expect(beyond).toHaveLength(9);
  });
});

describe('the sentences', () => {
  it('end with a full stop and are one or two plain sentences', () => {
    for (const sentence of Object.values(fileMessages)) {
      expect(sentence).toMatch(/^[A-Z][^!?\n]{10,160}\.$/);
      expect(sentence).not.toMatch(/\b(zip|parse|XML|CFB|exception|undefined|null|byte)\b/i);
    }
  });

  it('are each met by a file of the corpus, or by a test of the upload', () => {
    const met = new Set(badFiles.map(({ expected }) => ('refused' in expected ? expected.refused : '')));
    const ofTheUpload = new Set<string>([
      'notMultipart',
      'brokenUpload',
      'noFile',
      'wrongField',
      'twoFiles',
      'tooLarge',
    ]);
    for (const name of ['tooSlow', 'busy', 'tooHard', 'interrupted', 'noSheet']) ofTheUpload.add(name);
    const unmet = Object.entries(fileMessages).filter(([name, text]) => !met.has(text) && !ofTheUpload.has(name));
    expect(unmet).toEqual([]);
  });
});
