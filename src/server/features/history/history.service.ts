import { fieldsOf, type HistoryField } from '../../../shared/columns/history-fields.ts';
import { addDays, dayOf } from '../../../shared/calc/dates.ts';
import type { ActivityDay, ActivityEntry } from '../../../shared/contract/activity.ts';
import { ACTIVITY_DAYS } from '../../../shared/filters/activity-filters.ts';
import type { QueryOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { HistoryChange, HistoryEntry, HistoryPeople, HistoryRecord } from '../../../shared/contract/history.ts';
import type { GlobalDb, TenantDb } from '../../db/tenant.ts';
import { selectActivity, selectActivityEntries } from './activity.queries.ts';
import {
  isRecord,
  isSubadmin,
  selectAccountHistory,
  selectHistory,
  type HistoryRow,
  type TenantEntity,
} from './history-list.queries.ts';
import { paginationOf, type Page, type Paging } from '../../sql/paging.ts';
import { selectNames, type NamedTable } from '../master-data/records.queries.ts';
import { nounOf, notFound } from '../../refusal.ts';
import { unmarked } from '../payments/payments.service.ts';

/** The history of one record in plain words (docs/specification.md §3.9). */

/** Lists the history of a record, including a deleted one. Another account's id is answered like an unknown one. */
export async function listHistory(
  db: TenantDb,
  entity: TenantEntity,
  id: string,
  query: Paging & { personId?: string | undefined },
): Promise<Page<HistoryEntry> & { people: HistoryPeople }> {
  const [isThere, { rows, totalCount, people }] = await Promise.all([
    isRecord(db, entity, id),
    selectHistory(db, entity, id, query),
  ]);
  if (!isThere) throw notFound(nounOf(entity));
  return { data: await presentHistory(db, entity, rows), pagination: paginationOf(query, totalCount), people };
}

/** Puts lines of the history into plain words, in their order. */
export async function presentHistory(
  db: TenantDb,
  entity: TenantEntity,
  rows: readonly HistoryRow[],
): Promise<HistoryEntry[]> {
  const nameOf = await loadNames(
    db,
    rows.map(({ changes }) => ({ entity, changes })),
  );
  return rows.map((row) => presentEntry(entity, row, nameOf));
}

/** Lists the history of an account for an admin: changes of the account itself and nothing of its business. */
export async function listSubadminHistory(db: GlobalDb, id: string, query: Paging): Promise<Page<HistoryEntry>> {
  const [isThere, { rows, totalCount }] = await Promise.all([isSubadmin(db, id), selectAccountHistory(db, id, query)]);
  if (!isThere) throw notFound('Subadmin');
  return {
    data: rows.map((row) => presentEntry('subadmin', row, () => undefined)),
    pagination: paginationOf(query, totalCount),
  };
}

/**
 * Lists the history of the account for the business itself: the changes that an admin sees, including those of the TDS
 * settings.
 */
export async function listProfileHistory(db: TenantDb, query: Paging): Promise<Page<HistoryEntry>> {
  const { rows, totalCount } = await selectHistory(db, 'subadmin', db.tenantId, query);
  return {
    data: rows.map((row) => presentEntry('subadmin', row, () => undefined)),
    pagination: paginationOf(query, totalCount),
  };
}

type NameOf = (table: NamedTable, id: string) => string | undefined;

/** Loads the names of the records that changes refer to. */
async function loadNames(
  db: TenantDb,
  lines: readonly { entity: HistoryRecord; changes: HistoryRow['changes'] }[],
): Promise<NameOf> {
  const idsOf = (table: NamedTable): string[] => {
    const ids = lines.flatMap(({ entity, changes }) =>
      Object.entries(changes).flatMap(([field, values]) => (fieldsOf(entity)[field]?.names === table ? values : [])),
    );
    return [...new Set(ids.filter((value): value is string => typeof value === 'string'))];
  };
  const [owners, tags, pumps] = await Promise.all([
    selectNames(db, 'owners', idsOf('owners')),
    selectNames(db, 'tags', idsOf('tags')),
    selectNames(db, 'petrol_pumps', idsOf('petrol_pumps')),
  ]);
  const names = { owners, tags, petrol_pumps: pumps };
  return (table, id) => names[table].get(id);
}

/**
 * Lists what each person did on each day (docs/specification.md §28.5). Without days it is the last month up to `endDate` or
 * today.
 */
export async function listActivity(
  db: TenantDb,
  query: QueryOf<typeof contract.activity.list>,
): Promise<Page<ActivityDay>> {
  const endDate = query.endDate ?? dayOf(new Date());
  const startDate = query.startDate ?? addDays(endDate, 1 - ACTIVITY_DAYS);
  const { rows, totalCount } = await selectActivity(db, { ...query, startDate, endDate });
  return { data: rows, pagination: paginationOf(query, totalCount) };
}

export async function listActivityEntries(
  db: TenantDb,
  query: QueryOf<typeof contract.activity.listEntries>,
): Promise<Page<ActivityEntry>> {
  const { rows, totalCount } = await selectActivityEntries(db, query);
  const nameOf = await loadNames(
    db,
    rows.flatMap(({ entity, changes }) => (entity === null ? [] : [{ entity, changes }])),
  );
  const data = rows.map((row) => ({
    ...presentEntry(row.entity ?? 'subadmin', row, nameOf),
    record:
      row.entity === null || row.entity === 'subadmin' ? null : { noun: row.entity, id: row.entityId, name: row.name },
  }));
  return { data, pagination: paginationOf(query, totalCount) };
}

function presentEntry(record: HistoryRecord, row: HistoryRow, nameOf: NameOf): HistoryEntry {
  const { payment } = row;
  const { hsdVerifiedReason, ...recorded } = row.changes;
  // A payment line has no field changes of its own: it means unpaid → paid, and its reversal the opposite.
  const isPay = row.action === 'pay';
  const changes = payment ? { paymentStatus: [!isPay, isPay] as [unknown, unknown] } : recorded;
  const reason = payment?.reason ?? hsdVerifiedReason?.[1];
  return {
    id: row.id,
    at: row.at,
    actor: row.actor === '' ? 'another business' : row.actor,
    screen: row.screen,
    action: withBatch(actionOf(row.action, recorded), row),
    // The reason that a cleared checkbox records adds nothing to the action.
    reason: typeof reason === 'string' && reason !== unmarked ? reason : '',
    payment: payment && { id: payment.id, number: payment.number, amount: payment.amount },
    changes: presentChanges(record, changes, nameOf),
  };
}

/** The words for the actions that the undo of a batch records. */
const undoActions: Readonly<Record<string, string>> = {
  'taken back': 'Deleted',
  'set back': 'Set back',
  restored: 'Restored',
};

const actions: Readonly<Record<string, string>> = {
  created: 'Created',
  updated: 'Edited',
  deleted: 'Deleted',
  pay: 'Marked paid',
  reverse: 'Marked unpaid',
  ...undoActions,
};

/** Adds the batch to the words: 'Created by Sheet 2627-000012', 'Deleted by undoing Sheet 2627-000012'. */
const withBatch = (words: string, { action, batch }: HistoryRow): string =>
  batch === null ? words : `${words} by ${action in undoActions ? 'undoing ' : ''}${batch}`;

/** The words for a change of only this field: [changed to true, changed to false]. */
const singleFieldWords: Readonly<Record<string, readonly [string, string]>> = {
  isActive: ['Activated', 'Deactivated'],
  hsdVerified: ['HSD verified', 'HSD verification removed'],
  password: ['Password changed', 'Password changed'],
};

function actionOf(action: string, changes: HistoryRow['changes']): string {
  const [first, ...others] = Object.entries(changes);
  const words = first && others.length === 0 ? singleFieldWords[first[0]] : undefined;
  if (action === 'updated' && first && words) return first[1][1] === false ? words[1] : words[0];
  return actions[action] ?? action.charAt(0).toUpperCase() + action.slice(1);
}

function presentChanges(record: HistoryRecord, changes: HistoryRow['changes'], nameOf: NameOf): HistoryChange[] {
  const fields = Object.entries(fieldsOf(record)).filter(([name]) => name in changes);
  return fields.flatMap(([name, field]) => {
    const [before, after] = changes[name] ?? [];
    // A secret shows only that it was set. When it is the only change, the action already says so.
    if (field.isSecret) return Object.keys(changes).length > 1 ? [changeOf(name, field, null, 'Changed')] : [];
    return [changeOf(name, field, valueText(field, before, nameOf), valueText(field, after, nameOf))];
  });
}

const changeOf = (
  field: string,
  { label, kind }: HistoryField,
  before: string | null,
  after: string | null,
): HistoryChange => ({ field, label, kind, before, after });

function valueText(field: HistoryField, value: unknown, nameOf: NameOf): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return (field.words ?? ['Yes', 'No'])[value ? 0 : 1];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  return field.names ? (nameOf(field.names, text) ?? 'Unknown') : text;
}
