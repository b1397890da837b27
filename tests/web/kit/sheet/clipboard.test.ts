import { describe, expect, it } from 'vitest';
import excel from '../../../clipboard/excel.html?raw';
import excelText from '../../../clipboard/excel.tsv?raw';
import google from '../../../clipboard/google-sheets.html?raw';
import googleText from '../../../clipboard/google-sheets.tsv?raw';
import libreOffice from '../../../clipboard/libreoffice.html?raw';
import libreOfficeText from '../../../clipboard/libreoffice.tsv?raw';
import hashes from '../../../cases/m1-excel-clipboard-hash-marks.html?raw';
import hashesText from '../../../cases/m1-excel-clipboard-hash-marks.txt?raw';
import { readClipboard as read, type Clipboard } from '../../../../src/web/kit/sheet/clipboard.ts';

const readClipboard = (clipboard: Clipboard) => read(clipboard)?.table;

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

  const tableOf = (rows: string, columns = '') => readClipboard({ html: `<table>${columns}${rows}</table>`, text: '' });

  it.each([
    ["style='display:none'"],
    ['style="height:15pt; DISPLAY : none !important"'],
    ["height=0 style='display:none;mso-height-source:userset;mso-height-alt:0'"],
    ["style='mso-height-source:userset;mso-height-alt:0'"],
    ['style="visibility:hidden"'],
    ['style="visibility: collapse;"'],
    ["style='mso-hide:all'"],
    ['hidden'],
    ['hidden=""'],
  ])('has no row that is hidden by %s', (mark) => {
    const [seen, hidden] = ['<td>TP</td><td>Rate</td>', '<td>secret</td><td>9</td>'];
    expect(tableOf(`<tr>${seen}</tr><tr ${mark}>${hidden}</tr><tr><td>1</td><td>2</td></tr>`)).toEqual([
      ['TP', 'Rate'],
      ['1', '2'],
    ]);
    expect(tableOf(`<tr>${seen}</tr><tbody ${mark}><tr>${hidden}</tr></tbody><tr><td>1</td></tr>`)).toEqual([
      ['TP', 'Rate'],
      ['1', ''],
    ]);
  });

  it('has every row that only looks hidden: a protected formula, a width, a quoted text', () => {
    for (const mark of [
      "style='mso-protection:unlocked hidden'",
      "style='mso-width-source:userset;mso-width-alt:3510;display:table-row'",
      "style='overflow:hidden'",
      'title="display:none" data-style="display:none"',
    ]) {
      expect(tableOf(`<tr ${mark}><td>a</td></tr>`), mark).toEqual([['a']]);
    }
  });

  it.each([
    ["<col width=64><col width=0 style='display:none;mso-width-source:userset;mso-width-alt:0'><col width=64>"],
    ['<colgroup><col><col hidden><col></colgroup>'],
    ['<colgroup></colgroup><colgroup style="visibility:collapse" span="1"></colgroup>'],
    ["<col><col span=1 style='mso-width-alt:0'>"],
  ])('has no column that is hidden by %s', (columns) => {
    const row = (a: string, b: string, c: string, mark = '') =>
      `<tr><td>${a}</td><td ${mark}>${b}</td><td>${c}</td></tr>`;
    const shown = [
      ['TP', 'Rate'],
      ['1', '2'],
    ];
    expect(tableOf(row('TP', 'Date', 'Rate') + row('1', 'x', '2'), columns)).toEqual(shown);
    // Excel also marks the cells of a hidden column. They still have a place of their own.
    const mark = "style='display:none'";
    expect(tableOf(row('TP', 'Date', 'Rate', mark) + row('1', 'x', '2', mark), columns)).toEqual(shown);
  });

  it('has no cell that is hidden alone: without a place of its own, or with an empty one', () => {
    const merged = '<tr><td colspan="2">a</td><td style="display:none"></td><td>c</td></tr>';
    expect(tableOf(`${merged}<tr><td>1</td><td hidden>x</td><td>2</td><td>3</td></tr>`)).toEqual([
      ['a', '', 'c'],
      ['1', '2', '3'],
    ]);
    expect(tableOf('<tr><td>a</td><td style="visibility:hidden">b</td><td>c</td></tr>')).toEqual([['a', '', 'c']]);
  });

  it('has the text of a merged cell where it is seen first', () => {
    const rows = `<tr style="display:none"><td>1</td><td rowspan="3">Das</td></tr><tr><td>2</td></tr><tr><td>3</td></tr>`;
    expect(tableOf(rows)).toEqual([
      ['2', 'Das'],
      ['3', ''],
    ]);
    expect(tableOf('<tr><td colspan=2>Weight</td><td>b</td></tr>', '<col hidden><col><col>')).toEqual([
      ['Weight', 'b'],
    ]);
  });

  it('is not a table, and has no text, that is hidden as a whole', () => {
    const hidden = '<div style="display:none"><table><tr><td>1</td></tr><tr><td>2</td></tr></table></div>';
    expect(readClipboard({ html: `${hidden}<table><tr><td>7</td></tr></table>`, text: '' })).toEqual([['7']]);
    // LibreOffice writes the comment of a cell into the cell.
    const comment = '<a class="comment-indicator"></a><comment>a note</comment>';
    expect(tableOf(`<tr><td>${comment}5<span style="mso-hide:all">x</span></td></tr>`)).toEqual([['5']]);
  });

  it('keeps a text that looks like the attribute of a tag', () => {
    expect(tableOf('<tr><td title="a>b style=c" onclick="x()">1 style=2 &lt;b onload=3></td></tr>')).toEqual([
      ['1 style=2 <b onload=3>'],
    ]);
  });

  it('has the values that Excel shows as # signs, where the text beside the HTML has them', () => {
    expect(readClipboard({ html: hashes, text: hashesText })).toEqual([
      ['TP No', 'Loading Date', 'Vehicle No', 'Loading Weight'],
      ['H1', '05-03-2026', 'OD09MA5231', '25.34'],
    ]);
    expect(readClipboard({ html: hashes, text: 'other\r\nrows\r\nhere' })?.[1]).toEqual([
      'H1',
      '########',
      'OD09MA5231',
      '#####',
    ]);
  });

  it('says what is merged down a column, and how many rows were left out', () => {
    const html =
      '<table><tr><td>Owner</td><td>Truck</td></tr><tr style="display:none"><td>Old</td><td>T0</td></tr><tr><td rowspan=2>Ram</td><td>T1</td></tr><tr><td>T2</td></tr></table>';
    expect(read({ html, text: '' })).toEqual({
      table: [
        ['Owner', 'Truck'],
        ['Ram', 'T1'],
        ['', 'T2'],
      ],
      merges: [{ column: 0, first: 1, last: 2 }],
      hiddenRows: 1,
    });
  });
});
