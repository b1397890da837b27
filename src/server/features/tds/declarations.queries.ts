import type { DeclaredDays } from '../../../shared/calc/declaration.ts';
import { shippedDeclarationRules } from '../../../shared/contract/declarations.ts';
import type { Declaration, DeclarationSortKey } from '../../../shared/contract/declarations.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { contains, recordTable } from '../master-data/records.queries.ts';
import { countRows } from '../../sql/statements.ts';

type Field = 'ownerId' | 'receivedOn' | 'carriages' | 'panNo' | 'note' | 'validUntil' | 'withdrawnOn';

const ownerOf = (expression: string): string =>
  `(SELECT ${expression} FROM owners o WHERE o.subadmin_id = r.subadmin_id AND o.id = r.owner_id)`;

/** SQL: a number that the business holds declarations against: its own, or that which the product ships. */
const declarationRule = (name: 'mostCarriages' | 'noticeDays'): string =>
  `coalesce((SELECT (s.declaration_rules ->> '${name}')::integer FROM tds_settings s WHERE s.subadmin_id = $1),
     ${shippedDeclarationRules[name]})`;

/** SQL: where the declaration `r` stands today (contract/declarations.ts). */
const today = "(now() AT TIME ZONE 'Asia/Kolkata')::date";
const stateOf = `CASE WHEN r.withdrawn_on <= ${today} THEN 'withdrawn' WHEN r.valid_to < ${today} THEN 'lapsed'
  WHEN r.valid_from > ${today} THEN 'coming' WHEN r.valid_to - ${today} <= ${declarationRule('noticeDays')} THEN 'lapsing' ELSE 'valid' END`;

export const declarationTable = recordTable<Declaration, Field, DeclarationSortKey>({
  record: 'declaration',
  fields: ['ownerId', 'receivedOn', 'carriages', 'panNo', 'note', 'validUntil', 'withdrawnOn'],
  absent: { withdrawnOn: null },
  computed: {
    owner: ownerOf(`jsonb_build_object('id', o.id, 'name', o.name, 'panNo', o.pan_no)`),
    validFrom: 'r.valid_from',
    validTo: 'r.valid_to',
    // The trucks of all owners of the list with this PAN, and of this owner.
    truckCount: `(SELECT count(*)::int FROM trucks t JOIN owners o ON o.subadmin_id = $1 AND o.id = t.owner_id
      WHERE t.subadmin_id = $1 AND t.deleted_at IS NULL AND (o.id = r.owner_id OR o.pan_no = r.pan_no))`,
    mostCarriages: declarationRule('mostCarriages'),
    state: stateOf,
  },
  matches: (term) =>
    `${contains(ownerOf('o.name'), term)} OR ${contains('r.note', term)}
     OR ${contains('r.pan_no', term)} AND NOT hides_bank_details()
     OR ${contains("r.tax_year || '-' || right((r.tax_year + 1)::text, 2)", term)}`,
  rank: () => '0',
  sorts: {
    receivedOn: 'r.received_on',
    ownerName: ownerOf('lower(o.name)'),
    validUntil: 'r.valid_to',
    createdAt: 'r.created_at',
  },
  defaultSort: 'receivedOn',
});

/** Returns by owner the days on which each of its declarations is valid. Owners without one are missing. */
export async function selectDeclaredDays(
  db: TenantDb,
  ownerIds: readonly string[],
): Promise<Map<string, DeclaredDays[]>> {
  const found = new Map<string, DeclaredDays[]>();
  if (ownerIds.length === 0) return found;
  const { rows } = await db.query<DeclaredDays & { ownerId: string }>(
    `SELECT owner_id AS "ownerId", id, received_on::text AS "receivedOn", valid_from::text AS "validFrom",
       valid_to::text AS "validTo"
     FROM declarations
     WHERE subadmin_id = $1 AND owner_id = ANY ($2::uuid[]) AND deleted_at IS NULL AND valid_from <= valid_to
     ORDER BY received_on, id`,
    [db.tenantId, ownerIds],
    'select-declared-days',
  );
  for (const { ownerId, ...days } of rows) found.set(ownerId, [...(found.get(ownerId) ?? []), days]);
  return found;
}

/**
 * The same for challans that are about to be written. The owners are locked as `lockReferences` locks them, so no declaration of
 * theirs changes before the commit.
 */
export async function lockDeclaredDays(
  db: TenantDb,
  ownerIds: readonly string[],
): Promise<Map<string, DeclaredDays[]>> {
  const locked = db.query(
    'SELECT FROM owners WHERE subadmin_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE',
    [db.tenantId, ownerIds],
    'lock-owners-of-challans',
  );
  const [, declared] = await Promise.all([locked, selectDeclaredDays(db, ownerIds)]);
  return declared;
}

