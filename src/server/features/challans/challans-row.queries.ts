import { alwaysListed, type Challan, type ListedChallan } from '../../../shared/contract/challan.ts';
import {
  challanFieldNames,
  challanFields,
  sortKeyOf,
  type ChallanFieldName,
  type NamedField,
} from '../../../shared/contract/challan-fields.ts';
import type { ChallanOrder } from '../../../shared/contract/challan-order.ts';
import type { FieldKind } from '../../../shared/contract/fields.ts';
import {
  boolean,
  instant,
  number,
  recordRow,
  reference,
  text,
  type Field,
  type FieldsOf,
  type RecordRow,
} from '../../sql/record-row.ts';

/** How each kind of field is read from its column. */
export const fieldKinds: { readonly [Kind in Exclude<FieldKind, 'record'>]: (sql: string) => Field } = {
  text,
  identifier: text,
  reference: text,
  money: text,
  weight: text,
  liters: text,
  percent: text,
  date: instant,
  instant,
  count: number,
  flag: boolean,
};

/** SQL: the day on which the declaration of challan `c` was received; null where it has none. */
export const declaredOn = `(SELECT declared.received_on FROM declarations AS declared
  WHERE declared.subadmin_id = c.subadmin_id AND declared.id = c.tds_declaration_id)`;

/** The records that a challan refers to, from the joins below. */
const referencedRecords: { readonly [Name in NamedField]: FieldsOf<Challan>[Name] } = {
  owner: reference({
    id: text('c.owner_id'),
    name: text('o.name'),
    contactNumber: text('o.contact_number'),
    holdReason: text('o.hold_reason'),
  }),
  discounter: reference({
    id: text('c.discounter_id'),
    name: text('d.name'),
    contactNumber: text('d.contact_number'),
  }),
  tag: reference({ id: text('c.tag_id'), name: text('t.name'), color: text('t.color') }),
  petrolPump: reference({ id: text('c.petrol_pump_id'), name: text('p.name') }),
  payment: reference({ id: text('paying.id'), name: text('paying.number') }),
  tdsDeclaration: reference({ id: text('c.tds_declaration_id'), name: text(declaredOn) }),
};

const fields = challanFieldNames.map((name) => {
  const { kind, column } = challanFields[name];
  // The fields of the kind 'record' are those of `referencedRecords`.
  return [name, kind === 'record' ? referencedRecords[name as NamedField] : fieldKinds[kind](`c.${column}`)] as const;
});

/**
 * A challan as the API returns it, from challans `c` and the records that it refers to. These are shown as they are now,
 * deleted ones too: a hidden petrol pump stays on its old challans (docs/specification.md §7.3).
 */
// The table has every field of a Challan, each with the kind that its schema has.
export const challanRow = recordRow<Challan>(Object.fromEntries(fields) as unknown as FieldsOf<Challan>);

/** SQL: the gross amount of challan `c`, before any deduction (docs/specification.md §8.4.1). */
export const freight = 'round(least(c.loading_weight, c.unloading_weight) * c.rate_per_mt, 2)';

/**
 * SQL: the payment of a paid challan `c`. The challan's line of its current pay cycle names it; that line is live, because
 * the challan is paid. The line is looked up by primary key for each paid row. As a join it could be planned as a scan of all
 * lines for each row while the ledger has no statistics. It is looked up beside the join and not in its condition, and OFFSET
 * 0 keeps it there: under row-level security no index serves a condition with a subquery (docs/decisions.md 104).
 */
export const paymentJoin = (tenant: string): string => `
  CROSS JOIN LATERAL (
    SELECT CASE WHEN c.payment_status THEN (
      SELECT batch_id FROM payment_lines
      WHERE subadmin_id = ${tenant} AND challan_id = c.id AND pay_cycle = c.pay_cycle AND kind = 'pay') END AS batch_id OFFSET 0
  ) AS paying_line
  LEFT JOIN payment_batches AS paying ON paying.subadmin_id = ${tenant} AND paying.id = paying_line.batch_id`;

/** SQL: how each record that a challan names is joined to `challans AS c`. */
export const joinsFor = (tenant: string): Readonly<Record<NamedField, string>> => ({
  owner: `JOIN owners AS o ON o.subadmin_id = ${tenant} AND o.id = c.owner_id`,
  discounter: `LEFT JOIN owners AS d ON d.subadmin_id = ${tenant} AND d.id = c.discounter_id`,
  tag: `LEFT JOIN tags AS t ON t.subadmin_id = ${tenant} AND t.id = c.tag_id`,
  petrolPump: `LEFT JOIN petrol_pumps AS p ON p.subadmin_id = ${tenant} AND p.id = c.petrol_pump_id`,
  payment: paymentJoin(tenant),
  // It is looked up and not joined: with eight joins the planner no longer looks for the best order of all.
  tdsDeclaration: '',
});
const joins = joinsFor('$1');
// Safe: Object.entries widens the keys to string, but these are the keys of `joins`.
const joinEntries = Object.entries(joins) as [NamedField, string][];

/** SQL: the name of a record that a challan names, and the join that it needs. */
export const namedRecord = (name: NamedField): { nameExpression: string; join: string } => ({
  nameExpression: referencedRecords[name].fields.name.sql,
  join: joins[name],
});

/** SQL: the joins of all records that a challan names. */
export const challanJoins = joinEntries.map(([, join]) => join).join('\n');

/** The fields of a challan that a list reads. */
export interface ListShape<T> extends RecordRow<T> {
  /** SQL: the joins that the fields and the order need. */
  readonly joins: string;
  /** Whether its statements are prepared. */
  readonly isPrepared: boolean;
}

/** A list of whole challans. */
export const wholeChallans: ListShape<Challan> = { ...challanRow, joins: challanJoins, isPrepared: true };

/** A list of challans with these fields, beside those that every list has. */
export function challansWith(names: readonly ChallanFieldName[], order: ChallanOrder): ListShape<ListedChallan> {
  const chosen = new Set<ChallanFieldName>([...alwaysListed, ...names]);
  const ordered = order.flatMap(({ key }) => joinEntries.filter(([name]) => sortKeyOf(name) === key));
  const needed = joinEntries.filter((join) => chosen.has(join[0]) || ordered.includes(join));
  const row = recordRow<ListedChallan>(
    // The fields of ListedChallan that were not asked for stay out of the record.
    Object.fromEntries(fields.filter(([name]) => chosen.has(name))) as unknown as FieldsOf<ListedChallan>,
  );
  if (preparedColumns.size < mostPrepared) preparedColumns.add(row.columns);
  return {
    ...row,
    joins: needed.map(([, join]) => join).join('\n'),
    isPrepared: preparedColumns.has(row.columns),
  };
}

/**
 * Planning a list takes as long as reading its page, and each prepared statement takes memory in every connection. So the
 * first choices of fields that are asked for are prepared: the screens have a few, which are always the same.
 */
const mostPrepared = 8;
const preparedColumns = new Set<string>();
