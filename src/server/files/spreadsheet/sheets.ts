import { HSD_MAX_CELL } from '../../../shared/reading/pump-bill.ts';
import { TABLE_HEADING_ROWS, TABLE_MAX_ROWS } from '../../../shared/reading/tables.ts';
import type { TableSheet } from '../../../shared/contract/tables.ts';
import { fileMessages, UnreadableFile } from './messages.ts';

/**
 * Collects the rows of a sheet one by one and skips blank ones, so that a file of blank lines does not fill the memory.
 */
export class SheetBuilder {
  readonly #sheet: TableSheet;

  constructor(name: string) {
    this.#sheet = { name: name.slice(0, 100), rows: [] };
  }

  add(cells: readonly string[]): void {
    const texts = cells.map((text) => text.trim());
    while (texts.at(-1) === '') texts.pop();
    if (texts.length === 0) return;
    if (texts.some((text) => text.length > HSD_MAX_CELL)) throw new UnreadableFile(fileMessages.longCell);
    const { rows } = this.#sheet;
    if (rows.push(texts) > TABLE_MAX_ROWS + TABLE_HEADING_ROWS) throw new UnreadableFile(fileMessages.tooManyRows);
  }

  finish(): TableSheet {
    return this.#sheet;
  }
}
