import type { FilterKind, FilterValues } from '../../shared/filters/define.ts';
import type { TenantDb } from '../db/tenant.ts';

/** Adds a value to a statement and returns its SQL: `$n`, or a literal where there are no parameters (COPY). */
export type Bind = (value: unknown) => string;

/** The parameters of one statement; the first is the tenant. */
export class Parameters {
  readonly values: unknown[];
  constructor(db: TenantDb) {
    this.values = [db.tenantId];
  }

  readonly bind: Bind = (value) => `$${this.values.push(value)}`;
}

/** Escapes a search text for LIKE: % and _ have no special meaning there (docs/specification.md §3.3). */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** What a condition applies to. */
export interface Over {
  column: string;
  /** SQL of the value that means "no value" in this column; null when the column uses NULL itself. */
  none: string | null;
  /** SQL of the tenant in the statement. */
  tenant: string;
  bind: Bind;
}
export type Condition<Value> = (value: Value, over: Over) => string;

/** The SQL condition of each kind of filter. */
export const conditions: { readonly [Kind in FilterKind]: Condition<FilterValues[Kind]> } = {
  contains: (value, { column, bind }) => `${column} ILIKE '%' || ${bind(escapeLike(value))} || '%'`,
  choice: (value, { column }) => (value ? column : `NOT ${column}`),
  oneOf: (value, { column, bind }) => `${column} = ${bind(value)}`,
  id: (value, { column, bind }) => `${column} = ${bind(value)}`,
  idOrNone: (value, over) => (value === 'none' ? isNone(over) : `${over.column} = ${over.bind(value)}`),
  dayFrom: (value, { column, bind }) => `${column} >= ${bind(value)}::date`,
  // The day that means "no value" sorts before all others and must be excluded.
  dayTo: (value, { column, none, bind }) =>
    `${none === null ? '' : `${column} > ${none} AND `}${column} <= ${bind(value)}::date`,
  dayOrNone: (value, over) => (value === 'none' ? isNone(over) : `${over.column} = ${over.bind(value)}::date`),
  amountFrom: (value, { column, bind }) => `${column} >= ${bind(value)}::numeric`,
  amountTo: (value, { column, bind }) => `${column} <= ${bind(value)}::numeric`,
};

export const isNone = ({ column, none }: Pick<Over, 'column' | 'none'>): string =>
  none === null ? `${column} IS NULL` : `${column} = ${none}`;
