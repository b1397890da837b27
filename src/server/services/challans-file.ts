import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CSV_BOM } from '../../shared/calc/csv-text.ts';
import { challanExportColumns } from '../../shared/columns/challan-export-columns.ts';
import { newestFirst, type ChallanOrder } from '../../shared/contract/challan-order.ts';
import type { ChallanFilter } from '../../shared/filters/challan-filters.ts';
import type { TenantDb } from '../db/tenant.ts';
import { CopiedCsv, copyLineMark } from '../files/csv-copy.ts';
import { csvHeader } from '../files/csv.ts';
import { copyChallans } from '../queries/challans-export.ts';

/**
 * Streams every challan of the filter as the file of docs/specification.md §13.2. Memory does not grow with the number
 * of rows.
 */
export async function writeChallansFile(
  db: TenantDb,
  filter: ChallanFilter,
  sink: Writable,
  order: ChallanOrder = newestFirst,
): Promise<void> {
  const lines = await copyChallans(db, filter, order, copyLineMark);
  await pipeline(lines, new CopiedCsv(CSV_BOM + csvHeader(challanExportColumns)), sink);
}
