import { describe, expect, it } from 'vitest';
import excel from '../../clipboard/excel.html?raw';
import excelText from '../../clipboard/excel.tsv?raw';
import google from '../../clipboard/google-sheets.html?raw';
import googleText from '../../clipboard/google-sheets.tsv?raw';
import libreOffice from '../../clipboard/libreoffice.html?raw';
import libreOfficeText from '../../clipboard/libreoffice.tsv?raw';
import { readClipboard } from '../../../src/web/sheet/clipboard.ts';

const fragments = { excel, google, libreOffice };
const texts = { excel: excelText, google: googleText, libreOffice: libreOfficeText };

describe('what is on the clipboard', () => {
  it.each(['excel', 'google', 'libreOffice'] as const)('of %s is the same table from HTML and from text', (name) => {
    const rows = readClipboard({ html: fragments[name], text: 'something else' });
    const withoutSpaces = (table: typeof rows) => table?.map((row) => row.map((cell) => cell.replace(/ +/g, '')));
    expect(rows?.[2]).toEqual([
      'TP-001',
      'OD 09 AB 1234',
      '27.50',
      '27.10',
      expect.stringMatching(/^₹ *1,250.00$/),
      '05/03/2026',
      'wet load\nsaid "weigh again"',
    ]);
    expect(withoutSpaces(rows)).toEqual(withoutSpaces(readClipboard({ html: '', text: texts[name] })));
  });

  it('is the largest table of a page, and its text where the page has none', () => {
    const page =
      '<table><tr><td>menu</td></tr></table><table><tr><th>TP</th></tr><tr><td><p>1</p><p>2</p></td></tr></table>';
    expect(readClipboard({ html: page, text: '' })).toEqual([['TP'], ['1\n2']]);
    expect(readClipboard({ html: '<b>7</b>', text: '7\t8\r\n' })).toEqual([['7', '8']]);
    expect(readClipboard({ html: '', text: ' \r\n' })).toBeUndefined();
  });
});
