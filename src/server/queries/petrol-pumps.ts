import type { QueryOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { PetrolPump } from '../../shared/contract/petrol-pumps.ts';
import type { TenantDb } from '../db/tenant.ts';
import { nameRank } from './name-rank.ts';
import { offsetOf } from './paging.ts';
import { selectRecord } from './records.ts';

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

/** A page of pumps by name, of those whose name, contact number or address contains the search text if there is one: best first. */
export async function listPetrolPumps(
  db: TenantDb,
  query: QueryOf<typeof contract.petrolPumps.list>,
): Promise<{ petrolPumps: PetrolPump[]; totalCount: number }> {
  const { search = '' } = query;
  const rank = search === '' ? '' : `${nameRank('name', '$2')}, `;
  const [page, counted] = await Promise.all([
    db.query<PetrolPumpRow>(
      `SELECT ${columns} FROM petrol_pumps WHERE ${matches} ORDER BY ${rank}lower(name), id LIMIT $3 OFFSET $4`,
      [db.tenantId, search, query.limit, offsetOf(query)],
      search === '' ? 'list-petrol-pumps' : 'search-petrol-pumps',
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
  const row = await selectRecord<PetrolPumpRow>(db, 'petrol_pumps', columns, id);
  return row && toPetrolPump(row);
}

export async function lockPetrolPump(db: TenantDb, id: string): Promise<PetrolPump | null> {
  const row = await selectRecord<PetrolPumpRow>(db, 'petrol_pumps', columns, id, 'FOR UPDATE');
  return row && toPetrolPump(row);
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
