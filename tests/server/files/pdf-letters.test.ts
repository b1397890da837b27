import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createPdf, drawable } from '../../../src/server/files/pdf.ts';
import { drawnGlyphs, pdfText } from '../support/pdf-text.ts';

/** What no font of the product can draw is written in Latin letters, and never as boxes (docs/specification.md §24.7). */
it.each([
  ['విజయ ట్రాన్స్‌పోర్ట్', 'Vijay Transport'],
  ['தமிழ் லாரி', 'Tamil Lari'],
  ['ಕನ್ನಡ ಲಾರಿ', 'Kannad Lari'],
  ['اردو ٹرانسپورٹ', '? ?'],
  ['Raju 🚛 Roadways', 'Raju ? Roadways'],
])('%s', (text, expected) => {
  expect(drawable(text)).toBe(expected);
});

it.each([
  'राम कृष्ण ट्रांसपोर्ट',
  'ଓଡ଼ିଶା ଟ୍ରାନ୍ସପୋର୍ଟ',
  'বিকাশ মণ্ডল পরিবহন',
  'ᱚᱞ ᱪᱤᱠᱤ ᱢᱩᱨᱢᱩ',
  'Café & Łódź, ₹ 5.00 — A → B · ©',
])('%s stays', (text) => {
  expect(drawable(text)).toBe(text.normalize('NFC'));
});

async function drawn(words: string, weight: 'regular' | 'bold' = 'regular'): Promise<Buffer> {
  const pdf = createPdf({ title: 'Names' });
  const sink = new PassThrough();
  const draw = pdf.write(sink, async () => {
    pdf.newPage();
    pdf.text(words, { weight });
  });
  const [bytes] = await Promise.all([buffer(sink), draw]);
  return bytes;
}

it.each(['regular', 'bold'] as const)('names in all scripts are drawn by letters of the fonts: %s', async (weight) => {
  const names = readFileSync(path.resolve(import.meta.dirname, '../../cases/o1-owner-names-in-scripts.txt'), 'utf8');
  const bytes = await drawn(names, weight);
  expect(drawnGlyphs(bytes)).not.toContain('0000');
  const [text] = pdfText(bytes);
  for (const name of ['বিকাশ মণ্ডল পরিবহন', 'ᱚᱞ ᱪᱤᱠᱤ ᱢᱩᱨᱢᱩ', 'राम कृष्ण ट्रांसपोर्ट', 'Vijay Transport']) {
    expect(text).toContain(name.normalize('NFC'));
  }
});

it.each([
  ['হন', 2],
  ['হিন', 3],
  ['হেন', 3],
])('%s is drawn letter by letter, and not as the one letter of হ্ন', async (word, letters) => {
  expect(drawnGlyphs(await drawn(word))).toHaveLength(letters);
});
