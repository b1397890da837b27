import { afterEach, describe, expect, test, vi } from 'vitest';
import { choose } from '../choose.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { idOf } from '../support/builders.ts';
import {
  buildAgeing,
  buildFigures,
  buildPeriod,
  card,
  cellIn,
  hrefOf,
  markNow,
  totalIn,
} from '../support/dashboard-figures.ts';
import { foreignAnswer, refusal } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, openApp, page, press, searchNow, userEvent } from '../support/screen.tsx';

afterEach(closeApp);

const tags = 'Breakdown by tag';
/** Its contents are wider than the place the figure has. */
function isCut(cell: HTMLElement | null): boolean {
  const contents = document.createRange();
  const place = cell?.querySelector('.cd-figure') ?? cell;
  if (!place) return true;
  contents.selectNodeContents(place);
  return contents.getBoundingClientRect().width > place.clientWidth || place.scrollWidth > place.clientWidth;
}
const ageing = 'Unpaid by owner and age';
const row = '.ag-grid-scrolling-container .ag-row';
const where = () => window.location.pathname + window.location.search;

describe('Tag Analytics', () => {
  test('greets, and shows cards, breakdown, total and when it was made', async () => {
    fakeServer({
      figures: [
        buildFigures(1, 8, 2),
        buildFigures(2, 1, 1, { differenceWeight: '-1.00', unloadingWeight: '21.00' }),
        buildFigures(3, 0, 0, { tagId: null, tagName: 'Without a tag' }),
      ],
    });
    await openApp('/dashboard', row);
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Welcome back, a@b.in!');
    await expect.poll(() => card('Total Tags')).toBe('2');
    expect(card('Total Challans')).toBe('12');
    expect(card('Total Amount')).toBe('₹1,200.00');
    expect(card('Date Range')).toBe('All dates');
    // 06:12 UTC is 11:42 in India.
    await expect.element(page.getByText('Generated at 20/11/2026 11:42')).toBeVisible();
    const text = (id: string, column: string) => cellIn(tags, id, column)?.textContent;
    expect(text(idOf(801), 'tagName')).toBe('TAG 1');
    expect(text(idOf(801), 'challanCount')).toBe('10');
    expect(text(idOf(801), 'challanShare')).toBe('83.33 %');
    expect(text(idOf(801), 'totalAmount')).toBe('₹1,000.00');
    expect(text(idOf(801), 'paidPercent')).toBe('8 paid / 2 unpaid80.00 %');
    expect(text(idOf(801), 'averageValue')).toBe('₹100.00');
    expect(text(idOf(801), 'loadingWeight')).toBe('100.00');
    expect(text(idOf(801), 'unloadingWeight')).toBe('95.00');
    const difference = (id: string) => cellIn(tags, id, 'differenceWeight')?.querySelector('.cd-figure > span');
    expect(difference(idOf(801))?.textContent).toBe('+5.00');
    expect(difference(idOf(801))?.className).toContain('text-danger');
    expect(difference(idOf(802))?.textContent).toBe('-1.00');
    expect(difference(idOf(802))?.className).toContain('text-good');
    expect(text('none', 'paidPercent')).toBe('0 paid / 0 unpaid0.00 %');
    expect(totalIn(tags, 'challanCount')?.textContent).toBe('12');
    expect(totalIn(tags, 'totalAmount')?.textContent).toBe('₹1,200.00');
    expect(totalIn(tags, 'paidPercent')?.textContent).toBe('9 paid / 3 unpaid75.00 %');
    expect(totalIn(tags, 'differenceWeight')?.textContent).toBe('+4.00');
  });

  test('no figure is cut, of one tag with everything and of years of challans', async () => {
    const sums = { totalAmount: '932420400.51', loadingWeight: '1371567.03', unloadingWeight: '1365135.20' };
    fakeServer({
      figures: [buildFigures(1, 286_848, 13_152, { ...sums, challanShare: '100.00', amountShare: '100.00' })],
    });
    await openApp('/dashboard', row);
    const figures =
      'challanCount challanShare totalAmount amountShare averageValue loadingWeight unloadingWeight differenceWeight'.split(
        ' ',
      );
    const cutIn = (cells: (HTMLElement | null)[]) => cells.filter((cell) => isCut(cell)).map((cell) => cell?.innerText);
    expect(cutIn(figures.map((key) => cellIn(tags, idOf(801), key)))).toEqual([]);
    expect(cutIn(figures.map((key) => totalIn(tags, key)))).toEqual([]);
    for (const cell of [cellIn(tags, idOf(801), 'paidPercent'), totalIn(tags, 'paidPercent')]) {
      const counts = cell?.querySelector('.truncate');
      expect(counts?.scrollWidth).toBe(counts?.clientWidth);
    }
  });

  test.each(['comfortable', 'compact'])('%s: as high as its rows, never higher than the window', async (density) => {
    localStorage.setItem('challan-desk-view:a@b.in:grid-density', JSON.stringify(density));
    const rows = (count: number) => Array.from({ length: count }, (_, n) => buildFigures(n + 1, 8, 2));
    const section = () => document.querySelector<HTMLElement>(`section[aria-label="${tags}"]`);
    const bottomOf = (selector: string) => section()?.querySelector(selector)?.getBoundingClientRect();
    fakeServer({ figures: rows(6) });
    await openApp('/dashboard', row);
    await vi.waitFor(() => expect(section()?.querySelectorAll(row)).toHaveLength(6));
    // The last row stands on the totals: hardly a gap, and nothing to scroll.
    const gap = () => (bottomOf('.ag-row-pinned')?.top ?? 0) - (bottomOf(`${row}:last-child`)?.bottom ?? 0);
    await vi.waitFor(() => expect(gap()).toBeGreaterThanOrEqual(0));
    expect(gap()).toBeLessThan(10);
    await closeApp();

    fakeServer({ figures: rows(60) });
    await openApp('/dashboard', row, 'subadmin', document.documentElement.clientHeight);
    await vi.waitFor(() => expect(section()?.offsetHeight).toBeLessThanOrEqual(window.innerHeight - 100));
    expect(section()?.offsetHeight).toBeGreaterThan(500);
  });

  test('compact rows hold one line: counts and share side by side', async () => {
    localStorage.setItem('challan-desk-view:a@b.in:grid-density', '"compact"');
    fakeServer({ figures: [buildFigures(1, 286_848, 13_152)] });
    await openApp('/dashboard', row);
    const cell = cellIn(tags, idOf(801), 'paidPercent');
    const tops = [...(cell?.querySelectorAll('.truncate, .min-w-13') ?? [])].map((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return (top + bottom) / 2;
    });
    expect(tops).toHaveLength(2);
    expect(Math.abs((tops[0] ?? 0) - (tops[1] ?? 99))).toBeLessThan(2);
  });

  test('the bar is green from 80, amber from 50, red below, by the unrounded share', async () => {
    fakeServer({
      figures: [
        buildFigures(1, 4, 1),
        buildFigures(2, 19_999, 5_001),
        buildFigures(3, 1, 1),
        buildFigures(4, 49_999, 50_001),
        buildFigures(5, 0, 0),
      ],
    });
    await openApp('/dashboard', row);
    const bar = (n: number) => {
      const cell = cellIn(tags, idOf(800 + n), 'paidPercent');
      return [
        cell?.querySelector('[data-tone]')?.getAttribute('data-tone'),
        /[\d.]+ %$/.exec(cell?.textContent ?? '')?.[0],
      ];
    };
    await expect.poll(() => bar(5)).toEqual(['bad', '0.00 %']);
    expect(bar(1)).toEqual(['good', '80.00 %']);
    // 79.996 %: shown as 80.00 %, and amber.
    expect(bar(2)).toEqual(['warn', '80.00 %']);
    expect(bar(3)).toEqual(['warn', '50.00 %']);
    expect(bar(4)).toEqual(['bad', '50.00 %']);
  });

  test('each figure links to its challans, with the dates and the tag', async () => {
    fakeServer({ figures: [buildFigures(1, 8, 2), buildFigures(3, 1, 0, { tagId: null, tagName: 'Without a tag' })] });
    await openApp('/dashboard?startDate=2026-04-01&endDate=2026-04-30', row);
    const days = 'depositedStartDate=2026-04-01&depositedEndDate=2026-04-30';
    const own = `/challans?tagId=${idOf(801)}`;
    await expect.poll(() => hrefOf(cellIn(tags, idOf(801), 'tagName'))).toBe(`${own}&${days}`);
    expect(hrefOf(cellIn(tags, idOf(801), 'totalAmount'))).toBe(`${own}&${days}`);
    expect(hrefOf(cellIn(tags, idOf(801), 'paidPercent'))).toBe(`${own}&paymentStatus=paid&${days}`);
    expect(hrefOf(cellIn(tags, idOf(801), 'paidPercent'), 1)).toBe(`${own}&paymentStatus=unpaid&${days}`);
    expect(hrefOf(cellIn(tags, 'none', 'challanCount'))).toBe(`/challans?tagId=none&${days}`);
    expect(hrefOf(totalIn(tags, 'challanCount'))).toBe(`/challans?${days}`);
    expect(hrefOf(totalIn(tags, 'paidPercent'), 1)).toBe(`/challans?paymentStatus=unpaid&${days}`);
    await expect
      .element(page.getByRole('link', { name: '11', exact: true }).first())
      .toHaveAttribute('href', `/challans?${days}`);
    expect(card('Date Range')).toBe('01/04/2026 – 30/04/2026');
  });

  test('Enter on a cell follows its link; on two links it steps into the first', async () => {
    fakeServer();
    await openApp('/dashboard', row);
    await userEvent.click(cellIn(tags, idOf(801), 'challanShare')!);
    await press('{ArrowRight}{ArrowRight}{ArrowRight}{Enter}');
    await expect.poll(() => document.activeElement?.textContent).toBe('8 paid');
    await press('{ArrowRight}');
    await expect.poll(() => document.activeElement?.textContent).toBe('2 unpaid');
    await press('{Enter}');
    await expect.poll(where).toBe(`/challans?tagId=${idOf(801)}&paymentStatus=unpaid`);
  });

  test('Enter on the total row follows it as well', async () => {
    fakeServer();
    await openApp('/dashboard?tagId=none', row);
    await expect.poll(() => totalIn(tags, 'totalAmount')?.textContent).toBe('₹1,200.00');
    await userEvent.click(cellIn(tags, idOf(802), 'amountShare')!);
    await press('{ArrowLeft}{ArrowDown}{Enter}');
    await expect.poll(where).toBe('/challans?tagId=none');
  });

  test('filters stand in the address, are sent, and are reset', async () => {
    const stage = fakeServer();
    await openApp('/dashboard', row);
    await choose(page.getByLabelText('Tag', { exact: true }), 'Without a tag');
    await expect.poll(searchNow).toEqual({ tagId: 'none' });
    await press('/');
    await expect.element(page.getByRole('textbox', { name: 'Deposited from' })).toHaveFocus();
    await userEvent.fill(page.getByRole('textbox', { name: 'Deposited from' }), '01/04/2026');
    await press('{Tab}');
    await expect.poll(searchNow).toEqual({ tagId: 'none', startDate: '2026-04-01' });
    await expect.poll(() => card('Date Range')).toBe('From 01/04/2026');
    expect(stage.asks(contract.accounting.getTagAnalytics).at(-1)).toEqual({ tagId: 'none', startDate: '2026-04-01' });
    expect(stage.asks(contract.dashboard.listWeeks).at(-1)).toEqual({ tagId: 'none', startDate: '2026-04-01' });
    await userEvent.click(page.getByRole('button', { name: 'Reset', exact: true }));
    await expect.poll(searchNow).toEqual({});
    await expect.poll(() => card('Date Range')).toBe('All dates');
  });

  test('a period chooses both dates', async () => {
    fakeServer();
    await openApp('/dashboard', row);
    const period = page.getByLabelText('Period');
    await choose(period, 'Last financial year');
    await expect.poll(() => searchNow()['startDate']).toMatch(/^\d{4}-04-01$/);
    const year = Number(searchNow()['startDate']?.slice(0, 4));
    expect(searchNow()['endDate']).toBe(`${year + 1}-03-31`);
    await choose(period, 'All dates');
    await expect.poll(searchNow).toEqual({});
  });

  test('is sorted by the headings, by the counts where two shares look alike', async () => {
    fakeServer({ figures: [buildFigures(1, 4, 1), buildFigures(2, 19_999, 5_001), buildFigures(3, 1, 1)] });
    await openApp('/dashboard?tagsBy=paidPercent', row);
    const order = () =>
      [...document.querySelectorAll(`section[aria-label="${tags}"] ${row}`)]
        .toSorted((a, b) => Number(a.getAttribute('row-index')) - Number(b.getAttribute('row-index')))
        .map((item) => Number(item.getAttribute('row-id')?.slice(-1)));
    await expect.poll(order).toEqual([1, 2, 3]);
    await userEvent.click(page.getByRole('columnheader', { name: 'Tag' }));
    await expect.poll(searchNow).toEqual({ tagsBy: 'tagName', tagsOrder: 'asc' });
    await expect.poll(order).toEqual([1, 2, 3]);
    await userEvent.click(page.getByRole('columnheader', { name: 'Tag' }));
    await expect.poll(order).toEqual([3, 2, 1]);
  });

  test('says that it could not be loaded, keeps the filters, and Retry mends it', async () => {
    const stage = fakeServer();
    stage.once(contract.accounting.getTagAnalytics, () =>
      foreignAnswer({ success: false, requestId: 'request-7' }, 500),
    );
    await openApp('/dashboard?tagId=none', '[role="alert"]');
    const alert = page.getByRole('alert').filter({ hasText: 'Error Loading Tag Analytics' });
    await expect.element(alert).toHaveTextContent('Failed to load tag analytics data');
    expect(cellIn(tags, idOf(801), 'tagName')).toBeNull();
    await userEvent.click(alert.getByRole('button', { name: 'Retry' }));
    await expect.poll(() => cellIn(tags, idOf(801), 'tagName')?.textContent).toBe('TAG 1');
    await expect.element(alert).not.toBeInTheDocument();
    expect(searchNow()).toEqual({ tagId: 'none' });
  });

  test("shows the server's own sentence, and keeps what was loaded before", async () => {
    const stage = fakeServer();
    await openApp('/dashboard', row);
    stage.once(contract.accounting.getTagAnalytics, () => refusal('INTERNAL_ERROR', 'The database is away'));
    await userEvent.click(page.getByRole('button', { name: 'Refresh', exact: true }));
    const alert = page.getByRole('alert').filter({ hasText: 'Error Loading Tag Analytics' });
    await expect.element(alert).toHaveTextContent('The database is away');
    await expect.element(alert).toHaveTextContent('The figures below were loaded earlier.');
    expect(cellIn(tags, idOf(801), 'tagName')?.textContent).toBe('TAG 1');
  });

  test('keeps the figures before in their place, and busy, until the next are here', async () => {
    const stage = fakeServer();
    await openApp('/dashboard', row);
    await expect.poll(() => card('Total Challans')).toBe('12');
    const late = stage.hold(contract.accounting.getTagAnalytics, () => foreignAnswer({ success: false }, 500));
    await choose(page.getByLabelText('Tag', { exact: true }), 'Without a tag');
    await expect.poll(() => document.querySelector('section [aria-busy="true"]')).not.toBeNull();
    expect(card('Total Challans')).toBe('12');
    late();
    await expect.element(page.getByText('Error Loading Tag Analytics')).toBeVisible();
  });

  test('says why there is nothing, and what to do', async () => {
    fakeServer({ figures: [], weeks: { unit: 'week', periods: [] } });
    await openApp('/dashboard?startDate=2026-04-01', 'section[aria-label="Breakdown by tag"] a[href="/tags"]');
    await expect.element(page.getByText('No tags to show')).toBeVisible();
    await expect.element(page.getByText('No challans match these filters.')).toBeVisible();
    await expect.element(page.getByText('No deposited challans match these filters.')).toBeVisible();
    await expect.element(page.getByText('Nobody is owed anything')).toBeVisible();
  });

  test('a business without any challan is told what to do first, not that its filters match nothing', async () => {
    fakeServer({ figures: [], weeks: { unit: 'week', periods: [] } });
    await openApp('/dashboard', 'a[href="/owners"]');
    await expect.element(page.getByText('No challans yet')).toBeVisible();
    expect(page.getByText(/match these filters/).elements()).toEqual([]);
    expect(page.getByText('Nobody is owed anything').elements()).toEqual([]);
    await userEvent.click(page.getByRole('link', { name: 'Add New Challan' }).last());
    await expect.poll(where).toBe('/challans/create');
  });

  test('while the dates cannot be applied the cards show no figures and the rest is marked', async () => {
    fakeServer();
    await openApp('/dashboard?startDate=2026-04-10', row);
    await userEvent.fill(page.getByLabelText('Deposited to', { exact: true }), '01/04/2026');
    await press('{Tab}');
    await expect.poll(() => card('Total Amount')).toBe('—');
    await expect.element(page.getByText('Not current: these rows do not match the dates above.')).toBeVisible();
    await userEvent.fill(page.getByLabelText('Deposited to', { exact: true }), '30/04/2026');
    await press('{Tab}');
    await expect.poll(() => card('Total Amount')).toBe('₹1,200.00');
  });
});

