import { Transform, type TransformCallback } from 'node:stream';
import { CSV_LINE_END } from '../../shared/calc/csv-text.ts';

/**
 * Marks the end of every line that COPY writes: an extra last column with a control character that no stored text
 * contains. So line feeds inside quoted remarks can be distinguished from line ends without counting quotes.
 */
export const copyLineMark = '\x1e';
const copiedEnd = `,${copyLineMark}\n`;

/**
 * Converts the output of COPY to the same file as csv.ts writes: `start` at the beginning, CRLF at the end of each
 * line. The bytes are handled as Latin-1, one character per byte, which is fast to copy and search.
 */
export class CopiedCsv extends Transform {
  readonly #start: string;
  #isStarted = false;
  #rest = '';

  constructor(start: string) {
    super();
    this.#start = start;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#begin();
    const text = this.#rest + chunk.toString('latin1');
    // A chunk may end in the middle of a line end.
    const isCut = text.endsWith(',') || text.endsWith(`,${copyLineMark}`);
    const whole = isCut ? text.slice(0, text.lastIndexOf(',')) : text;
    this.#rest = isCut ? text.slice(whole.length) : '';
    done(null, Buffer.from(whole.replaceAll(copiedEnd, CSV_LINE_END), 'latin1'));
  }

  override _flush(done: TransformCallback): void {
    // When nothing was copied, the file has only the headings.
    this.#begin();
    done(null, Buffer.from(this.#rest, 'latin1'));
  }

  /**
   * Writes the start only together with the first row, so that a failing statement can still be answered with an error.
   */
  #begin(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.push(this.#start);
  }
}
