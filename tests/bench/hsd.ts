import { median } from './compare.ts';
import type { Context } from './context.ts';
import { ms, times, type Line } from './table.ts';

interface BilledChallan {
  tpNo: string;
  tpKey: string;
  amount: string;
}
interface Compared {
  data: { totalRecords: number; summary: { validMatches: number; totalDiscrepancies: number } };
}

const rowsOfBill = 20_000;

/**
 * A petrol pump's bill of 20,000 rows, compared with looking up the same TP numbers in SQL. One row in fifty has another
 * amount, one in a hundred an unknown TP number.
 */
export async function measureHsd(context: Context): Promise<Line[]> {
  const { data, large, sql, isQuick } = context;
  const { rows } = await sql.query<BilledChallan>(
    `SELECT tp_no AS "tpNo", tp_key AS "tpKey", hsd_amount::text AS amount FROM challans
     WHERE subadmin_id = $1 AND deleted_at IS NULL AND hsd_amount > 0 ORDER BY hsd_verified, tp_key LIMIT $2`,
    [data.large.id, rowsOfBill],
  );
  const lines = rows.map(({ tpNo, amount }, n) => {
    const tp = n % 100 === 0 ? `X${n}` : tpNo;
    return `"${tp}",${n % 50 === 1 ? `${amount.slice(0, -3)}7.00` : amount}`;
  });
  const bill = ['TP No,Amount', ...lines].join('\r\n');
  const [byApi, bySql]: [number[], number[]] = [[], []];
  let compared: Compared | undefined;
  for (let round = 0; round < (isQuick ? 3 : 5); round += 1) {
    context.say(`  bill of ${rows.length}, round ${round + 1}`);
    const begun = performance.now();
    compared = await large.upload<Compared>(
      '/api/challans/hsd-verification/upload?detail=true',
      `bill-${round}.csv`,
      bill,
    );
    byApi.push(performance.now() - begun);
    const sqlBegun = performance.now();
    await sql.query(
      `SELECT asked, c.id, c.challan_number, c.hsd_amount FROM unnest($2::text[]) AS asked
         LEFT JOIN challans c ON c.subadmin_id = $1 AND c.tp_key = asked AND c.deleted_at IS NULL`,
      [data.large.id, rows.map(({ tpKey }) => tpKey)],
    );
    bySql.push(performance.now() - sqlBegun);
  }
  const [api, plain] = [median(byApi), median(bySql)];
  return [
    {
      what: `HSD: a bill of ${rows.length} rows against ${data.large.size.challans} challans`,
      measured: ms(api),
      sql: ms(plain),
      ratio: times(api / plain),
      note: `${compared?.data.summary.validMatches} match, ${compared?.data.summary.totalDiscrepancies} do not; the slowest ${ms(Math.max(...byApi))}`,
    },
  ];
}
