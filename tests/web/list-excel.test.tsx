import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { mostTableRows } from '../../src/shared/contract/tables.ts';
import { buildOwner } from './support/builders.ts';
import { refusal } from './support/fake-server.ts';
import { fakeServer } from './support/records.ts';
import { closeApp, openApp, page, toasts, userEvent } from './support/screen.tsx';

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
