import { nameKey } from '../../../shared/calc/keys.ts';
import type { BatchRecord } from '../../../shared/contract/batches.ts';
import { recorded, type HistoryRecord } from '../../../shared/contract/nouns.ts';
import type { RecordField } from '../../../shared/contract/fields.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { offsetOf, paginationOf, type Page } from '../../sql/paging.ts';
import { countRows } from '../../sql/statements.ts';

/**
 * Master data (owners, trucks, tags, petrol pumps, paying accounts) is stored, found and deleted in one way. A spec
 * describes the table of each resource. Every statement is built from it, and every statement names the tenant.
 */
export type Recorded = Exclude<HistoryRecord, 'challan' | 'subadmin'>;
/** The records that bulk actions can write. */
type BatchableRecord = Extract<Recorded, BatchRecord>;

/** 'petrol-pump' → 'petrol_pumps' */
export const tableOf = (record: HistoryRecord): string => recorded[record].replace('-', '_');

/** SQL: the name by which people know a record `r`, where it is not its `name`. */
const namedBy: Readonly<Partial<Record<HistoryRecord, string>>> = {
  truck: 'r.truck_number',
  challan: 'r.challan_number',
  'tds-deposit': "r.bsr_code || '/' || r.serial_no",
  declaration: '(SELECT o.name FROM owners o WHERE o.subadmin_id = r.subadmin_id AND o.id = r.owner_id)',
};
/** SQL: that name of the record with this id, also of a deleted one. */
export const nameOfRecord = (record: Exclude<HistoryRecord, 'subadmin'>, id: string): string =>
  `(SELECT ${namedBy[record] ?? 'r.name'} FROM ${tableOf(record)} r WHERE r.subadmin_id = $1 AND r.id = ${id})`;

/** The fields that every record has in addition to its own, in the form of the API. */
export interface Stored {
  id: string;
  createdAt: string;
  updatedAt: string;
  version: number;
}

interface RecordTableSpec<F extends string, S extends string, K extends Recorded> {
  /** The name of one record, as its history uses it. */
  record: K;
  /** The fields that a user enters, by their names in the API. The column has the same name in snake case. */
  fields: readonly F[];
  /** The default values of fields that a new record does not give; for all other fields ''. */
  absent?: Readonly<Partial<Record<NoInfer<F>, string | null>>>;
  /** Further fields of the answer, each with its SQL expression. The record's row is `r` here and below. */
  computed?: Readonly<Record<string, string>>;
  /**
   * SQL: whether a record matches a search; absent: its name does. `term` is the placeholder of the typed text; it has no
   * wildcards.
   */
  matches?: (term: string) => string;
  /** SQL: how well the record matches, absent: how well its name does; the best match has the lowest value. */
  rank?: (term: string) => string;
  /** SQL of the orders a list may have. */
  sorts: Readonly<Record<S, string>>;
  defaultSort: NoInfer<S>;
}

export interface RecordListQuery<S> {
  page: number;
  limit: number;
  search?: string | undefined;
  /** Absent: the usual order, or for a search the best match first. */
  sortBy?: S | undefined;
  sortOrder?: 'asc' | 'desc' | undefined;
  /** Only these records. */
  ids?: readonly string[] | undefined;
}

const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export interface RecordTable<
  R extends Stored,
  F extends keyof R & string,
  S extends string,
  K extends Recorded = BatchableRecord,
> {
  readonly record: K;
  readonly fields: readonly F[];
  /** The select list of a whole record, and of its stored fields alone; the row is `r`. */
  readonly columns: string;
  readonly storedColumns: string;
  /** Returns a page of all records, or of those that match the search. */
  list: (db: TenantDb, query: RecordListQuery<S>) => Promise<Page<R>>;
  get: (db: TenantDb, id: string) => Promise<R | null>;
  getMany: (db: TenantDb, ids: readonly string[]) => Promise<R[]>;
  /**
   * Reads a record and locks it until the transaction ends, also against the FOR KEY SHARE of a transaction that is
   * about to reference it.
   */
  lock: (db: TenantDb, id: string) => Promise<R | null>;
  /** Inserts a record. A missing optional field gets its default of the spec, else ''. */
  insert: (db: TenantDb, values: { readonly [K in F]?: R[K] | undefined }) => Promise<R>;
  /** Updates a record that the caller has locked. */
  update: (db: TenantDb, id: string, values: Pick<R, F>) => Promise<R>;
  /**
   * Inserts many records in their order, with the given ids. A missing optional field gets its default of the spec,
   * else ''.
   */
  insertMany: (db: TenantDb, records: ReadonlyMap<string, Partial<Pick<R, F>>>) => Promise<void>;
  /**
   * Reads and locks many records in the order of their ids, including deleted ones. Unknown ids and those of other
   * tenants are left out.
   */
  lockMany: (db: TenantDb, ids: readonly string[]) => Promise<(R & { isDeleted: boolean })[]>;
  /**
   * Updates many records that the caller has locked, each with its own values. A missing field keeps its value. A
   * deleted record becomes undeleted.
   */
  updateMany: (db: TenantDb, changes: ReadonlyMap<string, Partial<Pick<R, F>>>) => Promise<void>;
  /**
   * Soft-deletes records that the caller has locked. Challans that refer to them keep them (docs/specification.md
   * §7.3).
   */
  removeMany: (db: TenantDb, ids: readonly string[]) => Promise<void>;
}

