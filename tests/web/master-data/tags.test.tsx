import { afterEach, expect, test } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildTag, idOf, many } from '../support/builders.ts';
import { speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  dialog,
  expectMessage,
  field,
  fill,
  focusPlace,
  goToCell,
  heads,
  openApp,
  page,
  press,
  question,
  search,
  searchNow,
  shownRows,
  toasts,
  userEvent,
} from '../support/screen.tsx';

afterEach(closeApp);

const tagsOf = (count: number) => many(count, (n) => buildTag(n));
const alert = () => page.getByRole('alert');

test('shows the colour dot, the name, the day, and 60 characters of the description with the rest in the title', async () => {
  const long = 'abcdefghij'.repeat(7);
  fakeServer({ tags: [buildTag(1, { description: long }), buildTag(2, { description: 'Talcher – Angul' })] });
  await openApp('/tags');
  expect(heads()).toEqual(['Name', 'Description', 'Created', 'Actions']);
  expect([cellText(201, 'name'), cellText(201, 'createdAt')]).toEqual(['TAG 01', '14/11/2026']);
  const dot = document.querySelector<HTMLElement>(`[row-id="${idOf(201)}"] .cd-dot`);
  expect(dot?.style.backgroundColor).toBe('rgb(16, 185, 129)');
  await expect.poll(() => cellText(201, 'description')).toBe(`${long.slice(0, 60)}…`);
  await expect.element(page.getByTitle(long, { exact: true })).toBeInTheDocument();
  expect(cellText(202, 'description')).toBe('Talcher – Angul');
});

test('the search is paged by itself; clearing it comes back to the page that was left', async () => {
  const { asks } = fakeServer({ tags: [...tagsOf(25), ...many(12, (n) => buildTag(30 + n, { name: `COAL ${n}` }))] });
  await openApp('/tags?page=3');
  await search('coal');
  await expect.poll(() => asks(contract.tags.list).at(-1)).toMatchObject({ search: 'coal', page: '1' });
  await expect.poll(() => cellText(231, 'name')).toBe('COAL 1');
  await press('{Alt>}{PageDown}{/Alt}');
  await expect.poll(() => shownRows()).toHaveLength(2);
  expect(searchNow()).toMatchObject({ page: '3', search: 'coal', searchPage: '2' });
  await press('{Escape}');
  await expect.poll(searchNow).toMatchObject({ page: '3' });
  await expect.poll(() => cellText(213, 'name')).toBe('TAG 13');
});

test('Check Usage counts the challans and says whether the tag can be deleted', async () => {
  fakeServer({ tags: tagsOf(2), uses: new Map([[idOf(201), 7]]) });
  await openApp('/tags');
  await goToCell(201, 'description');
  await press('u');
  const shown = dialog('Usage Statistics: TAG 01');
  await expect.element(shown.getByText('Total Challans')).toBeInTheDocument();
  await expect
    .element(shown.getByRole('region', { name: 'Usage statistics' }))
    .toHaveTextContent(
      'Total Challans7Paid Challans7Unpaid Challans0Cannot delete tag "TAG 01". It is currently assigned to 7 challan(s). Show its challans',
    );
  await expect.element(shown.getByRole('link')).toHaveAttribute('href', `/challans?tagId=${idOf(201)}`);
  await press('{Escape}');
  await expect.poll(focusPlace).toBe('201 description');
  await userEvent.click(button('Check Usage').nth(1));
  await expect.element(page.getByText('No challans use this tag. It can be deleted.')).toBeInTheDocument();
});

test('a failed usage call has its own state, with Retry', async () => {
  const desk = fakeServer({ tags: tagsOf(1) });
  desk.once(contract.tags.usage, speechless);
  await openApp('/tags');
  await goToCell(201, 'description');
  await press('{Enter}');
  await expect
    .element(alert())
    .toHaveTextContent(
      'Failed to load usage statisticsThere was an error fetching the usage data. Please try again.Retry',
    );
  await userEvent.click(button('Retry'));
  await expect.element(page.getByText('No challans use this tag. It can be deleted.')).toBeInTheDocument();
});

test('a tag in use stays, the page says why and clears it by itself', async () => {
  const desk = fakeServer({ tags: tagsOf(2), uses: new Map([[idOf(201), 3]]) });
  await openApp('/tags');
  await goToCell(201, 'description');
  await press('{Delete}');
  await expect
    .element(alert())
    .toHaveTextContent('Cannot delete tag "TAG 01". It is currently assigned to 3 challan(s).');
  // Nobody is asked about what cannot be done.
  expect(page.getByRole('alertdialog').elements()).toEqual([]);
  expect(desk.writes()).toEqual([]);
  expect(shownRows()).toEqual(['201', '202']);
  expect(toasts()).toEqual([]);
  await expect.poll(() => alert().elements()).toHaveLength(0);
});

