import { HSD_MAX_BYTES } from '../../../shared/reading/pump-bill.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { ReadTables } from '../../files/spreadsheet/sheets.ts';
import { tableMessage, UnreadableFile } from '../../files/spreadsheet/messages.ts';
import { parseInTurn } from '../../files/spreadsheet/parser-process.ts';
import type { Implementer, Upload } from '../../http/implement.ts';
import { Refusal } from '../../refusal.ts';

export function tablesRoutes(implement: Implementer): void {
  implement.upload(contract.tables.read, readTableFile, async ({ file }) => ({ data: file }));
}

/** Receives a file and returns its sheets as text. The file is not stored. */
async function readTableFile(upload: Upload): Promise<ReadTables & { sha256: string }> {
  try {
    const { name, bytes, sha256 } = await upload.receive(HSD_MAX_BYTES);
    const tables = await parseInTurn('sheets', upload.business, name, bytes, upload.signal);
    return { ...tables, sha256: sha256.toString('hex') };
  } catch (error) {
    throw error instanceof UnreadableFile ? new Refusal('INVALID_FILE', tableMessage(error.message)) : error;
  }
}
