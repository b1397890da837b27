/** A row's start, with its number, or a value that is not empty (`<v>1`, `<is><t>a`), with or without a prefix. */
const marks = /<(?:\w+:)?row\b([^>]*)>|<(?:\w+:)?[vt](?:\s[^>]*)?>[^<]/g;

/**
 * Counts the rows of a worksheet's XML that hold a value, piece by piece as it is unpacked. The workbook reader can only
 * be told to stop at a row; which row is the last with anything in it, past thousands of blank but formatted ones, only the
 * sheet itself says.
 */
export class RowCounter {
  /** Rows with a value. */
  rows = 0;
  /** The last of them, from 1. */
  lastRow = 0;
  #current = 0;
  #rest = '';

  take(chunk: Buffer): void {
    const text = this.#rest + chunk.toString('latin1');
    // A tag may be cut between two pieces: what follows the last '<' is looked at with the next one.
    const cut = text.lastIndexOf('<');
    const whole = cut === -1 ? text : text.slice(0, cut);
    // A start tag that never ends is no worksheet; its beginning need not be kept.
    this.#rest = cut === -1 ? '' : text.slice(cut, cut + 4096);
    for (const [, attributes] of whole.matchAll(marks)) {
      if (attributes === undefined) this.#takeValue();
      else this.#current = Number(/\br="(\d{1,9})"/.exec(attributes)?.[1] ?? this.#current + 1);
    }
  }

  #takeValue(): void {
    if (this.#current === this.lastRow) return;
    this.rows += 1;
    this.lastRow = Math.max(this.lastRow, this.#current);
  }
}