/**
 * Locks the owners of declarations that are about to be written, by their own ids or by those of their declarations, before the
 * declarations. Whoever saves a challan of such an owner waits, or is waited for. Returns the ids of the owners that are there.
 */
export async function lockDeclarers(
  db: TenantDb,
  { ownerIds = [], ids = [] }: { ownerIds?: readonly string[]; ids?: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string; isDeleted: boolean }>(
    `SELECT id, deleted_at IS NOT NULL AS "isDeleted" FROM owners
     WHERE subadmin_id = $1 AND (id = ANY ($2::uuid[]) OR id IN (
       SELECT owner_id FROM declarations WHERE subadmin_id = $1 AND id = ANY ($3::uuid[])))
     ORDER BY id FOR UPDATE`,
    [db.tenantId, ownerIds, ids],
    'lock-declarers',
  );
  return new Set(rows.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id));
}

/** Counts those that lapse within the days of notice of the business. */
export const countLapsing = (db: TenantDb): Promise<number> =>
  countRows(
    db,
    `declarations r WHERE r.subadmin_id = $1 AND r.deleted_at IS NULL AND ${stateOf} = 'lapsing'`,
    [db.tenantId],
    'count-lapsing-declarations',
  );

/** Returns by declaration how many challans rest on it. Those on which none does are missing. */
export async function countDeclared(
  db: TenantDb,
  declarations: readonly { id: string; ownerId: string }[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; challans: number }>(
    `SELECT tds_declaration_id AS id, count(*)::int AS challans FROM challans
     WHERE subadmin_id = $1 AND deleted_at IS NULL AND owner_id = ANY ($2::uuid[]) AND tds_declaration_id = ANY ($3::uuid[])
     GROUP BY 1`,
    [db.tenantId, declarations.map(({ ownerId }) => ownerId), declarations.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, challans }) => [id, challans]));
}

/** Returns those of these declarations whose owner has another one in force for the same year. */
export async function selectDeclaredTwice(
  db: TenantDb,
  declarations: readonly { id: string; ownerId: string; validUntil: string; withdrawnOn: string | null }[],
): Promise<Set<string>> {
  const open = declarations.filter(({ withdrawnOn }) => withdrawnOn === null);
  const { rows } = await db.query<{ id: string }>(
    `SELECT v.id FROM unnest($2::uuid[], $3::uuid[], $4::date[]) AS v (id, owner_id, valid_until)
       JOIN declarations r ON r.subadmin_id = $1 AND r.owner_id = v.owner_id AND r.id <> v.id
         AND r.deleted_at IS NULL AND r.withdrawn_on IS NULL
         AND r.tax_year = extract(year FROM v.valid_until - interval '3 months')`,
    [
      db.tenantId,
      open.map(({ id }) => id),
      open.map(({ ownerId }) => ownerId),
      open.map(({ validUntil }) => validUntil),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns all declarations of these owners, the oldest first. */
export const selectDeclarationsOf = (db: TenantDb, ownerIds: readonly string[]): Promise<Declaration[]> =>
  db.records<Declaration>(
    `SELECT ${declarationTable.columns} FROM declarations r
     WHERE r.subadmin_id = $1 AND r.owner_id = ANY ($2::uuid[]) AND r.deleted_at IS NULL ORDER BY r.received_on, r.id`,
    [db.tenantId, ownerIds],
  );

type LastDeclaration = Pick<Declaration, 'validFrom' | 'validTo' | 'withdrawnOn' | 'state'>;

/** Returns by owner the declaration that is valid longest. Owners without one are missing. */
export async function selectLastDeclarations(
  db: TenantDb,
  ownerIds: readonly string[],
): Promise<Map<string, LastDeclaration>> {
  if (ownerIds.length === 0) return new Map();
  const { rows } = await db.query<LastDeclaration & { ownerId: string }>(
    `SELECT DISTINCT ON (r.owner_id) r.owner_id AS "ownerId", r.valid_from::text AS "validFrom",
       r.valid_to::text AS "validTo", r.withdrawn_on::text AS "withdrawnOn", ${stateOf} AS state
     FROM declarations r WHERE r.subadmin_id = $1 AND r.owner_id = ANY ($2::uuid[]) AND r.deleted_at IS NULL
     ORDER BY r.owner_id, r.valid_to DESC, r.received_on DESC`,
    [db.tenantId, ownerIds],
    'select-last-declarations',
  );
  return new Map(rows.map(({ ownerId, ...last }) => [ownerId, last]));
}
