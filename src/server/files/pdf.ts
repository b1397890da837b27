import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as immediate } from 'node:timers/promises';
import type PdfKit from 'pdfkit';
import { asciiText } from '../../shared/bank/ascii.ts';
import { formatAmount, isZero } from '../../shared/calc/money.ts';

/**
 * PDFs with text and tables on A4. The fonts are shipped with the product and embedded, so that ₹, Hindi, Odia, Bengali and
 * Santali look the same everywhere and the text can be copied.
 */

/** pdfkit is loaded for the first PDF, because it takes 30 MB and most processes never create a PDF. */
const modules = createRequire(import.meta.url);

/** The fonts and their letters; the first match is used. Each font contains one script only. */
const scripts = [
  { name: 'devanagari', font: 'noto-sans/files/noto-sans-devanagari', of: /[\u0900-\u097f\u1cd0-\u1cff\ua8e0-\ua8ff]/ },
  { name: 'odia', font: 'noto-sans-oriya/files/noto-sans-oriya-oriya', of: /[\u0b00-\u0b7f]/ },
  { name: 'bengali', font: 'noto-sans-bengali/files/noto-sans-bengali-bengali', of: /[\u0980-\u09ff]/ },
  { name: 'olChiki', font: 'noto-sans-ol-chiki/files/noto-sans-ol-chiki-ol-chiki', of: /[\u1c50-\u1c7f]/ },
  {
    name: 'extended',
    font: 'noto-sans/files/noto-sans-latin-ext',
    of: /[\u0100-\u02af\u1e00-\u1eff\u20a0-\u20ab\u20ad-\u20cf]/,
  },
  { name: 'latin', font: 'noto-sans/files/noto-sans-latin', of: /[^]/ },
] as const;
type Script = (typeof scripts)[number]['name'];
/** Characters that use the font of the text before them. */
const neutral = /[\s\u200c\u200d]/;

const weights = { regular: '400', bold: '700' } as const;
type Weight = keyof typeof weights;

const loaded = new Map<string, Buffer>();
function fontFile(font: string, weight: Weight): Buffer {
  const name = `@fontsource/${font}-${weights[weight]}-normal.woff`;
  const known = loaded.get(name) ?? readFileSync(modules.resolve(name));
  loaded.set(name, known);
  return known;
}

/** Letters of scripts for which no font is shipped, and signs such as emoji: the Latin font has boxes for them. */
const undrawable =
  '[\\u0600-\\u08ff\\u0a00-\\u0aff\\u0b80-\\u0dff\\u0e00-\\u1c4f\\u1c80-\\u1cc9\\u2600-\\u27bf\\u2e80-\\ua8df\\ua900-\\ufe0f\\u{10000}-\\u{10ffff}]';
/** Joiners belong to the letters around them. */
const undrawableRun = new RegExp(`${undrawable}+(?:[\\u200c\\u200d]+${undrawable}+)*`, 'gu');
const keptSigns = ` .,;:/()-&'`;

/** The text with what no font can draw in Latin letters as it is spoken; what cannot be spoken either is one question mark. */
export const drawable = (text: string): string =>
  text.normalize('NFC').replace(undrawableRun, (letters) => asciiText(letters, keptSigns) || '?');

/** Whether pdfkit would draw two Bengali letters as the one of হ্ন, which is another word: it also looks past হ's own vowel. */
const isMisdrawn = (before: string, letter: string): boolean => letter === 'ন' && /হ[িেৈ]?$/.test(before);

/** Splits text where its font changes, and between letters that must not be drawn together. */
function splitByFont(whole: string): { script: Script; text: string }[] {
  const text = drawable(whole);
  const runs: { script: Script; text: string }[] = [];
  for (const letter of text) {
    const last = runs.at(-1);
    const script =
      last && neutral.test(letter) ? last.script : (scripts.find(({ of }) => of.test(letter))?.name ?? 'latin');
    if (last?.script === script && !isMisdrawn(last.text, letter)) last.text += letter;
    else runs.push({ script, text: letter });
  }
  return runs;
}

type Align = 'left' | 'right' | 'center';

