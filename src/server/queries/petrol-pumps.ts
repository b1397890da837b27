import type { QueryOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { PetrolPump } from '../../shared/contract/petrol-pumps.ts';
import type { TenantDb } from '../db/tenant.ts';
import { offsetOf } from './paging.ts';

export interface PetrolPumpValues {
  name: string;
  contactNumber: string;
  address: string;
}

interface PetrolPumpRow {
  id: string;
  name: string;
  contact_number: string;
  address: string;
  created_at: Date;
  updated_at: Date;
  version: number;
}

function toPetrolPump(row: PetrolPumpRow): PetrolPump {
  return {
    id: row.id,
    name: row.name,
    contactNumber: row.contact_number,
    address: row.address,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}

const columns = 'id, name, contact_number, address, created_at, updated_at, version';
const matches = `subadmin_id = $1 AND deleted_at IS NULL AND ($2 = '' OR strpos(lower(name), lower($2)) > 0
  OR strpos(lower(address), lower($2)) > 0
  OR (regexp_replace($2, '\\s', '', 'g') <> '' AND strpos(contact_number, regexp_replace($2, '\\s', '', 'g')) > 0))`;

/** A page of pumps by name, of those whose name, contact number or address contains the search text if there is one. */
export async function listPetrolPumps(
  db: TenantDb,
  query: QueryOf<typeof contract.petrolPumps.list>,
): Promise<{ petrolPumps: PetrolPump[]; totalCount: number }> {
  const { search = '' } = query;
  const [page, counted] = await Promise.all([
    db.query<PetrolPumpRow>(
      `SELECT ${columns} FROM petrol_pumps WHERE ${matches} ORDER BY lower(name), id LIMIT $3 OFFSET $4`,
      [db.tenantId, search, query.limit, offsetOf(query)],
      'list-petrol-pumps',
    ),
    db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM petrol_pumps WHERE ${matches}`,
      [db.tenantId, search],
      'count-petrol-pumps',
    ),
  ]);
  return { petrolPumps: page.rows.map(toPetrolPump), totalCount: counted.rows[0]?.count ?? 0 };
}

export async function selectPetrolPump(db: TenantDb, id: string): Promise<PetrolPump | null> {
  const { rows } = await db.query<PetrolPumpRow>(
    `SELECT ${columns} FROM petrol_pumps WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [db.tenantId, id],
    'select-petrol-pump',
  );
  return rows[0] ? toPetrolPump(rows[0]) : null;
}

/** The pump, locked until the transaction ends, also against the FOR KEY SHARE of a challan that is about to name it. */
export async function lockPetrolPump(db: TenantDb, id: string): Promise<PetrolPump | null> {
  const { rows } = await db.query<PetrolPumpRow>(
    `SELECT ${columns} FROM petrol_pumps WHERE subadmin_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`,
    [db.tenantId, id],
    'lock-petrol-pump',
  );
  return rows[0] ? toPetrolPump(rows[0]) : null;
}

export async function insertPetrolPump(db: TenantDb, values: PetrolPumpValues): Promise<PetrolPump> {
  const { rows } = await db.query<PetrolPumpRow>(
    `INSERT INTO petrol_pumps (subadmin_id, name, contact_number, address) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
    [db.tenantId, values.name, values.contactNumber, values.address],
    'insert-petrol-pump',
  );
  // An insert without a conflict clause returns its row.
  return toPetrolPump(rows[0]!);
}

export async function updatePetrolPump(db: TenantDb, id: string, values: PetrolPumpValues): Promise<PetrolPump> {
  const { rows } = await db.query<PetrolPumpRow>(
    `UPDATE petrol_pumps SET name = $3, contact_number = $4, address = $5,
       updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2 RETURNING ${columns}`,
    [db.tenantId, id, values.name, values.contactNumber, values.address],
    'update-petrol-pump',
  );
  // The caller holds the row's lock.
  return toPetrolPump(rows[0]!);
}

/** Hides the pump; challans that name it keep it (ruling 12). */
export async function removePetrolPump(db: TenantDb, id: string): Promise<void> {
  await db.query(
    `UPDATE petrol_pumps SET deleted_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1
     WHERE subadmin_id = $1 AND id = $2`,
    [db.tenantId, id],
    'remove-petrol-pump',
  );
}