describe('the plots', () => {
  test('by tag: arrows walk the marks, each is named, Enter opens its challans', async () => {
    fakeServer({ figures: [buildFigures(1, 8, 2), buildFigures(2, 3, 0), buildFigures(3, 0, 0)] });
    await openApp('/dashboard?startDate=2026-04-01', '[data-mark]');
    const marks = [...document.querySelectorAll('[role="group"][aria-label^="Amount paid"] [data-mark]')];
    // What has no challans has no mark; one mark is the stop of Tab.
    expect(marks).toHaveLength(3);
    expect(marks.map((mark) => mark.getAttribute('tabindex'))).toEqual(['0', '-1', '-1']);
    (marks[0] as SVGElement).focus();
    await expect.poll(markNow).toBe('TAG 1, paid: Amount ₹800.00, Challans 8, Of ₹1,000.00');
    await press('{ArrowRight}');
    await expect.poll(() => markNow()).toContain('TAG 1, unpaid: Amount ₹200.00');
    await press('{ArrowDown}');
    await expect.poll(() => markNow()).toContain('TAG 2, paid');
    await press('{ArrowUp}{End}{Home}');
    await expect.poll(() => markNow()).toContain('TAG 1, paid');
    const shown = () => document.querySelector('[role="group"] [popover]:popover-open')?.textContent;
    await expect.poll(shown).toContain('₹800.00');
    await press('{Escape}');
    await expect.poll(shown).toBeUndefined();
    await press('{ArrowRight}{Enter}');
    await expect.poll(where).toBe(`/challans?tagId=${idOf(801)}&paymentStatus=unpaid&depositedStartDate=2026-04-01`);
  });

  test('by week: one mark a week with challans, the empty one between has none', async () => {
    fakeServer({
      weeks: {
        unit: 'week',
        periods: [
          buildPeriod('2026-04-15', '2026-04-19', 9, 3),
          buildPeriod('2026-04-20', '2026-04-26', 0, 0),
          buildPeriod('2026-04-27', '2026-04-27', 0, 1),
        ],
      },
    });
    await openApp('/dashboard?tagId=none', '[role="group"][aria-label^="Amount and challans by week"] [data-mark]');
    const marks = [...document.querySelectorAll('[role="group"][aria-label^="Amount and challans"] [data-mark]')];
    expect(marks.map((mark) => mark.getAttribute('aria-label'))).toEqual([
      '15/04/2026 to 19/04/2026: Challans 12, Amount ₹1,200.00, Paid ₹900.00, Unpaid ₹300.00',
      '27/04/2026: Challans 1, Amount ₹100.00, Paid ₹0.00, Unpaid ₹100.00',
    ]);
    (marks[0] as SVGElement).focus();
    await press('{ArrowRight}{ArrowRight}');
    await expect.poll(() => markNow()).toContain('27/04/2026');
    await press('{Enter}');
    await expect.poll(where).toBe('/challans?tagId=none&depositedStartDate=2026-04-27&depositedEndDate=2026-04-27');
  });

  test('a long range is by month, and says so', async () => {
    fakeServer({ weeks: { unit: 'month', periods: [buildPeriod('2026-04-01', '2026-04-30', 1, 1)] } });
    await openApp('/dashboard', '[data-mark]');
    await expect.element(page.getByText('By month: the range is longer than 60 weeks.')).toBeVisible();
  });

  test('each line across the amounts has its value', async () => {
    fakeServer({ figures: [buildFigures(1, 231133469, 1), buildFigures(2, 3, 0)] });
    await openApp('/dashboard', '[data-mark]');
    const plot = () => document.querySelector('[role="group"][aria-label^="Amount paid"] g[aria-hidden]');
    await expect.poll(() => plot()?.querySelectorAll('line').length).toBeGreaterThan(1);
    expect(plot()?.querySelectorAll('text').length).toBe(plot()?.querySelectorAll('line').length);
  });

  test('of many tags the largest are drawn, and the rest is said', async () => {
    fakeServer({ figures: Array.from({ length: 15 }, (_, index) => buildFigures(index + 1, 20 - index, 0)) });
    await openApp('/dashboard', '[data-mark]');
    await expect.element(page.getByText('The 12 largest of 15 tags; the table has all.')).toBeVisible();
    expect(document.querySelectorAll('[role="group"][aria-label^="Amount paid"] [data-mark]')).toHaveLength(12);
  });

  test('challans without a tag are not counted as one', async () => {
    const tags = Array.from({ length: 15 }, (_, index) => buildFigures(index + 1, 20 - index, 0));
    fakeServer({ figures: [...tags, { ...buildFigures(16, 30, 0), tagId: null, tagName: 'Without a tag' }] });
    await openApp('/dashboard', '[data-mark]');
    await expect
      .element(page.getByText('The 12 largest of 15 tags and the challans without a tag; the table has all.'))
      .toBeVisible();
  });

  test('a failure of the weeks leaves the rest, and Retry mends it', async () => {
    const stage = fakeServer();
    stage.once(contract.dashboard.listWeeks, () => foreignAnswer({ success: false }, 500));
    await openApp('/dashboard', row);
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to load the challans by week' });
    await userEvent.click(alert.getByRole('button', { name: 'Retry' }));
    await vi.waitFor(() =>
      expect(document.querySelector('[aria-label^="Amount and challans by week"] [data-mark]')).not.toBeNull(),
    );
  });
});

