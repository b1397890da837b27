import { challansText, countText } from '../../../shared/calc/count-text.ts';
import { dayOf, formatDateTime } from '../../../shared/calc/dates.ts';
import { challanGroupsFileName, type FileFormat } from '../../../shared/calc/file-names.ts';
import { challanGroupColumns } from '../../../shared/columns/challan-group-columns.ts';
import type { TableLine } from '../../../shared/columns/define.ts';
import {
  challanGroups,
  groupKeys,
  usualGroupSort,
  type ChallanGroup,
  type GroupFigures,
} from '../../../shared/contract/challan-groups.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import { refuseTooManyRows } from '../payments/bank-statement-file.service.ts';
import { allOf } from './challans-many.queries.ts';
import { describeFilter } from './challans-file.service.ts';
import { fetchGroups, selectGroups, type GroupsQuery } from './challans-groups.queries.ts';

/** All groups of a filter as a file, with the columns and in the order of the screen (docs/specification.md §33). */
export async function challanGroupsFile(
  db: TenantDb,
  format: FileFormat,
  { filters, groupBy, sortBy, sortOrder, columns }: BodyOf<typeof challanGroups.exportXlsx>,
  now: Date,
): Promise<TableFile> {
  const query: GroupsQuery = {
    groupBy,
    sortBy: sortBy ?? usualGroupSort.sortBy,
    sortOrder: sortOrder ?? usualGroupSort.sortOrder,
  };
  // The intro says how many there are, before the first of them is read.
  const { totals, groupCount, lineCount } = await selectGroups(db, filters, { ...query, page: 1, limit: 1 });
  refuseTooManyRows(format, lineCount - (groupBy.length > 1 ? groupCount : 0) + 1, 0);
  const table = challanGroupColumns(groupBy);
  const shown =
    columns === undefined ? table : columns.flatMap((key) => table.find((column) => column.key === key) ?? []);
  const by = groupBy.map((key) => groupKeys[key].toLowerCase()).join(', then ');
  const words = await describeFilter(db, allOf(filters));
  return tableFile(format, {
    name: challanGroupsFileName(groupBy, dayOf(now), format),
    sheet: 'Groups',
    columns: shown,
    // Without named columns a CSV is for other programs, which expect the headings in the first line.
    ...((format === 'xlsx' || columns !== undefined) && {
      intro: `Challans by ${by}: ${words}. ${challansText(totals.challanCount)} in ${countText(groupCount, 'group')}, as of ${formatDateTime(now)}.`,
    }),
    lines: linesOf(fetchGroups(db, filters, query), shown, groupBy.length as 1 | 2),
  });
}

async function* linesOf(
  parts: AsyncIterable<{ groups: ChallanGroup[]; totals?: GroupFigures }>,
  columns: readonly { key: string; total?: string }[],
  /** Of two levels only the parts are rows: a sum of the column would have each challan twice. */
  level: ChallanGroup['level'],
): AsyncGenerator<TableLine<ChallanGroup>[]> {
  for await (const { groups, totals } of parts) {
    yield groups.flatMap((row) => (row.level === level ? { row } : []));
    if (!totals) continue;
    const added = columns.flatMap(({ key, total }) =>
      // Safe: a column with a total has the name of a figure.
      total === undefined ? [] : [[key, String(totals[key as keyof GroupFigures])]],
    );
    const label = columns.find(({ total }) => total === undefined);
    yield [
      {
        sums: {
          ...(label && { [label.key]: `Total of ${challansText(totals.challanCount)}` }),
          ...Object.fromEntries(added),
        },
      },
    ];
  }
}
