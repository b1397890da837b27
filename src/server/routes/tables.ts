import { HSD_MAX_BYTES } from '../../shared/reading/pump-bill.ts';
import { contract } from '../../shared/contract/index.ts';
import type { TableSheet } from '../../shared/contract/tables.ts';
import { kindOf } from '../files/spreadsheet/file-kind.ts';
import { tableMessage, UnreadableFile } from '../files/spreadsheet/messages.ts';
import { parseInTurn } from '../files/spreadsheet/parser-process.ts';
import type { Implementer, Upload } from '../http/implement.ts';
import { Refusal } from '../refusal.ts';

export function tablesRoutes(implement: Implementer): void {
  implement.upload(contract.tables.read, readTableFile, async ({ file }) => ({ data: file }));
}

/** Receives a file and returns its sheets as text. The file is not stored. */
async function readTableFile(upload: Upload): Promise<{ sheets: TableSheet[]; sha256: string }> {
  try {
    const { name, bytes, sha256 } = await upload.receive(HSD_MAX_BYTES);
    const sheets = await parseInTurn('sheets', upload.account, kindOf(name, bytes), bytes, upload.signal);
    return { sheets, sha256: sha256.toString('hex') };
  } catch (error) {
    throw error instanceof UnreadableFile ? new Refusal('INVALID_FILE', tableMessage(error.message)) : error;
  }
}