export function recordTable<
  R extends Stored,
  F extends keyof R & string,
  S extends string,
  K extends Recorded = BatchableRecord,
>(spec: RecordTableSpec<F, S, K>): RecordTable<R, F, S, K> {
  const { record: kind, fields, absent = {}, computed = {}, sorts, defaultSort } = spec;
  const { matches = (term) => contains('r.name', term), rank = (term) => nameRank('r.name', term) } = spec;
  const table = tableOf(kind);
  const stored = ['id', ...fields, 'createdAt', 'updatedAt', 'version'].map(
    (name) => `r.${columnOf(name)} AS "${name}"`,
  );
  const storedColumns = stored.join(', ');
  const columns = [...stored, ...Object.entries(computed).map(([name, sql]) => `${sql} AS "${name}"`)].join(', ');
  const living = `${table} r WHERE r.subadmin_id = $1 AND r.deleted_at IS NULL`;
  const placeholders = (from: number): string => fields.map((_, index) => `$${from + index}`).join(', ');
  const written = fields.map(columnOf).join(', ');

  const absentOf = (field: F): string | null => {
    const value = (absent as Partial<Record<F, string | null>>)[field];
    return value === undefined ? '' : value;
  };

  const one = async (db: TenantDb, text: string, values: readonly unknown[], name: string): Promise<R | null> => {
    const [record] = await db.records<R>(text, values, `${name}-${table}`);
    return record ?? null;
  };
  const saved = async (...statement: Parameters<typeof one>): Promise<R> => {
    const record = await one(...statement);
    if (record === null) throw new Error(`A saved ${kind} is answered`);
    return record;
  };

  /**
   * A search without a chosen order: the matches are found and ranked once, for the page and for the count. The names of what is
   * read beside the record have a _, which no field has.
   */
  const bestMatches = async (db: TenantDb, search: string, query: RecordListQuery<S>): Promise<Page<R>> => {
    const { sortOrder = 'asc' } = query;
    const rows = await db.records<R & { match_count: number; match_place: string | null }>(
      `WITH hits AS MATERIALIZED (
         SELECT r.id, ${rank('$4')} AS rank, ${sorts[defaultSort]} AS sorted FROM ${living} AND (${matches('$4')})
       ), page AS (
         SELECT id, row_number() OVER (ORDER BY rank, sorted ${sortOrder}, id ${sortOrder}) AS place
         FROM hits ORDER BY place LIMIT $2 OFFSET $3
       )
       SELECT counted.match_count, one.* FROM (SELECT count(*)::int AS match_count FROM hits) AS counted LEFT JOIN (
         SELECT ${columns}, page.place AS match_place FROM page JOIN ${table} r ON r.subadmin_id = $1 AND r.id = page.id
       ) AS one ON true
       ORDER BY one.match_place`,
      [db.tenantId, query.limit, offsetOf(query), search],
      `best-matches-${table}-${sortOrder}`,
    );
    return {
      // A page past the end has one row with only the count. Every other row also has a record.
      data: rows.flatMap(({ match_count: _count, match_place: place, ...row }) =>
        place === null ? [] : [row as unknown as R],
      ),
      pagination: paginationOf(query, rows[0]?.match_count ?? 0),
    };
  };

  return {
    record: kind,
    fields,
    columns,
    storedColumns,
    list: async (db, query) => {
      const { search = '', sortBy, sortOrder = 'asc', ids } = query;
      const isSearch = search !== '';
      if (isSearch && sortBy === undefined && !ids) return bestMatches(db, search, query);
      const term = [...(isSearch ? [search] : []), ...(ids ? [ids] : [])];
      const found = (first: number): string =>
        [
          living,
          ...(isSearch ? [`(${matches(`$${first}`)})`] : []),
          ...(ids ? [`r.id = ANY ($${first + term.length - 1}::uuid[])`] : []),
        ].join(' AND ');
      const order = `${sorts[sortBy ?? defaultSort]} ${sortOrder}, r.id ${sortOrder}`;
      const which = `${isSearch ? 'search' : 'list'}-${ids ? 'some-' : ''}${table}`;
      const [data, count] = await Promise.all([
        db.records<R>(
          `SELECT ${columns} FROM ${found(4)} ORDER BY ${order} LIMIT $2 OFFSET $3`,
          [db.tenantId, query.limit, offsetOf(query), ...term],
          `${which}-${sortBy ?? defaultSort}-${sortOrder}`,
        ),
        countRows(db, found(2), [db.tenantId, ...term], `count-${which}`),
      ]);
      return { data, pagination: paginationOf(query, count) };
    },
    get: (db, id) => one(db, `SELECT ${columns} FROM ${living} AND r.id = $2`, [db.tenantId, id], 'select'),
    getMany: async (db, ids) => {
      if (ids.length === 0) return [];
      return db.records<R>(
        `SELECT ${columns} FROM ${living} AND r.id = ANY ($2::uuid[])`,
        [db.tenantId, ids],
        `select-many-${table}`,
      );
    },
    lock: (db, id) =>
      one(db, `SELECT ${columns} FROM ${living} AND r.id = $2 FOR UPDATE OF r`, [db.tenantId, id], 'lock'),
    insert: (db, values) =>
      saved(
        db,
        `WITH r AS (INSERT INTO ${table} (subadmin_id, ${written}) VALUES ($1, ${placeholders(2)}) RETURNING *)
         SELECT ${columns} FROM r`,
        [db.tenantId, ...fields.map((field) => values[field] ?? absentOf(field))],
        'insert',
      ),
    update: (db, id, values) =>
      saved(
        db,
        `WITH r AS (
           UPDATE ${table} SET (${written}, updated_at, version) = (${placeholders(3)}, clock_timestamp(), version + 1)
           WHERE subadmin_id = $1 AND id = $2 RETURNING *)
         SELECT ${columns} FROM r`,
        [db.tenantId, id, ...fields.map((field) => values[field])],
        'update',
      ),
    insertMany: async (db, records) => {
      if (records.size === 0) return;
      const rows = [...records].map(([id, one]) => ({
        id,
        ...Object.fromEntries(fields.map((field) => [columnOf(field), one[field] ?? absentOf(field)])),
      }));
      await db.query(
        `INSERT INTO ${table} (subadmin_id, id, ${written})
         SELECT $1, r.id, ${fields.map((field) => `r.${columnOf(field)}`).join(', ')}
         FROM jsonb_populate_recordset(NULL::${table}, $2::jsonb) AS r`,
        [db.tenantId, JSON.stringify(rows)],
      );
    },
    // Not named statements, here and below, so that each is planned for its ids.
    lockMany: async (db, ids) => {
      if (ids.length === 0) return [];
      return db.records<R & { isDeleted: boolean }>(
        `SELECT ${columns}, r.deleted_at IS NOT NULL AS "isDeleted" FROM ${table} r
         WHERE r.subadmin_id = $1 AND r.id = ANY ($2::uuid[]) ORDER BY r.id FOR UPDATE OF r`,
        [db.tenantId, ids],
      );
    },
    updateMany: async (db, changes) => {
      if (changes.size === 0) return;
      const values = Object.fromEntries(
        [...changes].map(([id, one]) => [
          id,
          Object.fromEntries(fields.flatMap((field) => (field in one ? [[columnOf(field), one[field]]] : []))),
        ]),
      );
      await db.query(
        `UPDATE ${table} r SET (${written}) = (
             SELECT ${fields.map((field) => `v.${columnOf(field)}`).join(', ')}
             FROM jsonb_populate_record(r, $3::jsonb -> r.id::text) AS v),
           deleted_at = NULL, updated_at = clock_timestamp(), version = r.version + 1
         WHERE r.subadmin_id = $1 AND r.id = ANY ($2::uuid[])`,
        [db.tenantId, [...changes.keys()], JSON.stringify(values)],
      );
    },
    removeMany: async (db, ids) => {
      if (ids.length === 0) return;
      await db.query(
        `UPDATE ${table} SET deleted_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1
         WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])`,
        [db.tenantId, ids],
      );
    },
  };
}

