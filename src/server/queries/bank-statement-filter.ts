import type { StatementFilters } from '../../shared/contract/bank-statement.ts';

/** % and _ are letters in a search (ruling 13). */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/**
 * The statement's filter on challans `c`, as further AND conditions; `$1` is the tenant and `bind` gives the next
 * placeholder. The owner's present name counts, not the copy on the challan. An owner that challans name is never
 * deleted, so no condition asks: statement, payment and totals mean the same challans.
 */
export function statementConditions(
  filters: { [key in keyof StatementFilters]?: StatementFilters[key] | undefined },
  bind: (value: unknown) => string,
): string {
  const conditions = [];
  if (filters.ownerId) conditions.push(`AND c.owner_id = ${bind(filters.ownerId)}`);
  if (filters.ownerName) {
    conditions.push(
      `AND c.owner_id IN (SELECT o.id FROM owners o
        WHERE o.subadmin_id = $1 AND lower(o.name) LIKE '%' || lower(${bind(escapeLike(filters.ownerName))}) || '%')`,
    );
  }
  if (filters.tagId === 'none') conditions.push('AND c.tag_id IS NULL');
  else if (filters.tagId) conditions.push(`AND c.tag_id = ${bind(filters.tagId)}`);
  if (filters.depositedStartDate) conditions.push(`AND c.deposited_on >= ${bind(filters.depositedStartDate)}::date`);
  if (filters.depositedEndDate) conditions.push(`AND c.deposited_on <= ${bind(filters.depositedEndDate)}::date`);
  return conditions.join('\n');
}
