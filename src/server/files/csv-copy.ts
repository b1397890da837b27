import { Transform, type TransformCallback } from 'node:stream';
import { CSV_LINE_END } from '../../shared/calc/csv-text.ts';

/**
 * Ends every line that COPY writes: a last column of its own, a sign that no text of ours holds (control characters are
 * refused at the door), so that the line feeds inside of quoted remarks are told from the ends of lines without counting
 * quotes.
 */
export const copyLineMark = '\x1e';
const copiedEnd = `,${copyLineMark}\n`;

/**
 * Makes COPY's bytes the file of the one writer (csv.ts): `start` in front, CRLF at the end of each line. The bytes go
 * through as Latin-1, one character a byte, which the runtime copies and searches as fast as memory allows.
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
    // An end of line may be cut by the end of the chunk.
    const isCut = text.endsWith(',') || text.endsWith(`,${copyLineMark}`);
    const whole = isCut ? text.slice(0, text.lastIndexOf(',')) : text;
    this.#rest = isCut ? text.slice(whole.length) : '';
    done(null, Buffer.from(whole.replaceAll(copiedEnd, CSV_LINE_END), 'latin1'));
  }

  override _flush(done: TransformCallback): void {
    // Nothing was copied: the headings alone.
    this.#begin();
    done(null, Buffer.from(this.#rest, 'latin1'));
  }

  /** Only with the first row, so that a statement that fails is still answered as an error. */
  #begin(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.push(this.#start);
  }
}
