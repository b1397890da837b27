import type { TableSheet } from '../../shared/contract/tables.ts';
import { kindOf, type ReceivedFile } from '../files/spreadsheet/file-kind.ts';
import { tableMessage, UnreadableFile } from '../files/spreadsheet/messages.ts';
import { parseInTurn } from '../files/spreadsheet/parser-process.ts';
import { Refusal } from '../refusal.ts';
import { HSD_MAX_BYTES } from '../../shared/calc/hsd.ts';

/** Receives a file and reads its sheets as text; the file is not kept. */
export async function readTableFile(upload: {
  account: string;
  receive(maxBytes: number): Promise<ReceivedFile>;
  signal: AbortSignal;
}): Promise<{ sheets: TableSheet[]; sha256: string }> {
  try {
    const { name, bytes, sha256 } = await upload.receive(HSD_MAX_BYTES);
    const sheets = await parseInTurn('sheets', upload.account, kindOf(name, bytes), bytes, upload.signal);
    return { sheets, sha256: sha256.toString('hex') };
  } catch (error) {
    throw error instanceof UnreadableFile ? new Refusal('INVALID_FILE', tableMessage(error.message)) : error;
  }
}
