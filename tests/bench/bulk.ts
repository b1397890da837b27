import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { BulkAction, BulkResult, BulkPreview } from '../../src/shared/contract/challans-bulk.ts';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import { ms, type Line } from './table.ts';

const challanCount = 10_000;
const targetMs = 2_000;

/** Bulk actions on 10,000 unpaid challans: each is previewed, done and undone. */
export async function measureBulk(context: Context): Promise<Line[]> {
  const { sql, data, isQuick } = context;
  const tenant = [data.large.id];
  const challans = await sql.query<{ id: string }>(
    `SELECT id FROM challans WHERE subadmin_id = $1 AND deleted_at IS NULL AND NOT payment_status
     ORDER BY created_at DESC LIMIT ${challanCount}`,
    tenant,
  );
  const tags = await sql.query<{ id: string }>(
    'SELECT id FROM tags WHERE subadmin_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT 1',
    tenant,
  );
  const selection = { by: 'ids', challanIds: challans.rows.map(({ id }) => id) };
  const acts: readonly [string, BulkAction][] = [
    ['re-tagged', { kind: 'set', values: { tagId: tags.rows[0]?.id ?? '' } }],
    ['given another rate', { kind: 'set', values: { ratePerMT: '1234.50' } }],
  ];
  const lines: Line[] = [];
  for (const [what, act] of acts) {
    const took = { preview: [] as number[], change: [] as number[], undo: [] as number[] };
    for (let round = 0; round < (isQuick ? 3 : 5); round += 1) {
      context.say(`  ${challans.rows.length} challans ${what}, round ${round + 1}`);
      await changeOnce(context, { selection, act }, took);
    }
    for (const [step, times] of Object.entries(took)) {
      const time = median(times);
      const isTarget = step !== 'preview';
      lines.push({
        what: `${challans.rows.length} challans ${what}: ${step}`,
        measured: ms(time),
        ...(isTarget && { target: '≤ 2 s', isMet: time <= targetMs }),
      });
    }
  }
  return lines;
}

async function changeOnce(
  { large, sql }: Context,
  asked: { selection: object; act: BulkAction },
  took: Record<'preview' | 'change' | 'undo', number[]>,
): Promise<void> {
  const timed = async <T>(step: keyof typeof took, path: string, body?: object): Promise<T> => {
    const begun = performance.now();
    const answer = await large.ask<{ data: T }>('POST', path, body, step === 'preview' ? undefined : randomUUID());
    took[step].push(performance.now() - begun);
    return answer.data;
  };
  const seen = await timed<BulkPreview>('preview', '/api/challans/selection/preview', asked);
  const { count, totalAmount, fingerprint } = seen;
  const done = await timed<BulkResult>('change', '/api/challans/selection/change', {
    ...asked,
    expected: { count, totalAmount, fingerprint },
  });
  await timed('undo', `/api/batches/${done.batch?.id}/undo`);
  // Brings the database back to the state before: the differences are folded, the old versions of the rows are removed.
  await wait(1_500);
  await sql.query('VACUUM challans');
}
