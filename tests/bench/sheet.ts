import { randomUUID } from 'node:crypto';
import type { ChallanInput } from '../../src/shared/contract/challan-input.ts';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import { ms, type Line } from './table.ts';

const rowsOfSheet = 1_000;
interface Row {
  /** The row as it is sent to the API. */
  row: { key: string } & ChallanInput;
  tagName: string;
}

/** An entry sheet of 1,000 rows, which is checked, saved and undone in each round. */
export async function measureSheet(context: Context): Promise<Line[]> {
  const { large, say, isQuick } = context;
  const rows = await sheetOf(context);
  const times = { check: [] as number[], commit: [] as number[], undo: [] as number[] };
  const timed = async <T>(of: keyof typeof times, work: Promise<T>): Promise<T> => {
    const begun = performance.now();
    const answer = await work;
    times[of].push(performance.now() - begun);
    return answer;
  };
  for (let round = 0; round < (isQuick ? 3 : 5); round += 1) {
    say(`  sheet of ${rowsOfSheet}, round ${round + 1}`);
    const asked = rows.map(({ row: { key, vehicleNo, tpNo, loadingDate, ownerName }, tagName }) => ({
      key,
      vehicleNo,
      tpNo,
      loadingDate,
      ownerName,
      tagName,
    }));
    await timed('check', large.ask('POST', '/api/challans/sheet/check', { rows: asked }));
    const body = { mode: 'all', rows: rows.map(({ row }) => row) };
    const { data } = await timed(
      'commit',
      large.ask<{ data: { batch: { id: string } } }>('POST', '/api/challans/sheet', body, randomUUID()),
    );
    await timed('undo', large.ask('POST', `/api/batches/${data.batch.id}/undo`));
  }
  const line = (what: string, values: readonly number[], limit: number): Line => ({
    what: `sheet of ${rowsOfSheet}: ${what}`,
    measured: ms(median(values)),
    target: `≤ ${limit} ms`,
    isMet: median(values) <= limit,
    note: `the slowest ${ms(Math.max(...values))}`,
  });
  return [line('check', times.check, 300), line('commit', times.commit, 2_000), line('undo', times.undo, 2_000)];
}

/**
 * Rows of an entry sheet, made from the newest challans of owners without a declaration, who have a percentage. Half of them have
 * a TP number that exists already.
 */
export async function sheetOf({ sql, data }: Context): Promise<Row[]> {
  const { rows } = await sql.query<{
    vehicle: string;
    tp: string;
    on: string;
    owner: string;
    name: string;
    phone: string;
    tag: string;
    tag_name: string;
  }>(
    `SELECT c.vehicle_no AS vehicle, c.tp_no AS tp, c.loading_on::text AS on, o.id AS owner, o.name, o.contact_number AS phone,
       g.id AS tag, g.name AS tag_name
     FROM challans c JOIN owners o ON o.subadmin_id = $1 AND o.id = c.owner_id AND o.deleted_at IS NULL
       JOIN tags g ON g.subadmin_id = $1 AND g.id = c.tag_id AND g.deleted_at IS NULL
     WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL
       AND NOT EXISTS (SELECT FROM declarations d WHERE d.subadmin_id = $1 AND d.owner_id = c.owner_id)
     ORDER BY c.created_at DESC, c.id LIMIT ${rowsOfSheet}`,
    [data.large.id],
  );
  return rows.map((row, index) => ({
    tagName: row.tag_name,
    row: {
      key: String(index),
      ownerId: row.owner,
      ownerName: row.name,
      ownerContactNumber: row.phone,
      tagId: row.tag,
      tpNo: index % 2 === 0 ? row.tp : `BENCH${index}`,
      vehicleNo: row.vehicle,
      loadingDate: row.on,
      unloadingDate: row.on,
      depositedAt: row.on,
      material: 'Iron ore fines',
      loadingPlace: 'Joda',
      unloadingPlace: 'Paradip Port',
      loadingWeight: '25.00',
      unloadingWeight: '24.90',
      ratePerMT: `1000.${String(index % 100).padStart(2, '0')}`,
      tdsPercentage: '1.0',
      advanceMoney: '5000.00',
      officeCharges: '100.00',
      materialShortageAmount: '0.00',
      remarks: 'Measured',
    },
  }));
}