test('where the usage cannot be asked, the question comes and the server refuses', async () => {
  const desk = fakeServer({ tags: tagsOf(2), uses: new Map([[idOf(201), 3]]) });
  await openApp('/tags');
  desk.once(contract.tags.usage, speechless);
  await goToCell(201, 'description');
  await press('{Delete}');
  await userEvent.click(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
  await expect
    .element(alert())
    .toHaveTextContent('Cannot delete tag "TAG 01". It is currently assigned to 3 challan(s).');
});

test('the usage dialog of a tag in use says at its Delete why not, and asks nothing', async () => {
  const desk = fakeServer({ tags: tagsOf(1), uses: new Map([[idOf(201), 3]]) });
  await openApp(`/tags?open=${idOf(201)}`);
  const shown = dialog('Usage Statistics: TAG 01');
  await expect.element(shown).toBeInTheDocument();
  await expect.element(shown.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true');
  await press('{Delete}');
  await expect.poll(toasts).toEqual(['Cannot delete tag "TAG 01". It is currently assigned to 3 challan(s).']);
  expect(page.getByRole('alertdialog').elements()).toEqual([]);
  expect(desk.writes()).toEqual([]);
});

test('failures say their own message on the page', async () => {
  const desk = fakeServer({ tags: tagsOf(1) });
  desk.once(contract.tags.list, speechless);
  await openApp('/tags', '[role="alert"]');
  await expect.element(alert().first()).toHaveTextContent('Failed to fetch tags');
  await userEvent.click(button('Retry'));
  await expect.poll(shownRows).toEqual(['201']);
  desk.once(contract.tags.list, speechless);
  await search('zz');
  await expect.element(alert().first()).toHaveTextContent('Failed to search tags');
  await press('{Escape}');
  await expect.poll(shownRows).toEqual(['201']);
  desk.once(contract.tags.remove, speechless);
  await goToCell(201, 'description');
  await press('{Delete}');
  await userEvent.click(button('Delete').last());
  await expect.element(alert()).toHaveTextContent('Failed to delete tag');
  await userEvent.click(button('Close'));
  await expect.poll(() => alert().elements()).toHaveLength(0);
});

test('each rule is said when its field is left', async () => {
  fakeServer({ tags: tagsOf(1) });
  await openApp('/tags');
  await press('n');
  await expect.element(field('Color')).toHaveValue('#3B82F6');
  await expectMessage('Tag Name', '', 'Please enter tag name');
  await expectMessage('Tag Name', 'x', 'Tag name must be at least 2 characters');
  await expectMessage('Tag Name', 'x'.repeat(51), 'Tag name must be less than 50 characters');
  await expectMessage('Color', '', 'Please select a color');
  await expectMessage('Color', 'red', 'Color must be a color such as #3B82F6');
  await expectMessage('Description', 'x'.repeat(201), 'Description must be at most 200 characters');
});

test('N creates, with a colour picked and the texts trimmed', async () => {
  const desk = fakeServer({ tags: tagsOf(1) });
  await openApp('/tags');
  await press('n');
  await fill({ 'Tag Name': '  COAL  ', Description: ' Talcher ' });
  await userEvent.click(button('Red'));
  desk.once(contract.tags.create, speechless);
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Failed to save tag']);
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toContain('Tag created successfully');
  expect(desk.books.tags[1]).toMatchObject({ name: 'COAL', color: '#EF4444', description: 'Talcher' });
});

test('E edits, Delete deletes', async () => {
  const desk = fakeServer({ tags: tagsOf(2) });
  await openApp('/tags');
  await goToCell(201, 'description');
  await press('e');
  await fill({ Description: 'Joda' });
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toEqual(['Tag updated successfully']);
  expect(desk.writes(contract.tags.update)[0]).toEqual({ description: 'Joda', version: 1 });
  await expect.poll(() => cellText(201, 'description')).toBe('Joda');
  await expect.poll(focusPlace).toBe('201 description');
  await press('{Delete}');
  await expect.element(page.getByRole('alertdialog')).toBeInTheDocument();
  expect(question()).toBe(
    'Delete tag "TAG 01"? Are you sure you want to delete this tag? This action cannot be undone.',
  );
  await press('{Control>}{Enter}{/Control}');
  await expect.poll(toasts).toContain('Tag deleted successfully');
  await expect.poll(focusPlace).toBe('202 description');
});
