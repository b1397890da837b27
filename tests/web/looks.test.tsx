import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { closeApp, openApp, page, userEvent } from './challan-list-stage.tsx';
import { buildPump, heads, makeDesk, reply, type Desk } from './master-data-stage.tsx';

afterEach(closeApp);

const at = (second: number): string => `2026-11-20T10:00:0${second}.000Z`;
const kept = (desk: Desk) => desk.asks('PUT', /preferences/).map(({ body }) => body as { key: string; value: string });

test('columns and density of any table come from the server, and go there; a column that is new to them is shown', async () => {
  const desk = makeDesk({ petrolPumps: [buildPump(1)] });
  const columns = ['name', 'createdAt', 'address'].map((colId) => ({ colId, hide: false, width: 200 }));
  desk.once('GET', /preferences/, () =>
    reply(contract.preferences.list, {
      data: [
        { key: 'layout:petrol-pumps', value: JSON.stringify({ columns, pageSize: 0 }), updatedAt: at(1) },
        { key: 'density', value: 'compact', updatedAt: at(1) },
      ],
    }),
  );
  await openApp('/petrol-pumps');
  await expect
    .poll(() => heads().filter((name) => ['Address', 'Created At'].includes(name)))
    .toEqual(['Created At', 'Address']);
  expect(heads()).toContain('Contact Number');
  await vi.waitFor(() => expect(document.querySelector('.cd-grid')?.getAttribute('data-density')).toBe('compact'));
  expect(kept(desk)).toEqual([]);

  desk.once('PUT', /preferences/, ({ body }) => {
    const { key, value } = contract.preferences.put.body.parse(body);
    return reply(contract.preferences.put, { data: { key, value: value ?? '', updatedAt: at(2) } });
  });
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('radio', { name: 'Comfortable' }));
  await vi.waitFor(() => expect(kept(desk)).toEqual([{ key: 'density', value: 'comfortable' }]));
});
