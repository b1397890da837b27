import { randomUUID } from 'node:crypto';
import { compare, cpuOf, type Comparison } from './compare.ts';
import type { Context } from './context.ts';
import { usualFields } from './rates.ts';
import { Caller, startProgram } from './server.ts';
import { sheetOf } from './sheet.ts';
import { ms, times, type Line } from './table.ts';

type Work = () => Promise<unknown>;
const target = 2;

/**
 * What one write and one page cost on the processor (server and database together), beside a bare handler that does the same
 * in one statement on the same tables. The sides take turns.
 */
export async function measureWrites(context: Context): Promise<Line[]> {
  const { data, large, databaseUrl, processes, isQuick, sql, say } = context;
  const server = await startProgram(['--import', 'tsx', 'tests/bench/bare-server.ts', data.large.id, databaseUrl]);
  const bare = new Caller(server.url);
  try {
    const rows = await sheetOf(context);
    // Unpaid challans with a pump that is not verified, of all months.
    const { rows: found } = await sql.query<{ id: string }>(
      `SELECT id FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL AND NOT payment_status AND hold_reason = ''
         AND petrol_pump_id IS NOT NULL AND NOT hsd_verified ORDER BY id LIMIT 12000`,
      [data.large.id],
    );
    let taken = 0;
    const next = (): string => found[taken++ % found.length]?.id ?? '';
    let turn = 0;
    // Ticked and cleared in turns: a tick that is there already would change nothing.
    const ticked = { id: '', isOn: false };
    const unpaid = { api: found.map(({ id }) => id), bare: [] as string[] };
    unpaid.bare = unpaid.api.splice(0, unpaid.api.length / 2);
    // Of the unpaid each call takes one away. On a fast machine a small business has fewer than would be measured.
    const mostPaid = unpaid.bare.length;
    const cases: [what: string, api: Work, bare: Work, mostRuns?: number][] = [
      [
        'create with key and history',
        () => {
          const { key: _, ...body } = rows[turn++ % rows.length]!.row;
          return large.ask('POST', '/api/challans', body, randomUUID());
        },
        () => bare.ask('POST', '/create', { id: next() }),
      ],
      [
        'edit of the remarks',
        () => large.ask('PUT', `/api/challans/${next()}`, { remarks: `edit ${turn++}` }),
        () => bare.ask('POST', '/edit', { id: next() }),
      ],
      [
        'HSD checkbox',
        () => {
          ticked.isOn = !ticked.isOn;
          if (ticked.isOn) ticked.id = next();
          return large.ask('PUT', `/api/challans/hsd-verification/${ticked.id}`, { hsdVerified: ticked.isOn });
        },
        () => bare.ask('POST', '/hsd', { id: next() }),
      ],
      [
        'mark one paid',
        () => large.ask('PUT', `/api/challans/${unpaid.api.pop() ?? ''}`, { paymentStatus: true }),
        () => bare.ask('POST', '/pay', { id: unpaid.bare.pop() }),
        mostPaid,
      ],
      ...[
        ['page of 50', ''],
        ['page of 50 with fields', `&fields=${usualFields}`],
        ['page of 50 with fields, totals later', `&fields=${usualFields}&totals=later`],
      ].map(([what = '', more]): [string, Work, Work] => [
        what,
        () => large.send('GET', `/api/challans?limit=50${more}`),
        () => bare.send('GET', '/'),
      ]),
    ];
    const lines: Line[] = [];
    for (const [what, api, inBare, mostRuns] of cases) {
      say(`  ${what}`);
      lines.push(line(what, await compare(processes, api, inBare, isQuick ? 4 : 8, server.pid, mostRuns)));
    }
    return lines;
  } finally {
    bare.close();
    await server.stop();
  }
}

function line(what: string, { api, sql: bare }: Comparison): Line {
  const text = (side: typeof api): string =>
    `${ms(cpuOf(side))} (${side.databaseCpu.toFixed(2)} + ${side.nodeCpu.toFixed(2)})`;
  const ratio = cpuOf(api) / cpuOf(bare);
  return {
    what: `${what}: processor of database + Node`,
    measured: text(api),
    sql: `${text(bare)}, bare handler`,
    ratio: times(ratio),
    target: `≤ ${times(target)}`,
    isMet: ratio <= target,
  };
}
