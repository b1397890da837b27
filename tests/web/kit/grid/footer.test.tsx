import { afterEach, expect, test, vi } from 'vitest';
import { cleanup } from '@testing-library/react';
import { page, userEvent } from 'vitest/browser';
import { rangeText } from '../../../../src/web/kit/grid/grid-footer.tsx';
import { tsvField } from '../../../../src/web/kit/grid/grid-copy.ts';
import { showGrid } from './grid-fixture.tsx';
import { choose } from '../../choose.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const headings = (): (string | null)[] =>
  [...document.querySelectorAll('.ag-header-cell')]
    .sort((a, b) => Number(a.getAttribute('aria-colindex')) - Number(b.getAttribute('aria-colindex')))
    .map((cell) => cell.getAttribute('col-id'));

test.each([
  [{ page: 1, limit: 10, totalCount: 87, noun: 'owners' }, '1-10 of 87 owners'],
  [{ page: 9, limit: 10, totalCount: 87, noun: 'owners' }, '81-87 of 87 owners'],
  [{ page: 1, limit: 100, totalCount: 0, noun: 'owners' }, '0 of 0 owners'],
  [{ page: 5, limit: 10, totalCount: 12 }, '0 of 12'],
  [{ page: 1, limit: 10, totalCount: 123456, noun: 'challans' }, '1-10 of 1,23,456 challans'],
  [{ page: 1, limit: 10, totalCount: 1, noun: 'challans' }, '1-1 of 1 challan'],
  [{ page: 1, limit: 10, totalCount: 1, noun: 'matches' }, '1-1 of 1 match'],
  [{ page: 1, limit: 10, totalCount: 1, noun: 'TP numbers' }, '1-1 of 1 TP number'],
  // The specification's own line, letter for letter.
  [{ page: 1, limit: 10, totalCount: 1, noun: 'owners' }, '1-1 of 1 owners'],
])('the range %j reads %s', (pager, text) => {
  expect(rangeText(pager)).toBe(text);
});

test.each([
  ['=1+1', "'=1+1"],
  ['-500.00', '-500.00'],
  ['@x', "'@x"],
  ['two\tcells\r\nand a line', 'two cells and a line'],
])('a copied cell %j becomes %j', (text, copied) => {
  expect(tsvField(text)).toBe(copied);
});

test('the pager turns pages by button and by Alt+Page Up and Down, and stops at the ends', async () => {
  const onPage = vi.fn<(page: number) => void>();
  const onLimit = vi.fn<(limit: number) => void>();
  const { change } = await showGrid({ pager: { page: 2, limit: 10, totalCount: 25, onPage, onLimit } });
  await userEvent.click(page.getByRole('button', { name: 'Next page' }));
  await userEvent.click(page.getByRole('button', { name: 'First page' }));
  document.querySelector('button')?.focus();
  await userEvent.keyboard('{Alt>}{PageUp}{PageDown}{/Alt}');
  await expect.poll(() => onPage.mock.calls.map(([to]) => to)).toEqual([3, 1, 1, 3]);
  await choose(page.getByRole('combobox', { name: 'Rows per page' }), '50');
  await expect.poll(() => onLimit).toHaveBeenCalledWith(50);

  change({ pager: { page: 3, limit: 10, totalCount: 25, onPage, onLimit } });
  await expect.element(page.getByRole('button', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true');
  onPage.mockClear();
  await userEvent.keyboard('{Alt>}{PageDown}{/Alt}');
  expect(onPage).not.toHaveBeenCalled();
});

test('hidden columns, their order and the density are remembered; Reset view forgets them', async () => {
  await showGrid({ memoryKey: 'trips' });
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Owner' }));
  await userEvent.click(page.getByRole('radio', { name: 'Compact' }));
  await expect.poll(headings).toEqual(['number', 'net', 'paid']);
  cleanup();

  await showGrid({ memoryKey: 'trips' });
  await expect.poll(headings).toEqual(['number', 'net', 'paid']);
  expect(document.querySelector('.ag-row')?.getBoundingClientRect().height).toBe(27);
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('button', { name: 'Reset view' }));
  await vi.waitFor(() => expect(headings()).toEqual(['number', 'owner', 'net', 'paid']));
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.activeElement).toHaveAccessibleName('Columns and density');
  cleanup();

  await showGrid({ memoryKey: 'trips' });
  await expect.poll(headings).toEqual(['number', 'owner', 'net', 'paid']);
});