interface TextLook {
  size?: number;
  weight?: Weight;
  align?: Align;
}

export interface PdfColumn {
  label: string;
  /** The relative width in points. The columns are scaled in proportion to fill the page. */
  width: number;
  align?: Align;
  /** Its text is never broken into lines: it gets smaller until it fits. */
  isWhole?: boolean;
}

export type Pdf = ReturnType<typeof createPdf>;

const margin = 36;
const lineHeight = 1.35;
const padding = 3;
const maxPendingBytes = 1024 * 1024;

/** Creates a PDF. `at` is its creation time, for PDFs whose same content must give the same bytes. */
export function createPdf({ title, landscape = false, at }: { title: string; landscape?: boolean; at?: Date }) {
  const Document = modules('pdfkit') as typeof PdfKit;
  const doc = new Document({
    size: 'A4',
    layout: landscape ? 'landscape' : 'portrait',
    margin,
    autoFirstPage: false,
    lang: 'en-IN',
    info: { Title: title, Producer: 'Challan Desk', Creator: 'Challan Desk', ...(at && { CreationDate: at }) },
  });
  const fonts = new Set<string>();
  const use = (script: Script, weight: Weight, size: number): void => {
    const name = `${script}-${weight}`;
    const { font } = scripts.find((one) => one.name === script)!;
    if (!fonts.has(name)) doc.registerFont(name, fontFile(font, weight));
    fonts.add(name);
    doc.font(name).fontSize(size);
  };
  let y = margin;
  const left = margin;
  const widthOfPage = (): number => doc.page.width - 2 * margin;
  const bottom = (): number => doc.page.height - margin;

  const widthOf = (text: string, size: number, weight: Weight): number =>
    splitByFont(text).reduce((width, run) => {
      use(run.script, weight, size);
      return width + doc.widthOfString(run.text);
    }, 0);

  /** Splits text into lines that fit the width, between words. A word that is too long is split inside. */
  const wrapText = (text: string, width: number, size: number, weight: Weight): string[] => {
    const lines: string[] = [];
    for (const paragraph of text.split('\n')) {
      let line = '';
      for (const word of paragraph.split(' ')) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (widthOf(longer, size, weight) <= width) {
          line = longer;
          continue;
        }
        if (line !== '') lines.push(line);
        line = word;
        while (line.length > 1 && widthOf(line, size, weight) > width) {
          let end = line.length - 1;
          while (end > 1 && widthOf(line.slice(0, end), size, weight) > width) end -= 1;
          lines.push(line.slice(0, end));
          line = line.slice(end);
        }
      }
      lines.push(line);
    }
    return lines;
  };

  const drawLine = (text: string, x: number, at: number, width: number, look: Required<TextLook>): void => {
    const { size, weight, align } = look;
    const room = width - widthOf(text, size, weight);
    let place = x + (align === 'right' ? room : align === 'center' ? room / 2 : 0);
    for (const run of splitByFont(text)) {
      use(run.script, weight, size);
      // The letters of these scripts are drawn in another order than they are read. The mark makes the original text
      // the one that is copied.
      const isReordered = ['devanagari', 'odia', 'bengali'].includes(run.script);
      if (isReordered) doc.markContent('Span', { actual: run.text });
      doc.text(run.text, place, at, { lineBreak: false });
      if (isReordered) doc.endMarkedContent();
      place += doc.widthOfString(run.text);
    }
  };

  const newPage = (): void => {
    doc.addPage();
    y = margin;
  };

  /** Writes text over the width of the page, or over a part of it. */
  const text = (words: string, look: TextLook & { width?: number; x?: number; keepPlace?: boolean } = {}): void => {
    const { size = 9, weight = 'regular', align = 'left', x = 0, width = widthOfPage() - x, keepPlace = false } = look;
    const start = y;
    for (const line of wrapText(words, width, size, weight)) {
      if (y + size * lineHeight > bottom()) newPage();
      drawLine(line, left + x, y, width, { size, weight, align });
      y += size * lineHeight;
    }
    if (keepPlace) y = start;
  };

  const rule = (): void => {
    doc
      .moveTo(left, y)
      .lineTo(left + widthOfPage(), y)
      .lineWidth(0.5)
      .strokeColor('#888')
      .stroke();
    y += 4;
  };

  /**
   * Writes rows under their headings, which every page repeats. A row is never split between two pages. A continued
   * table adds rows under the existing headings.
   */
  const table = (
    columns: readonly PdfColumn[],
    rows: Iterable<readonly string[]>,
    { size = 7.5, sums, isContinued = false }: { size?: number; sums?: readonly string[]; isContinued?: boolean } = {},
  ): void => {
    const whole = columns.reduce((width, column) => width + column.width, 0);
    const widths = columns.map((column) => (column.width / whole) * widthOfPage());
    const roomIn = (index: number): number => (widths[index] ?? 0) - 2 * padding;
    const row = (cells: readonly string[], weight: Weight, isHeading = false): void => {
      const lines = cells.map((cell, index) =>
        columns[index]?.isWhole && !isHeading ? [cell] : wrapText(cell, roomIn(index), size, weight),
      );
      const height = Math.max(...lines.map((of) => of.length)) * size * lineHeight + 2 * padding;
      if (!isHeading && y + height > bottom()) {
        newPage();
        heading();
      }
      let x = left;
      for (const [index, of] of lines.entries()) {
        const width = widths[index] ?? 0;
        for (const [nth, line] of of.entries()) {
          const at = y + padding + nth * size * lineHeight;
          const align = columns[index]?.align ?? 'left';
          const fitting = columns[index]?.isWhole ? Math.min(1, roomIn(index) / widthOf(line, size, weight)) : 1;
          drawLine(line, x + padding, at, roomIn(index), { size: size * fitting, weight, align });
        }
        x += width;
      }
      y += height;
      doc
        .moveTo(left, y)
        .lineTo(x, y)
        .lineWidth(isHeading ? 0.8 : 0.3)
        .strokeColor('#999')
        .stroke();
    };
    const heading = (): void =>
      row(
        columns.map(({ label }) => label),
        'bold',
        true,
      );
    if (!isContinued) {
      if (y + 3 * size * lineHeight > bottom()) newPage();
      heading();
    }
    for (const cells of rows) row(cells, 'regular');
    if (sums) row(sums, 'bold');
  };

  return {
    newPage,
    text,
    rule,
    table,
    space: (height: number): void => {
      y += height;
    },
    /** Writes to the sink while `draw` draws. Resolves when everything is in the sink. */
    write: async (sink: Writable, draw: (drained: () => Promise<unknown>) => Promise<void>): Promise<void> => {
      const written = pipeline(doc, sink);
      // Lets other calls run, and waits for the reader when much data is buffered. A reader that has disconnected ends
      // it.
      const drained = async (): Promise<unknown> =>
        doc.readableLength > maxPendingBytes ? Promise.race([once(doc, 'data'), written]) : immediate();
      const drawn = draw(drained).then(
        () => doc.end(),
        (error: unknown) => doc.destroy(error instanceof Error ? error : new Error(String(error))),
      );
      await Promise.all([written, drawn]);
    },
  };
}

export const pdfContentType = 'application/pdf';

/** The cell of an amount; null is blank. */
export const amountCell = (amount: string | null): string => (amount === null ? '' : formatAmount(amount));

/** The cell of an amount; null and zero are blank. */
export const nonZeroCell = (amount: string | null): string =>
  amount === null || isZero(amount) ? '' : formatAmount(amount);

export interface PdfBusiness {
  name: string;
  address: string;
  gstNo: string;
}

/** Begins a page with the business, the title of the document, and a text at the right. */
export function startPage(pdf: Pdf, business: PdfBusiness, title: string, right: string): void {
  pdf.newPage();
  pdf.text(business.name, { size: 14, weight: 'bold' });
  pdf.text([business.address, business.gstNo && `GST ${business.gstNo}`].filter(Boolean).join(' · '), { size: 8 });
  pdf.space(6);
  pdf.text(title, { size: 12, weight: 'bold', keepPlace: true });
  pdf.text(right, { size: 10, align: 'right' });
  pdf.space(4);
  pdf.rule();
}
