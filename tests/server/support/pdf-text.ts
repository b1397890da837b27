import { inflateSync } from 'node:zlib';

/**
 * The text of each page of a PDF of ours, in the order it is drawn: through the fonts' ToUnicode maps, and where a part says
 * what it reads as (ActualText), that.
 */
export function pdfText(pdf: Buffer): string[] {
  const source = pdf.toString('latin1');
  const objects = new Map<string, string>();
  for (const [, id = '', body = ''] of source.matchAll(/(\d+) 0 obj\r?\n([^]*?)\r?\nendobj/g)) objects.set(id, body);
  const streamOf = (id: string): string => {
    const body = objects.get(id) ?? '';
    const start = /stream\r?\n/.exec(body);
    if (!start) return '';
    const bytes = Buffer.from(body.slice(start.index + start[0].length, body.lastIndexOf('endstream')), 'latin1');
    return body.includes('/FlateDecode') ? inflateSync(bytes).toString('latin1') : bytes.toString('latin1');
  };
  const refOf = (body: string, key: string): string => new RegExp(`/${key} (\\d+) 0 R`).exec(body)?.[1] ?? '';

  const fontMaps = new Map<string, Map<string, string>>();
  const mapOf = (fontId: string): Map<string, string> => {
    const known = fontMaps.get(fontId) ?? unicodeMap(streamOf(refOf(objects.get(fontId) ?? '', 'ToUnicode')));
    fontMaps.set(fontId, known);
    return known;
  };

  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b(?!s)/.test(body));
  return pages.map((page) => {
    const resources = objects.get(refOf(page, 'Resources')) ?? page;
    const fonts = new Map([...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => [name, id]));
    const lines: string[] = [];
    let font = '';
    let actual: string | undefined;
    const tokens = /\/(F\d+) [\d.]+ Tf|\/ActualText (<[0-9a-fA-F]*>|\((?:\\[^]|[^\\)])*\))|\[(.*?)\] TJ|\bEMC\b/g;
    for (const [token, name, actualText, shown] of streamOf(refOf(page, 'Contents')).matchAll(tokens)) {
      if (name !== undefined) font = fonts.get(name) ?? '';
      else if (actualText !== undefined) actual = textString(actualText);
      else if (token === 'EMC') {
        if (actual !== undefined) lines.push(actual);
        actual = undefined;
      } else if (actual === undefined) {
        const map = mapOf(font);
        const hex = [...(shown ?? '').matchAll(/<([0-9a-fA-F]*)>/g)].map(([, part = '']) => part).join('');
        lines.push((hex.match(/.{4}/g) ?? []).map((glyph) => map.get(glyph.toLowerCase()) ?? '?').join(''));
      }
    }
    // Runs of another font on the same line follow without a break.
    return lines.join('');
  });
}

/** UTF-16 after a byte order mark, as a hexadecimal or an escaped string. */
function textString(written: string): string {
  const bytes = written.startsWith('<')
    ? Buffer.from(written.slice(1, -1), 'hex')
    : Buffer.from(
        written
          .slice(1, -1)
          .replace(
            /\\([nrtbf()\\])/g,
            (_, sign: string) => ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' })[sign] ?? sign,
          ),
        'latin1',
      );
  if (bytes[0] !== 0xfe || bytes[1] !== 0xff) return bytes.toString('latin1');
  return Buffer.from(bytes.subarray(2)).swap16().toString('utf16le');
}

/** Glyph → text, of the map that a font has for copying. */
function unicodeMap(cmap: string): Map<string, string> {
  const map = new Map<string, string>();
  for (const [, from = '', , list = ''] of cmap.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[(.*?)\]/gi)) {
    let glyph = Number.parseInt(from, 16);
    for (const [, hex = ''] of list.matchAll(/<([0-9a-f ]*)>/gi)) {
      const text = Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');
      map.set(glyph.toString(16).padStart(4, '0'), text);
      glyph += 1;
    }
  }
  return map;
}

/** The numbers of all glyphs that a PDF of ours draws, in the order of the drawing; 0000 is the box of an unknown letter. */
export function drawnGlyphs(pdf: Buffer): string[] {
  const streams = pdf.toString('latin1').matchAll(/\/FlateDecode\b[^]*?stream\r?\n([^]*?)\r?\nendstream/g);
  return [...streams].flatMap(([, bytes = '']) => {
    const content = inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1');
    const shown = [...content.matchAll(/\[([^\]]*)\] TJ/g)].flatMap(([, line = '']) => [
      ...line.matchAll(/<([0-9a-f]+)>/g),
    ]);
    return shown.flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
  });
}