/** SQL that is evaluated once and not for each row, because it depends only on the typed term. */
const evaluatedOnce = (sql: string): string => `(SELECT ${sql})`;
export const typedVehicleKey = (term: string): string => evaluatedOnce(`number_key(${term})`);

/** SQL: whether `text` contains the typed term, in any case. */
export const contains = (text: string, term: string): string =>
  `strpos(lower(${text}), ${evaluatedOnce(`lower(${term})`)}) > 0`;

/**
 * SQL: the same for a number (a contact, an account) that may be typed with spaces. A term of only spaces
 * matches nothing. `part` is a regular expression of what a part of such a number looks like, where the table checks its
 * form: no row is searched for any other term, and letters are already in upper case.
 */
export const containsNumber = (text: string, term: string, part?: string): string => {
  const typed = `upper(regexp_replace(${term}, '\\s', '', 'g'))`;
  return part === undefined
    ? `(${evaluatedOnce(`${typed} <> ''`)} AND strpos(upper(${text}), ${evaluatedOnce(typed)}) > 0)`
    : `(${evaluatedOnce(`${typed} ~ '${part}'`)} AND strpos(${text}, ${evaluatedOnce(typed)}) > 0)`;
};
/** A part of a contact (migration 003). */
export const contactPart = '^\\d{1,10}$';

