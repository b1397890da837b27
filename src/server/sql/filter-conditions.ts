import type { FilterKind, FilterValues } from '../../shared/filters/define.ts';
import { escapeLike, type Bind } from './statements.ts';

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
  exact: (value, { column, bind }) => `lower(${column}) = lower(${bind(value)})`,
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

const isNone = ({ column, none }: Pick<Over, 'column' | 'none'>): string =>
  none === null ? `${column} IS NULL` : `${column} = ${none}`;

/**
 * SQL: an array of the plates of challans that contain a part, which must be escaped for LIKE. Some plates may have no
 * challan any more (migration 004).
 */
export const platesWith = (tenant: string, part: string): string => `ARRAY(
  SELECT v.vehicle_key FROM challan_vehicles AS v WHERE v.subadmin_id = ${tenant} AND v.vehicle_key LIKE '%' || ${part} || '%')`;
