import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildPump } from '../support/builders.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, heads, openApp, page, userEvent } from '../support/screen.tsx';

afterEach(closeApp);

const at = (second: number): string => `2026-11-20T10:00:0${second}.000Z`;
test('columns and density of any table come from the server, and go there; a column that is new to them is shown', async () => {
  const desk = fakeServer({ petrolPumps: [buildPump(1)] });
  const columns = ['name', 'createdAt', 'address'].map((colId) => ({ colId, hide: false, width: 200 }));
  desk.once(contract.preferences.list, () => ({
    data: [
      { key: 'layout:petrol-pumps', value: JSON.stringify({ columns, pageSize: 0 }), updatedAt: at(1) },
      { key: 'density', value: 'compact', updatedAt: at(1) },
    ],
  }));
  await openApp('/petrol-pumps');
  await expect
    .poll(() => heads().filter((name) => ['Address', 'Created At'].includes(name)))
    .toEqual(['Created At', 'Address']);
  expect(heads()).toContain('Contact Number');
  await vi.waitFor(() => expect(document.querySelector('.cd-grid')?.getAttribute('data-density')).toBe('compact'));
  expect(desk.writes(contract.preferences.put)).toEqual([]);

  desk.once(contract.preferences.put, ({ body: { key, value } }) => ({
    data: { key, value: value ?? '', updatedAt: at(2) },
  }));
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('radio', { name: 'Comfortable' }));
  await vi.waitFor(() =>
    expect(desk.writes(contract.preferences.put)).toEqual([{ key: 'density', value: 'comfortable' }]),
  );
});