export type NamedTable = NonNullable<RecordField['names']>;

/** Returns the names of records by id, including deleted ones. Unknown ids and those of other tenants have none. */
export async function selectNames(
  db: TenantDb,
  table: NamedTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; name: string }>(
    `SELECT id, name FROM ${table} WHERE subadmin_id = $1 AND id = ANY ($2::uuid[])`,
    [db.tenantId, ids],
    `select-names-${table}`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** SQL: whether a word of the text begins with the term. Separators between words do not matter. */
export const beginsWord = (text: string, term: string): string => {
  const words = (value: string): string =>
    `' ' || btrim(regexp_replace(lower(${value}), '[[:space:][:punct:]]+', ' ', 'g'))`;
  return `strpos(${words(text)}, ${evaluatedOnce(words(term))}) > 0`;
};

/**
 * SQL: how well a name matches a search. The order is: equal, begins with the term, one of its words begins with the
 * term, all others. In a picker, Enter takes the first row, so the first page must have the best matches.
 */
export const nameRank = (name: string, term: string): string =>
  `CASE WHEN lower(${name}) = lower(${term}) THEN 0 WHEN starts_with(lower(${name}), lower(${term})) THEN 1
    WHEN ${beginsWord(name, term)} THEN 2 ELSE 3 END`;

/**
 * Returns the records with these names (shared/calc/keys.ts), the oldest first. No index supports this comparison, so
 * every name is read.
 */
export async function selectByName<R extends Stored>(
  db: TenantDb,
  { record, getMany }: Pick<RecordTable<R, never, string>, 'record' | 'getMany'>,
  names: readonly string[],
): Promise<R[]> {
  const wanted = new Set(names.map(nameKey));
  wanted.delete('');
  if (wanted.size === 0) return [];
  const table = tableOf(record);
  const { rows } = await db.query<{ id: string; name: string }>(
    `SELECT id, name FROM ${table} WHERE subadmin_id = $1 AND deleted_at IS NULL ORDER BY created_at, id`,
    [db.tenantId],
    `select-all-names-${table}`,
  );
  const ids = rows.filter(({ name }) => wanted.has(nameKey(name))).map(({ id }) => id);
  const records = new Map((await getMany(db, ids)).map((one) => [one.id, one]));
  return ids.flatMap((id) => records.get(id) ?? []);
}

/**
 * For values that must be unique among the undeleted records of a table: returns the ids whose value another record
 * has.
 */
export async function selectTaken(
  db: TenantDb,
  table: 'trucks' | 'tags',
  values: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  if (values.size === 0) return new Set();
  // The expressions of their unique indexes (migration 003).
  const [key, asKey] = table === 'tags' ? ['lower(r.name)', 'lower(v.value)'] : ['r.truck_key', 'number_key(v.value)'];
  const { rows } = await db.query<{ id: string }>(
    `SELECT v.id FROM jsonb_each_text($2::jsonb) AS v (id, value)
       JOIN ${table} r ON r.subadmin_id = $1 AND ${key} = ${asKey} AND r.deleted_at IS NULL AND r.id <> v.id::uuid`,
    [db.tenantId, JSON.stringify(Object.fromEntries(values))],
  );
  return new Set(rows.map(({ id }) => id));
}
