import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { formatDate } from '../../../src/shared/calc/dates.ts';
import type { Column } from '../../../src/shared/columns/define.ts';
import type { DataGridProps } from '../../../src/web/kit/grid/grid-props.ts';
import { listTable } from '../../../src/web/kit/grid/list-table.ts';
import { mostTableRows } from '../../../src/shared/contract/tables.ts';
import { buildOwner } from '../support/builders.ts';
import { refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, openApp, page, toasts, userEvent } from '../support/screen.tsx';

/** Ctrl+Shift+E saves all rows of a list as an Excel file (docs/specification.md §13.7). */

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const press = () => userEvent.keyboard('{Control>}{Shift>}e{/Shift}{/Control}');
const dialog = () => page.getByRole('alertdialog');
const done = 'Excel file downloaded successfully';
const owners = (count: number) => Array.from({ length: count }, (_, at) => buildOwner(at + 1));

interface Asked {
  label: string;
  columns: { label: string; kind: string }[];
  rows: (string | null)[][];
}
const written = (stage: ReturnType<typeof fakeServer>) =>
  stage.calls(contract.tables.write).map(({ body }) => body as Asked);

test('all rows of the list in its order with the columns in sight, also from the button', async () => {
  const stage = fakeServer({ owners: owners(130) });
  await openApp('/owners');
  await press();
  await vi.waitFor(() => expect(toasts()).toEqual([done]));
  const [asked] = written(stage);
  expect(asked?.label).toBe('Owners');
  expect(asked?.rows).toHaveLength(130);
  const headings = asked?.columns.map(({ label }) => label) ?? [];
  expect(headings).toContain('Name');
  const at = headings.indexOf('Name');
  expect(asked?.rows.map((row) => row[at])).toEqual(stage.books.owners.map(({ name }) => name).sort());
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Contact', exact: true }));
  await userEvent.keyboard('{Escape}');
  await userEvent.click(page.getByRole('button', { name: 'Download Excel' }));
  await vi.waitFor(() => expect(written(stage)).toHaveLength(2));
  expect(written(stage)[1]?.columns.map(({ label }) => label)).toEqual(headings.filter((one) => one !== 'Contact'));
});

test('a file that could not be made is said with its reason, and Retry makes it', async () => {
  const stage = fakeServer({ owners: owners(3) });
  await openApp('/owners');
  stage.once(contract.tables.write, () => refusal('INTERNAL_ERROR', 'The books are closed'));
  await press();
  await expect.element(dialog()).toHaveTextContent(/^Failed to download Excel fileThe books are closed/);
  await userEvent.click(page.getByRole('button', { name: 'Retry' }));
  await vi.waitFor(() => expect(toasts()).toEqual([done]));
  await expect.element(dialog()).not.toBeInTheDocument();
});

test('Escape stops it: nothing is saved', async () => {
  const stage = fakeServer({ owners: owners(30) });
  await openApp('/owners');
  const release = stage.hold(contract.owners.list);
  await press();
  await expect.element(dialog()).toHaveTextContent('Loading 30 rows for the Excel file');
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(toasts()).toEqual(['Excel download cancelled']));
  release();
  expect(written(stage)).toEqual([]);
});

test('a list of more rows than a file holds is not loaded', async () => {
  const stage = fakeServer();
  const count = mostTableRows + 1;
  stage.serve(contract.tags.list, () => ({
    data: stage.books.tags,
    pagination: {
      currentPage: 1,
      totalPages: 2,
      totalCount: count,
      limit: 10,
      hasNext: true,
      hasPrevious: false,
      offset: 0,
    },
  }));
  await openApp('/tags');
  const before = stage.calls(contract.tags.list).length;
  await press();
  await expect
    .element(page.getByText('This file holds at most 50,000 rows, and the list has more. Narrow the filter.'))
    .toBeVisible();
  expect(stage.calls(contract.tags.list)).toHaveLength(before);
});

test('a column with a masked amount is one of text, so that the server takes the file; days that a cell shows are days', () => {
  interface Row {
    id: string;
    due: string;
    paid: string;
    on: string | null;
  }
  const rows: Row[] = [
    { id: 'a', due: '10.50', paid: '•••', on: '2026-11-02' },
    { id: 'b', due: '', paid: '7.00', on: null },
  ];
  const columns: Column<Row>[] = [
    { key: 'due', label: 'Due', kind: 'money', width: 100, total: 'due' },
    { key: 'paid', label: 'Paid', kind: 'money', width: 100 },
    { key: 'on', label: 'Paid On', kind: 'date', width: 100 },
  ];
  const cells = { on: { render: () => null, text: ({ on }: Row) => (on === null ? '' : formatDate(on)) } };
  const grid = { label: 'Test', columns, rows, totals: { due: '10.50' }, cells, keyOf: ({ id }: Row) => id };
  // What the rest of a grid needs is not looked at.
  const table = listTable(grid as unknown as DataGridProps<Row>, rows, undefined);
  expect(table.columns.map(({ kind }) => kind)).toEqual(['money', 'text', 'date']);
  expect(table.rows).toEqual([
    ['10.50', '•••', '2026-11-02'],
    [null, '7.00', null],
  ]);
  expect(table.sums).toEqual(['10.50', null, null]);
  expect(contract.tables.write.body.safeParse(table).success).toBe(true);
});
