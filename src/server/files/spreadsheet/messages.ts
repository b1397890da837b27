import { formatCount } from '../../../shared/calc/count-text.ts';
import { chooseTableFile, TABLE_MAX_ROWS } from '../../../shared/reading/tables.ts';
import {
  HSD_MAX_BYTES,
  HSD_MAX_CELL,
  HSD_MAX_COLUMNS,
  HSD_MAX_ROWS,
  type ColumnsToChoose,
} from '../../../shared/reading/pump-bill.ts';

/**
 * The messages that refuse an uploaded file; those about the header are in shared/reading/pump-bill.ts. Each says what to do.
 * Source: docs/specification.md §11.2.
 */
export const fileMessages = {
  notMultipart: "The file must be sent as multipart/form-data in the field 'file'.",
  brokenUpload: 'The upload broke off before the whole file had arrived. Please upload the file again.',
  noFile: 'Choose a file to upload.',
  wrongField: "The file must be sent in the field 'file', and nothing else with it.",
  twoFiles: 'Upload one file at a time.',
  tooLarge: `The file is larger than ${HSD_MAX_BYTES / 1024 / 1024} MB. Split it into smaller files and upload each of them.`,
  tooSlow: 'The file took too long to arrive. Please upload it again on a better connection.',
  busy: 'Other files are being read at the moment. Please upload this one again in a few seconds.',
  wrongType: chooseTableFile,
  empty: 'The file is empty. Choose the file that holds the TP numbers and amounts.',
  noSheet: 'The workbook has no visible sheet of that name. Upload the file again and choose its columns.',
  whichSheet: 'More than one sheet has TP numbers and amounts. Choose the one to compare.',
  noRows: 'The file has no rows below its header. Choose the file that holds the TP numbers and amounts.',
  notTable: 'The file holds no table that can be read. Save it as .csv or .xlsx and upload the new file.',
  password: 'The file is protected by a password. Remove the password and upload the file again.',
  macros: 'The file contains macros. Save it without macros and upload the new file.',
  damaged: 'The file is damaged and cannot be read. Save it again and upload the new copy.',
  inflates:
    'The file grows too large when it is unpacked. Copy the TP No and Amount columns into a new file and upload that.',
  tooHard:
    'The file takes too long or too much memory to read. Copy the TP No and Amount columns into a new file and upload that.',
  tooManyRows: `The file has more than ${formatCount(HSD_MAX_ROWS)} rows. Split it into smaller files and upload each of them.`,
  tooManyColumns: `The file has more than ${HSD_MAX_COLUMNS} columns. Copy the TP No and Amount columns into a new file and upload that.`,
  longCell: `The file has a cell of more than ${formatCount(HSD_MAX_CELL)} characters. Shorten it and upload the file again.`,
  interrupted: 'The file could not be read just now. Please upload it again.',
} as const;

/** The messages that differ for a file of any columns (docs/specification.md §13.5). */
const tableMessages = new Map<string, string>([
  [fileMessages.empty, 'The file is empty. Choose the file that holds the rows.'],
  [
    fileMessages.inflates,
    'The file grows too large when it is unpacked. Copy the rows into a new file and upload that.',
  ],
  [
    fileMessages.tooHard,
    'The file takes too long or too much memory to read. Split it into smaller files and upload each of them.',
  ],
  [
    fileMessages.tooManyRows,
    `The file has more than ${formatCount(TABLE_MAX_ROWS)} rows. Split it into smaller files and upload each of them.`,
  ],
  [
    fileMessages.tooManyColumns,
    `The file has more than ${HSD_MAX_COLUMNS} columns. Copy the columns that are needed into a new file and upload that.`,
  ],
]);
export const tableMessage = (message: string): string => tableMessages.get(message) ?? message;

/** A file that cannot be read. The message is for the user who chose it. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
  /** The columns to choose from, when the file could be read after the user has chosen them. */
  readonly columns: ColumnsToChoose | undefined;

  constructor(message: string, columns?: ColumnsToChoose) {
    super(message);
    this.columns = columns;
  }
}
