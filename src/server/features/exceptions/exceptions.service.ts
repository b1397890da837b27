import { countText } from '../../../shared/calc/count-text.ts';
import { dayOf, formatDateTime } from '../../../shared/calc/dates.ts';
import { exceptionsFileName, type FileFormat } from '../../../shared/calc/file-names.ts';
import type { TableLine } from '../../../shared/columns/define.ts';
import { exceptionColumns } from '../../../shared/columns/exception-columns.ts';
import type { Exception } from '../../../shared/contract/exceptions.ts';
import { exceptionFilters, exceptionKinds } from '../../../shared/filters/exception-kinds.ts';
import { textsOfFilter } from '../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../shared/filters/filter-words.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import { notFound } from '../../refusal.ts';
import {
  countChallansOf,
  insertFines,
  selectExceptions,
  type ExceptionQuery,
  type FineItem,
} from './exceptions.queries.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Remembers why exceptions are in order. The same for the challan of another business as for one that does not exist. */
export async function setFine(
  db: TenantDb,
  caller: Caller,
  items: readonly FineItem[],
  reason: string,
): Promise<number> {
  const challanIds = new Set(
    items
      .filter(({ kind, subject }) => exceptionKinds[kind].about === 'challan' && uuid.test(subject))
      .map(({ subject }) => subject),
  );
  if ((await countChallansOf(db, [...challanIds])) < challanIds.size) throw notFound('Challan');
  return insertFines(db, caller, items, reason);
}

/** All exceptions of a filter as a file, with their sum (docs/specification.md §35). */
export async function exceptionsFile(
  db: TenantDb,
  format: FileFormat,
  query: ExceptionQuery,
  now: Date,
): Promise<TableFile> {
  const { count, effect, data } = await selectExceptions(db, query, dayOf(now));
  const { kind, days = '30', fine, route } = query;
  const words = partsOf(exceptionFilters, textsOfFilter(exceptionFilters, { kind, days, fine, route })).map((part) =>
    part.words(),
  );
  async function* lines(): AsyncGenerator<TableLine<Exception>[]> {
    yield data.map((row) => ({ row }));
    yield [{ sums: { kind: `Total of ${countText(count, 'exception')}`, effect } }];
  }
  return tableFile(format, {
    name: exceptionsFileName(dayOf(now), format),
    sheet: 'Exceptions',
    columns: exceptionColumns,
    // A CSV has no intro line, because other programs expect the headings in the first line.
    ...(format === 'xlsx' && { intro: `Exceptions: ${words.join(' · ')}. As of ${formatDateTime(now)}.` }),
    lines: lines(),
  });
}
