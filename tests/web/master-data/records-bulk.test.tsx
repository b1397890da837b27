import { afterEach, expect, test, vi } from 'vitest';
import { defaultTagColor } from '../../../src/shared/contract/tags.ts';
import type { RecordsDone, RecordsPreview } from '../../../src/shared/contract/records-bulk.ts';
import { halfUndone } from '../support/builders.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildOwner, buildTag, buildTruck, idOf, many } from '../support/builders.ts';
import { type Desk, fakeServer } from '../support/records.ts';
import { button, closeApp, goToCell, openApp, page, press, shownRows, toasts } from '../support/screen.tsx';

/** One act on the selected records of master data (docs/specification.md §7.4). */
afterEach(closeApp);

const figures: Pick<RecordsPreview, 'changedCount' | 'sameCount' | 'refused'> = {
  changedCount: 2,
  sameCount: 0,
  refused: [
    { reason: 'Cannot delete tag "TAG 03". It is currently assigned to 4 challan(s).', count: 1, names: ['TAG 03'] },
  ],
};
const preview: RecordsPreview = { count: 3, ...figures, goneCount: 0, fingerprint: 'of three' };
const done: RecordsDone = { ...figures, batch: { id: idOf(500), number: 'Change 2627-000004' } };
const dialog = () => page.getByRole('alertdialog');
const says = (text: string) => expect.element(dialog().getByText(text, { exact: true })).toBeVisible();
const confirmed = (desk: Desk) => desk.writes(contract.tags.changeMany, contract.trucks.changeMany);

