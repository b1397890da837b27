/**
 * Names of downloaded files (docs/specification.md §13.4) have safe characters only. Letters and digits of any script
 * stay, so that a name in Odia can still be read; everything between them becomes one underscore. Days are YYYY-MM-DD, and
 * `today` is the day in Asia/Kolkata.
 */
export function safeNamePart(text: string): string {
  const safe = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}-]+/gu, '_')
    .replace(/^[_-]+|(?<![_-])[_-]+$/g, '');
  return [...safe].slice(0, 60).join('');
}

export type FileFormat = 'csv' | 'xlsx';

function fileName(parts: readonly (string | undefined)[], format: FileFormat = 'csv'): string {
  return `${parts.filter((part) => part !== undefined && part !== '').join('_')}.${format}`;
}

function rangePart(from?: string, to?: string): string {
  if (from && to) return `${from}_to_${to}`;
  if (from) return `from_${from}`;
  return to ? `to_${to}` : '';
}

/** bank_statement[_owner][_from_to_to]_YYYY-MM-DD.csv, or .xlsx */
export function bankStatementFileName(file: {
  ownerName?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  today: string;
  format?: FileFormat;
}): string {
  const { ownerName = '', from, to, today, format } = file;
  return fileName(['bank_statement', safeNamePart(ownerName), rangePart(from, to), today], format);
}

/** payment_12_2026-05-02.csv or .xlsx: the batch's number and the day it was made, so every download has the same name. */
export function paymentFileName(batchNumber: number | string, madeOn: string, format?: FileFormat): string {
  return fileName(['payment', safeNamePart(String(batchNumber)), madeOn], format);
}

/** hsd_discrepancies[_pump]_YYYY-MM-DD without an ending; the day is that of the bill's upload. */
export function hsdDiscrepanciesName(pumpName: string, day: string): string {
  return ['hsd_discrepancies', safeNamePart(pumpName), day].filter(Boolean).join('_');
}

/** statement_ST-2627-000012[_owner] without an ending, so every download has the same name. */
export const ownerStatementName = (number: string, ownerName: string): string =>
  ['statement', number, safeNamePart(ownerName)].filter(Boolean).join('_');

/** challans_2026-05-02.csv or .xlsx */
export function challansFileName(today: string, format?: FileFormat): string {
  return fileName(['challans', today], format);
}

/** challan_groups_owner_month_2026-05-02.csv or .xlsx */
export function challanGroupsFileName(groupBy: readonly string[], today: string, format: FileFormat): string {
  return fileName(['challan_groups', ...groupBy, today], format);
}

/** owner_challans_report[_owner]_YYYY-MM-DD.csv or .xlsx */
export function ownerChallansFileName(ownerName: string, today: string, format?: FileFormat): string {
  return fileName(['owner_challans_report', safeNamePart(ownerName), today], format);
}

/** tds_return_working_2026-27[_q2]_YYYY-MM-DD.csv or .xlsx */
export function tdsReturnFileName(
  year: string,
  quarter: string | undefined,
  today: string,
  format?: FileFormat,
): string {
  return fileName(['tds_return_working', year, quarter, today], format);
}

/** tds_2026-27[_q2]_YYYY-MM-DD.csv or .xlsx */
export function tdsFileName(year: string, quarter: string | undefined, today: string, format?: FileFormat): string {
  return fileName(['tds', year, quarter, today], format);
}

/** owners_YYYY-MM-DD.xlsx, by the name of the list */
export const listFileName = (label: string, today: string): string =>
  fileName([safeNamePart(label.toLowerCase()), today], 'xlsx');
/** exceptions_YYYY-MM-DD.csv or .xlsx */
export function exceptionsFileName(today: string, format?: FileFormat): string {
  return fileName(['exceptions', today], format);
}
