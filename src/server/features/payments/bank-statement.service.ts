import { dayOf } from '../../../shared/calc/dates.ts';
import { bankStatementFileName, type FileFormat } from '../../../shared/calc/file-names.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { Paging } from '../../sql/paging.ts';
import {
  selectStatementOwners,
  statementLines,
  type SelectUnpaid,
  type StatementFilter,
} from './bank-statement.queries.ts';
import { selectNames } from '../master-data/records.queries.ts';
import { bankColumnsOf, refuseTooManyRows, withSums } from './bank-statement-file.service.ts';

/**
 * Returns a page of owners with all their unpaid challans under the filter, as `selectChallans` reads them. The summary covers
 * the whole filter.
 */
export async function listStatement<Challan>(
  db: TenantDb,
  filter: StatementFilter,
  paging: Paging,
  selectChallans: SelectUnpaid<Challan>,
) {
  const { owners, summary } = await selectStatementOwners(db, filter, paging);
  const ids = owners.map(({ id }) => id);
  const unpaid = await selectChallans(db, filter, ids);
  const nothing = { oldestDeposit: null, challans: [] };
  return { owners: owners.map((owner) => ({ ...owner, ...(unpaid.get(owner.id) ?? nothing) })), summary };
}

/**
 * Returns the statement of every matching owner as a file, named as docs/specification.md §13.4 says. `today` is the
 * current instant.
 */
export async function statementFile(
  db: TenantDb,
  filter: StatementFilter,
  format: FileFormat,
  today: Date,
): Promise<TableFile> {
  const { ownerId } = filter;
  const ownerName = ownerId ? (await selectNames(db, 'owners', [ownerId])).get(ownerId) : filter.ownerName;
  if (format === 'xlsx') {
    const { summary } = await selectStatementOwners(db, filter, { page: 1, limit: 1 });
    refuseTooManyRows(format, summary.totalChallans, summary.totalOwners);
  }
  return tableFile(format, {
    name: bankStatementFileName({
      ownerName,
      from: filter.depositedStartDate,
      to: filter.depositedEndDate,
      today: dayOf(today),
      format,
    }),
    sheet: 'Bank statement',
    columns: bankColumnsOf(format),
    lines: withSums(statementLines(db, filter)),
  });
}
