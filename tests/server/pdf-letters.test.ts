import { expect, it } from 'vitest';
import { drawable } from '../../src/server/files/pdf.ts';

/** What no font of the product can draw is written in Latin letters, and never as boxes (docs/specification.md §24.7). */
it.each([
  ['বিকাশ মণ্ডল পরিবহন', 'Bikash Mandal Paribahan'],
  ['విజయ ట్రాన్స్‌పోర్ట్', 'Vijay Transport'],
  ['தமிழ் லாரி', 'Tamil Lari'],
  ['ಕನ್ನಡ ಲಾರಿ', 'Kannad Lari'],
  ['ᱚᱞ ᱪᱤᱠᱤ ᱢᱩᱨᱢᱩ', 'Ol Chiki Murmu'],
  ['اردو ٹرانسپورٹ', '? ?'],
  ['Raju 🚛 Roadways', 'Raju ? Roadways'],
])('%s', (text, expected) => {
  expect(drawable(text)).toBe(expected);
});

it.each(['राम कृष्ण ट्रांसपोर्ट', 'ଓଡ଼ିଶା ଟ୍ରାନ୍ସପୋର୍ଟ', 'Café & Łódź, ₹ 5.00 — A → B · ©'])('%s stays', (text) => {
  expect(drawable(text)).toBe(text.normalize('NFC'));
});
