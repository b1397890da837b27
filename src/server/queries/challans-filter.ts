import type { TenantDb } from '../db/tenant.ts';
import { escapeLike } from './bank-statement-filter.ts';

/** The filters of the challan list and its file; days are of Asia/Kolkata, both ends included. */
export interface ChallanFilter {
  tpNo?: string | undefined;
  paymentStatus?: boolean | undefined;
  /** `none`: without a tag. */
  tagId?: string | undefined;
  ownerId?: string | undefined;
  loadingFrom?: string | undefined;
  loadingTo?: string | undefined;
  /** Only challans without a deposited day: in a range of deposited days there is none of these. */
  isNotDeposited?: true | undefined;
  depositedFrom?: string | undefined;
  depositedTo?: string | undefined;
}

/** Gives a value its place in a statement: `$n`, or a literal where there are no parameters (COPY). */
export type Bind = (value: unknown) => string;

/** The parameters of one statement; the first is the tenant. */
export class Parameters {
  readonly values: unknown[];
  constructor(db: TenantDb) {
    this.values = [db.tenantId];
  }

  readonly bind: Bind = (value) => `$${this.values.push(value)}`;
}

/** The trigram index answers from three letters on; below that it would be read whole (database.md, query shapes). */
export function isTpIndexed(filter: ChallanFilter): boolean {
  return [...(filter.tpNo ?? '')].length >= 3;
}

/**
 * Where the challans of a filter come from, as `c`: the table, or the search by TP number, which returns the columns that
 * filters, the default order and sums need.
 */
export function challanSource(filter: ChallanFilter, bind: Bind): string {
  return isTpIndexed(filter) ? `search_challans_by_tp(${bind(filter.tpNo)}) AS c` : 'challans AS c';
}

/**
 * The conditions on `c` of that source, tenant and life included; `tenant` is the tenant's place in the statement. With
 * `isWalk` the rows come by an index in the order of creation: the days are then written so that no index of their own
 * offers itself, which a planner that cannot know the range might take, and would sort a year for a page.
 */
export function challanConditions(
  filter: ChallanFilter,
  bind: Bind,
  { tenant = '$1', isWalk = false }: { tenant?: string; isWalk?: boolean } = {},
): string {
  const day = (column: string): string => (isWalk ? `(${column} + 0)` : column);
  const conditions: string[] = [];
  // The search has seen to tenant and life itself, and returns neither column.
  if (!isTpIndexed(filter)) {
    conditions.push(`c.subadmin_id = ${tenant}`, 'c.deleted_at IS NULL');
    if (filter.tpNo) conditions.push(`c.tp_no ILIKE '%' || ${bind(escapeLike(filter.tpNo))} || '%'`);
  }
  if (filter.paymentStatus !== undefined)
    conditions.push(filter.paymentStatus ? 'c.payment_status' : 'NOT c.payment_status');
  if (filter.tagId === 'none') conditions.push('c.tag_id IS NULL');
  else if (filter.tagId) conditions.push(`c.tag_id = ${bind(filter.tagId)}`);
  if (filter.ownerId) conditions.push(`c.owner_id = ${bind(filter.ownerId)}`);
  if (filter.loadingFrom) conditions.push(`${day('c.loading_on')} >= ${bind(filter.loadingFrom)}::date`);
  if (filter.loadingTo) conditions.push(`${day('c.loading_on')} <= ${bind(filter.loadingTo)}::date`);
  if (filter.isNotDeposited) conditions.push('c.deposited_on IS NULL');
  if (filter.depositedFrom) conditions.push(`${day('c.deposited_on')} >= ${bind(filter.depositedFrom)}::date`);
  if (filter.depositedTo) conditions.push(`${day('c.deposited_on')} <= ${bind(filter.depositedTo)}::date`);
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

export function isLoadingRange(filter: ChallanFilter): boolean {
  return filter.loadingFrom !== undefined || filter.loadingTo !== undefined;
}

/** Also for those that have no deposited day: the roll-ups have them under a day of their own. */
export function isDepositedRange(filter: ChallanFilter): boolean {
  return filter.isNotDeposited !== undefined || filter.depositedFrom !== undefined || filter.depositedTo !== undefined;
}
