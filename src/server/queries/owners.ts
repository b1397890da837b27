import type { QueryOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Owner, OwnerSortKey, OwnerWithTrucks } from '../../shared/contract/owners.ts';
import type { TenantDb } from '../db/tenant.ts';
import { nameRank } from './name-rank.ts';
import { offsetOf } from './paging.ts';
import { countTrucks, selectTrucksOf } from './trucks.ts';

export interface OwnerValues {
  name: string;
  contactNumber: string;
  address: string;
  accountNo: string;
  ifsc: string;
  panNo: string;
  branchName: string;
}

export interface OwnerRow {
  id: string;
  subadmin_id: string;
  name: string;
  contact_number: string;
  address: string;
  account_no: string;
  ifsc: string;
  pan_no: string;
  branch_name: string;
  created_at: Date;
  updated_at: Date;
  version: number;
}

export function toOwner(row: OwnerRow): Owner {
  return {
    id: row.id,
    name: row.name,
    contactNumber: row.contact_number,
    address: row.address,
    accountNo: row.account_no,
    ifsc: row.ifsc,
    panNo: row.pan_no,
    branchName: row.branch_name,
    subadminId: row.subadmin_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}

const columns = `o.id, o.subadmin_id, o.name, o.contact_number, o.address, o.account_no, o.ifsc, o.pan_no, o.branch_name,
  o.created_at, o.updated_at, o.version`;

const sortExpressions: Record<OwnerSortKey, string> = {
  name: 'lower(o.name)',
  contactNumber: 'o.contact_number',
  trucksCount: `(SELECT count(*) FROM trucks t
    WHERE t.subadmin_id = $1 AND t.owner_id = o.id AND t.deleted_at IS NULL)`,
  createdAt: 'o.created_at',
};

async function withTrucks(db: TenantDb, rows: readonly OwnerRow[]): Promise<OwnerWithTrucks[]> {
  const trucks = await selectTrucksOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const own = trucks.get(row.id) ?? [];
    return { ...toOwner(row), trucksCount: own.length, trucks: own };
  });
}

/** A page of owners with their trucks; `totalTrucks` counts those of the whole account. */
export async function listOwners(
  db: TenantDb,
  query: QueryOf<typeof contract.owners.list>,
): Promise<{ owners: OwnerWithTrucks[]; totalCount: number; totalTrucks: number }> {
  const { sortBy, sortOrder } = query;
  const [page, counted, totalTrucks] = await Promise.all([
    db.query<OwnerRow>(
      `SELECT ${columns} FROM owners o WHERE o.subadmin_id = $1 AND o.deleted_at IS NULL
       ORDER BY ${sortExpressions[sortBy]} ${sortOrder}, o.id ${sortOrder} LIMIT $2 OFFSET $3`,
      [db.tenantId, query.limit, offsetOf(query)],
      `list-owners-${sortBy}-${sortOrder}`,
    ),
    db.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM owners WHERE subadmin_id = $1 AND deleted_at IS NULL',
      [db.tenantId],
      'count-owners',
    ),
    countTrucks(db),
  ]);
  return { owners: await withTrucks(db, page.rows), totalCount: counted.rows[0]?.count ?? 0, totalTrucks };
}

/**
 * Owners whose name, contact number or truck number contains the term, every sign of it literally; best
 * match first; `count` is not cut.
 */
export async function searchOwners(
  db: TenantDb,
  term: string,
  atMost: number,
): Promise<{ owners: OwnerWithTrucks[]; count: number }> {
  const { rows } = await db.query<OwnerRow & { count: number }>(
    `SELECT ${columns}, (count(*) OVER ())::int AS count
     FROM owners o,
       (SELECT lower($2) AS text, regexp_replace($2, '\\s', '', 'g') AS contact,
          upper(regexp_replace($2, '[\\s-]', '', 'g')) AS truck) AS term
     WHERE o.subadmin_id = $1 AND o.deleted_at IS NULL
       AND (strpos(lower(o.name), term.text) > 0 OR strpos(o.contact_number, term.contact) > 0
         OR (term.truck <> '' AND EXISTS (SELECT FROM trucks t
           WHERE t.subadmin_id = $1 AND t.owner_id = o.id AND t.deleted_at IS NULL AND strpos(t.truck_key, term.truck) > 0)))
     ORDER BY ${nameRank('o.name', '$2')}, lower(o.name), o.id LIMIT $3`,
    [db.tenantId, term, atMost],
    'search-owners',
  );
  return { owners: await withTrucks(db, rows), count: rows[0]?.count ?? 0 };
}

export async function selectOwnerWithTrucks(db: TenantDb, id: string): Promise<OwnerWithTrucks | null> {
  const { rows } = await db.query<OwnerRow>(
    `SELECT ${columns} FROM owners o WHERE o.subadmin_id = $1 AND o.id = $2 AND o.deleted_at IS NULL`,
    [db.tenantId, id],
    'select-owner',
  );
  const [owner] = await withTrucks(db, rows);
  return owner ?? null;
}

/**
 * The owner, locked until the transaction ends. The lock also stands against the FOR KEY SHARE of whoever is about to
 * name this owner, so that a delete and a new reference cannot cross.
 */
export async function lockOwner(db: TenantDb, id: string): Promise<Owner | null> {
  const { rows } = await db.query<OwnerRow>(
    `SELECT ${columns} FROM owners o WHERE o.subadmin_id = $1 AND o.id = $2 AND o.deleted_at IS NULL FOR UPDATE`,
    [db.tenantId, id],
    'lock-owner',
  );
  return rows[0] ? toOwner(rows[0]) : null;
}

/** An owner that a record is about to name: it cannot be deleted before that record is committed. Null when gone. */
export async function holdOwner(db: TenantDb, id: string): Promise<{ name: string } | null> {
  const { rows } = await db.query<{ name: string }>(
    'SELECT name FROM owners WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE',
    [db.tenantId, id],
    'hold-owner',
  );
  return rows[0] ?? null;
}

export async function insertOwner(db: TenantDb, values: OwnerValues): Promise<Owner> {
  const { rows } = await db.query<OwnerRow>(
    `INSERT INTO owners AS o (subadmin_id, name, contact_number, address, account_no, ifsc, pan_no, branch_name)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columns}`,
    [db.tenantId, ...inOrder(values)],
    'insert-owner',
  );
  // An insert without a conflict clause returns its row.
  return toOwner(rows[0]!);
}

export async function updateOwner(db: TenantDb, id: string, values: OwnerValues): Promise<Owner> {
  const { rows } = await db.query<OwnerRow>(
    `UPDATE owners AS o SET name = $3, contact_number = $4, address = $5, account_no = $6, ifsc = $7, pan_no = $8,
       branch_name = $9, updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2 RETURNING ${columns}`,
    [db.tenantId, id, ...inOrder(values)],
    'update-owner',
  );
  // The caller holds the row's lock.
  return toOwner(rows[0]!);
}

function inOrder(values: OwnerValues): string[] {
  return [
    values.name,
    values.contactNumber,
    values.address,
    values.accountNo,
    values.ifsc,
    values.panNo,
    values.branchName,
  ];
}

/** Challans that name the owner, as the one who is paid or as the discounter. */
export async function countChallansOf(db: TenantDb, ownerId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM challans
     WHERE subadmin_id = $1 AND (owner_id = $2 OR discounter_id = $2) AND deleted_at IS NULL`,
    [db.tenantId, ownerId],
    'count-challans-of-owner',
  );
  return rows[0]?.count ?? 0;
}