test('Delete on a selection of tags names those that stay, deletes the others, and offers Undo', async () => {
  const desk = fakeServer({ tags: many(3, (n) => buildTag(n)) });
  await openApp('/tags');
  await goToCell(201, 'name');
  await press('{Control>}a{/Control}');
  await expect.element(page.getByText('3 selected')).toBeVisible();
  desk.once(contract.tags.previewMany, () => ({ data: preview }));
  desk.once(contract.tags.changeMany, () => ({ data: done }));
  await press('{Delete}');
  await says('2 tags are deleted.');
  await says('Cannot delete tag "TAG 03". It is currently assigned to 4 challan(s).');
  await expect.element(dialog().getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await vi.waitFor(async () => {
    await press('{Control>}{Enter}{/Control}');
    expect(confirmed(desk)).toHaveLength(1);
  });
  expect(confirmed(desk)[0]).toEqual({
    ids: [idOf(201), idOf(202), idOf(203)],
    act: { kind: 'delete' },
    expected: { fingerprint: 'of three' },
  });
  await vi.waitFor(() => expect(toasts()).toEqual(['2 tags deleted']));
  await expect.element(button('Undo')).toBeVisible();
  await expect.element(page.getByText('3 selected')).not.toBeInTheDocument();
});

test('Ctrl+A selects the page while the heading has the focus, and text in the search while that has it', async () => {
  fakeServer({ tags: many(3, (n) => buildTag(n)) });
  await openApp('/tags');
  await expect.poll(shownRows).toHaveLength(3);
  const search = page.getByRole('searchbox').or(page.getByRole('textbox')).first();
  await search.click();
  await press('{Control>}a{/Control}');
  await expect.element(page.getByText(/selected$/)).not.toBeInTheDocument();
  (page.getByRole('heading', { level: 1 }).element() as HTMLElement).focus();
  await press('{Control>}a{/Control}');
  await expect.element(page.getByText('3 selected')).toBeVisible();
});

test('M sets the wheels of the selected trucks; without a selection it says what to do', async () => {
  const owner = buildOwner(1);
  const desk = fakeServer({ owners: [owner], trucks: many(2, (n) => buildTruck(n, owner)) });
  await openApp('/trucks');
  await goToCell(101, 'noOfWheels');
  await press('m');
  await vi.waitFor(() => expect(toasts()).toEqual(['Select trucks first: Space, Shift+↓ or Ctrl+A']));
  await press(' ');
  await expect.element(page.getByText('1 selected')).toBeVisible();
  desk.once(contract.trucks.previewMany, () => ({ data: { ...preview, count: 1, changedCount: 1, refused: [] } }));
  await press('m');
  await dialog().getByRole('textbox', { name: 'Wheels' }).fill('14');
  await says('1 truck changes.');
  expect(desk.writes(contract.trucks.previewMany).at(-1)).toEqual({
    ids: [idOf(101)],
    act: { kind: 'set', values: { noOfWheels: 14 } },
  });
  await press('{Escape}');
  await vi.waitFor(() => expect(dialog().elements()).toEqual([]));
  expect(confirmed(desk)).toEqual([]);
});

test('Delete on the one selected row that has the focus asks for it alone', async () => {
  fakeServer({ owners: many(2, (n) => buildOwner(n)) });
  await openApp('/owners');
  expect(shownRows()).toHaveLength(2);
  await goToCell(1, 'contactNumber');
  await press(' {Delete}');
  await expect.element(dialog().getByText('Delete owner "Owner 01"?')).toBeVisible();
});

test('a tag gets a color as the tag form takes it; while it is done nothing else can be chosen, and Undo names what was left', async () => {
  const desk = fakeServer({ tags: many(2, (n) => buildTag(n)) });
  await openApp('/tags');
  await goToCell(201, 'name');
  const two = { ...preview, count: 2, refused: [] };
  const answerPreview = () => desk.once(contract.tags.previewMany, () => ({ data: two }));
  answerPreview();
  await press('{Control>}a{/Control}m');
  await says('2 tags change.');
  const color = dialog().getByRole('textbox', { name: 'Color' });
  await expect.element(color).toHaveValue(defaultTagColor);
  await color.fill('#12');
  await expect
    .element(dialog().getByRole('button', { name: 'Change 2 tags' }))
    .toHaveAttribute('aria-disabled', 'true');
  answerPreview();
  await color.fill('#10B981');
  await says('2 tags change.');
  const answer = desk.hold(contract.tags.changeMany, () => ({ data: { ...done, refused: [] } }));
  await vi.waitFor(async () => {
    await press('{Control>}{Enter}{/Control}');
    expect(confirmed(desk)).toHaveLength(1);
  });
  expect(confirmed(desk)[0]).toMatchObject({ act: { kind: 'set', values: { color: '#10B981' } } });
  await expect.element(dialog().getByRole('combobox', { name: 'What to do' })).toHaveAttribute('aria-disabled', 'true');
  answer();
  await vi.waitFor(() => expect(toasts()).toEqual(['2 tags changed']));
  const left = { record: 'tag' as const, id: idOf(202), name: 'TAG 02', reason: 'It was changed since.' };
  desk.once(contract.batches.undo, () => halfUndone('Change 2627-000004', left));
  await press('{Control>}z{/Control}');
  await vi.waitFor(() =>
    expect(toasts()).toEqual(
      expect.arrayContaining([
        'Change 2627-000004 undone: 1 tag as before',
        '1 tag left as it is: TAG 02: It was changed since.',
      ]),
    ),
  );
});

test('a tick does not draw the buttons of the rows again', async () => {
  fakeServer({ tags: many(3, (n) => buildTag(n)) });
  await openApp('/tags');
  await goToCell(202, 'name');
  const row = document.querySelector(`.ag-row[row-id="${idOf(203)}"] .cd-actions`);
  let drawn = 0;
  const watch = new MutationObserver((changes) => {
    drawn += changes.length;
  });
  expect(row).not.toBeNull();
  if (row) watch.observe(row, { childList: true, subtree: true, attributes: true });
  await press(' ');
  await expect.element(page.getByText('1 selected')).toBeVisible();
  watch.disconnect();
  expect(drawn).toBe(0);
});