describe('Owner Ageing', () => {
  const debt = (count: number) => ({ count, amount: `${count}00.00` });
  const totals = {
    total: debt(9),
    days0to7: debt(1),
    days8to15: debt(2),
    days16to30: debt(1),
    days31to45: debt(1),
    over45: debt(3),
    notDeposited: debt(1),
  };

  test('each figure links to the list that makes it up', async () => {
    const stage = fakeServer({
      ageing: [buildAgeing(1, totals), buildAgeing(2, { total: debt(1), days0to7: debt(1) })],
      ageingTotals: totals,
    });
    // The list that its last link opens.
    stage.serveRest();
    await openApp('/dashboard', `section[aria-label="${ageing}"] ${row}`);
    const href = (column: string) => hrefOf(cellIn(ageing, idOf(901), column));
    const own = `/accounting/bank-statement?ownerId=${idOf(901)}`;
    await expect.poll(() => href('ownerName')).toBe(own);
    expect(href('total')).toBe(own);
    // Today is 20/11/2026.
    expect(href('days0to7')).toBe(`${own}&depositedStartDate=2026-11-13`);
    expect(href('days8to15')).toBe(`${own}&depositedStartDate=2026-11-05&depositedEndDate=2026-11-12`);
    expect(href('days16to30')).toBe(`${own}&depositedStartDate=2026-10-21&depositedEndDate=2026-11-04`);
    expect(href('days31to45')).toBe(`${own}&depositedStartDate=2026-10-06&depositedEndDate=2026-10-20`);
    expect(href('over45')).toBe(`${own}&depositedEndDate=2026-10-05`);
    expect(href('notDeposited')).toBe(`/challans?ownerId=${idOf(901)}&paymentStatus=unpaid&depositedDate=none`);
    expect(hrefOf(totalIn(ageing, 'over45'))).toBe('/accounting/bank-statement?depositedEndDate=2026-10-05');
    expect(cellIn(ageing, idOf(901), 'over45')?.textContent).toBe('₹300.00, 3 challans3');
    expect(hrefOf(cellIn(ageing, idOf(902), 'over45'))).toBeUndefined();
    expect(cellIn(ageing, idOf(902), 'over45')?.textContent).toBe('—');
    // Whatever the counts beside them: the amounts end one under the other, the sum's too.
    const end = (cell: HTMLElement | null): number | undefined => {
      const amount = document.createRange();
      const text = cell?.querySelector('a')?.firstChild;
      if (text) amount.selectNodeContents(text);
      return text ? Math.round(amount.getBoundingClientRect().right) : undefined;
    };
    const ends = [idOf(901), idOf(902)].map((id) => end(cellIn(ageing, id, 'total')));
    expect([...ends, end(totalIn(ageing, 'total'))]).toEqual([ends[0], ends[0], ends[0]]);
    await userEvent.click(cellIn(ageing, idOf(902), 'over45')!);
    await press('{Home}{ArrowRight}{ArrowRight}{Enter}');
    await expect.poll(where).toBe(`/accounting/bank-statement?ownerId=${idOf(902)}&depositedStartDate=2026-11-13`);
  });

  test('has no column of what was not deposited where there is none', async () => {
    fakeServer({ ageing: [buildAgeing(1, { total: debt(1), over45: debt(1) })] });
    await openApp('/dashboard', `section[aria-label="${ageing}"] ${row}`);
    expect(document.querySelector('[col-id="notDeposited"]')).toBeNull();
  });

  test('pages and sorts on the server, and steps back from a page that is gone', async () => {
    const stage = fakeServer({
      ageing: Array.from({ length: 25 }, (_, index) => buildAgeing(index, { total: debt(1), over45: debt(1) })),
      ageingTotals: totals,
    });
    await openApp('/dashboard?page=9', `section[aria-label="${ageing}"] ${row}`);
    await expect.poll(searchNow).toEqual({ page: '3' });
    await expect.element(page.getByText('21-25 of 25 owners')).toBeVisible();
    await userEvent.click(page.getByRole('columnheader', { name: 'Total Unpaid' }));
    await expect.poll(searchNow).toEqual({ sortBy: 'total' });
    await expect
      .poll(() => stage.asks(contract.dashboard.listOwnerAgeing).at(-1))
      .toMatchObject({ sortBy: 'total', sortOrder: 'desc', page: '1' });
  });

  test('a failure is said in its place, with Retry', async () => {
    const stage = fakeServer({ ageing: [buildAgeing(1, { total: debt(1) })] });
    stage.once(contract.dashboard.listOwnerAgeing, () => foreignAnswer({ success: false }, 500));
    await openApp('/dashboard', row);
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to fetch owner ageing' });
    await userEvent.click(alert.getByRole('button', { name: 'Retry' }));
    await expect.poll(() => cellIn(ageing, idOf(901), 'ownerName')?.textContent).toBe('Owner 1');
  });
});

test('the challan list knows what was not deposited, and takes the filter off again', async () => {
  const stage = fakeServer();
  await openApp('/challans?paymentStatus=unpaid&depositedDate=none', 'h1');
  await expect
    .poll(() => stage.asks(contract.challans.listRows).at(-1))
    .toMatchObject({ depositedDate: 'none', paymentStatus: 'unpaid' });
  await userEvent.click(page.getByRole('button', { name: 'Remove filter: Not deposited' }));
  await expect.poll(searchNow).toEqual({ paymentStatus: 'unpaid' });
  await expect.poll(() => stage.asks(contract.challans.listRows).at(-1)).not.toHaveProperty('depositedDate');
});

describe('the notice of owners that others copied', () => {
  const copied = {
    count: 7,
    lastAt: '2026-11-20T06:12:00.000Z',
    owners: [
      { id: idOf(101), name: 'Ravi Kumar', copiedAt: '2026-11-20T06:12:00.000Z' },
      { id: idOf(102), name: 'Bikash Mohanta', copiedAt: '2026-11-19T06:12:00.000Z' },
    ],
  };
  const notice = () => page.getByRole('status').filter({ hasText: 'copied by other businesses' });

  test('says how many, when, and which, with a way to each', async () => {
    fakeServer({ copied });
    await openApp('/dashboard', row);
    await expect
      .element(notice())
      .toHaveTextContent(
        '7 of your owners were copied by other businesses in the last 30 days, the last on 20/11/2026',
      );
    await expect.element(notice()).toHaveTextContent('Ravi Kumar, Bikash Mohanta and 5 more.');
    expect(hrefOf(notice().element())).toBe(`/owners?open=${idOf(101)}`);
  });

  test('stays away once it was closed, until another one is copied', async () => {
    /** Opens the app again with the storage that it left. */
    const openAgain = async (now: typeof copied): Promise<void> => {
      const kept = Object.entries({ ...localStorage });
      await closeApp();
      for (const [key, value] of kept) if (key.includes('copied-notice')) localStorage.setItem(key, String(value));
      fakeServer({ copied: now });
      await openApp('/dashboard', row);
    };
    fakeServer({ copied });
    await openApp('/dashboard', row);
    await userEvent.click(notice().getByRole('button', { name: 'Close' }));
    await expect.element(notice()).not.toBeInTheDocument();
    await openAgain(copied);
    await expect.element(page.getByText(/^Generated at/)).toBeVisible();
    await expect.element(notice()).not.toBeInTheDocument();
    await openAgain({ ...copied, count: 8, lastAt: '2026-11-21T06:12:00.000Z' });
    await expect.element(notice()).toHaveTextContent('8 of your owners were copied');
  });
});
