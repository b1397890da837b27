import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans, coal, idOf } from '../support/builders.ts';
import { watchCopies } from '../support/downloads.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  cellText,
  closeApp,
  focusPlace,
  goTo,
  openApp,
  page,
  press,
  rowOf,
  searchNow,
  shownRows,
  toasts,
  userEvent,
} from '../support/screen.tsx';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const question = () => page.getByRole('alertdialog');

test('Delete asks, with the safe button in hand; only a yes deletes, and the focus goes to the neighbour', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await goTo(2);
  await press('{Delete}');
  await expect.element(question()).toHaveTextContent(/Delete challan CH-2627-000002\?.*TP00002.*₹798.00/);
  await expect.element(question().getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await press('{Enter}');
  await expect.element(question()).not.toBeInTheDocument();
  expect(stage.writes()).toEqual([]);
  await expect.poll(focusPlace).toBe('2 tpNo');

  await press('{Delete}');
  await userEvent.click(question().getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() => expect(toasts()).toEqual(['Challan deleted successfully']));
  await vi.waitFor(() => expect(shownRows()).toEqual(['3', '1']));
  await expect.poll(focusPlace).toBe('1 tpNo');
  expect(stage.calls(contract.challans.remove).map(({ path }) => path)).toEqual([`/challans/${idOf(2)}`]);
});

test('a paid challan is refused with its own sentence, and nothing is sent', async () => {
  const stage = fakeServer({ challans: buildChallans(2, (n) => ({ paymentStatus: n === 2 })) });
  const whyNot = 'This challan is marked as paid. Unmark the payment before deleting it.';
  await openApp('/challans');
  await goTo(2, 'paymentStatus');
  await press('{Delete}');
  await vi.waitFor(() => expect(toasts()).toEqual([whyNot]));
  await expect.element(question()).not.toBeInTheDocument();
  expect(stage.writes()).toEqual([]);

  // Paid by somebody else meanwhile: the server's own sentence.
  await goTo(1);
  stage.once(contract.challans.remove, () => refusal('CHALLAN_PAID', whyNot));
  await press('{Delete}');
  await expect.element(question()).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  // The note of before went with the question; this one is the error.
  await vi.waitFor(() =>
    expect(document.querySelector('[data-sonner-toast][data-type="error"]')?.textContent).toContain(whyNot),
  );
  expect(shownRows()).toEqual(['2', '1']);
  stage.once(contract.challans.remove, speechless);
  await press('{Delete}');
  await expect.element(question()).toBeVisible();
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(toasts()).toContain('Failed to delete challan'));
});

test('with the last row of the last page gone the list steps back a page', async () => {
  fakeServer({ challans: buildChallans(11) });
  await openApp('/challans?page=2');
  await goTo(1);
  await press('{Delete}');
  await press('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(shownRows()).toHaveLength(10));
  expect(searchNow()).toEqual({});
  await expect.poll(focusPlace).toMatch(/^\d+ tpNo$/);
});

/** What the browser was given to save. */
function watchDownloads(): { name: string; text: Promise<string> }[] {
  const saved: { name: string; text: Promise<string> }[] = [];
  const blobs = new Map<string, Blob>();
  const create = URL.createObjectURL.bind(URL);
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const url = create(blob);
    blobs.set(url, blob as Blob);
    return url;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = blobs.get(this.href);
    if (blob) saved.push({ name: this.download, text: blob.text() });
  });
  return saved;
}

test('Ctrl+E exports every match of the filter, and saves the bytes as they came', async () => {
  const stage = fakeServer({ challans: buildChallans(13, () => ({ paymentStatus: true })) });
  const saved = watchDownloads();
  await openApp(`/challans?paymentStatus=paid&tagId=${coal.id}&tpNo=TP000&depositedStartDate=2026-11-01`);
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['CSV export completed successfully!']));
  expect(stage.writes(contract.challans.exportCsv)).toEqual([
    {
      filters: { paymentStatus: true, tagId: coal.id, tpNo: 'TP000', depositedStartDate: '2026-11-01' },
      columns: [
        'challanNumber',
        'tpNo',
        'vehicleNo',
        'ownerName',
        'tag',
        'depositedAt',
        'netAmountPayable',
        'paymentStatus',
        'hsdVerified',
      ],
      sortBy: 'createdAt',
      sortOrder: 'desc',
    },
  ]);
  expect(saved.map(({ name }) => name)).toEqual(['challans_2026-11-20.csv']);
  // Blob.text leaves the byte order mark out; the bytes still have it.
  expect(await saved[0]?.text).toContain('CH-1\r\n');
});

test('Ctrl+Shift+E exports the same as an Excel file: the columns and the order of the table', async () => {
  const stage = fakeServer({ challans: buildChallans(3) });
  const saved = watchDownloads();
  await openApp('/challans?sortBy=tagName,tpNo&sortOrder=asc,desc');
  await userEvent.click(page.getByRole('button', { name: 'Columns and density' }));
  await userEvent.click(page.getByRole('checkbox', { name: 'HSD Verified', exact: true }));
  await userEvent.click(page.getByRole('checkbox', { name: 'Remarks', exact: true }));
  await press('{Escape}{Control>}{Shift>}e{/Shift}{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['Excel export completed successfully!']));
  const [asked] = stage.calls(contract.challans.exportXlsx);
  expect(asked?.body).toMatchObject({ filters: {}, sortBy: 'tagName,tpNo', sortOrder: 'asc,desc' });
  const columns = (asked?.body as { columns: string[] } | undefined)?.columns;
  expect(columns).toContain('remarks');
  expect(columns).not.toContain('hsdVerified');
  expect(saved.map(({ name }) => name)).toEqual(['challans_2026-11-20.xlsx']);
});

test('an export under way shows how far it is, cannot be begun twice, and can be cancelled', async () => {
  const stage = fakeServer({ challans: buildChallans(13) });
  const saved = watchDownloads();
  const answer = stage.hold(contract.challans.exportCsv, () => new Response('x'));
  await openApp('/challans');
  await press('{Control>}e{/Control}');
  await expect.element(page.getByRole('progressbar', { name: 'CSV export' })).toBeVisible();
  await expect.element(page.getByText('0 of 13 challans (0 %)')).toBeVisible();
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['The export is still running']));
  await userEvent.click(page.getByRole('button', { name: 'Cancel' }));
  await vi.waitFor(() => expect(toasts()).toContain('CSV export cancelled'));
  answer();
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument();
  expect(stage.calls(contract.challans.exportCsv)).toHaveLength(1);
  expect(saved).toEqual([]);
});

test('a failed export says what the server said, else its own sentence', async () => {
  const stage = fakeServer({ challans: buildChallans(2) });
  const saved = watchDownloads();
  stage.once(contract.challans.exportCsv, speechless);
  await openApp('/challans');
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['Failed to export CSV. Please try again.']));
  stage.once(contract.challans.exportCsv, () => refusal('SERVICE_UNAVAILABLE', 'The database is away'));
  await userEvent.click(page.getByRole('button', { name: 'Export CSV' }));
  await vi.waitFor(() => expect(toasts()).toContain('The database is away'));
  expect(saved).toEqual([]);
});

test('with nothing to export the button says so', async () => {
  const stage = fakeServer();
  await openApp('/challans', '.cd-grid');
  await expect.element(page.getByText('No challans yet')).toBeVisible();
  await press('{Control>}e{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['No data available for CSV generation']));
  expect(stage.calls(contract.challans.exportCsv)).toEqual([]);
});

test('D opens the form filled from the row', async () => {
  fakeServer({ challans: buildChallans(3) });
  const router = await openApp('/challans');
  await goTo(2);
  await press('d');
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/challans/create'));
  expect(router.state.location.state).toEqual({ copyFrom: idOf(2) });
});

test('F2 edits and Back comes back to the row; Alt+N opens an empty form', async () => {
  fakeServer({ challans: buildChallans(3) });
  const router = await openApp('/challans');
  await goTo(2);
  await press('e');
  await vi.waitFor(() => expect(router.state.location.pathname).toBe(`/challans/edit/${idOf(2)}`));
  await vi.waitFor(() => expect(document.querySelector('section[aria-label="Challans"]')).toBeNull());
  await router.navigate(-1);
  await expect.poll(focusPlace).toBe('2 challanNumber');
  await press('{Alt>}n{/Alt}');
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/challans/create'));
  expect(router.state.location.state).toBeNull();
});

test('back from a form at the filters that were left, Reset still clears them', async () => {
  fakeServer({ challans: buildChallans(3) });
  const router = await openApp('/challans?tpNo=TP00002');
  await goTo(2);
  await press('e');
  await vi.waitFor(() => expect(router.state.location.pathname).toBe(`/challans/edit/${idOf(2)}`));
  await vi.waitFor(() => expect(document.querySelector('section[aria-label="Challans"]')).toBeNull());
  // The form's own way back knows no filters.
  await router.navigate('/challans');
  await expect.poll(focusPlace).toBe('2 challanNumber');
  expect(router.state.location.hash).toBe('#tpNo=TP00002');
  await userEvent.click(page.getByRole('button', { name: 'Reset' }));
  await expect.poll(shownRows).toEqual(['3', '2', '1']);
  expect(router.state.location.search + router.state.location.hash).toBe('');
});

test('rows are selected with Shift and copied as a table; the bar says how many and how much', async () => {
  const copies = watchCopies();
  fakeServer({ challans: buildChallans(4, (n) => (n === 3 ? { ownerName: '=SUM(1)', tpNo: '0012' } : {})) });
  await openApp('/challans');
  await goTo(4);
  await press('{Shift>}{ArrowDown}{/Shift}');
  await expect.element(page.getByText('2 selected')).toBeVisible();
  // 796 and 797.
  await expect.element(page.getByText('₹1,593.00')).toBeVisible();
  await press('{Control>}c{/Control}');
  await vi.waitFor(() => expect(copies).toHaveLength(1));
  const lines = copies[0]?.text.split('\r\n').map((line) => line.split('\t'));
  expect(lines?.map((line) => line.slice(0, 4))).toEqual([
    ['Challan No', 'TP No', 'Vehicle No', 'Owner'],
    ['CH-2627-000004', 'TP00004', 'OD09AB1004', 'Ravi Kumar'],
    ['CH-2627-000003', '0012', 'OD09AB1003', "'=SUM(1)"],
  ]);
  expect(lines?.[1]?.[6]).toBe('796.00');
  // The same as HTML, where a number of another kind than an amount or a weight is text: a spreadsheet keeps its zeros.
  const cells = [...new DOMParser().parseFromString(copies[0]?.html ?? '', 'text/html').querySelectorAll('tr')].map(
    (row) => [...row.children].map((cell) => [cell.textContent, cell.getAttribute('style')]),
  );
  expect(cells.map((row) => row.map(([text]) => text))).toEqual(lines);
  const asText = String.raw`mso-number-format:"\@"`;
  expect(cells[2]?.slice(0, 4)).toEqual([
    ['CH-2627-000003', asText],
    ['0012', asText],
    ['OD09AB1003', asText],
    ["'=SUM(1)", asText],
  ]);
  expect(cells[2]?.[6]).toEqual(['797.00', null]);
  await press('{Escape}');
  await expect.element(page.getByText('2 selected')).not.toBeInTheDocument();
  await press('{Control>}a{/Control}');
  await expect.element(page.getByText('4 selected')).toBeVisible();
  expect(cellText(3, 'ownerName')).toBe('=SUM(1)');
});

test('Ctrl+A selects rows, not the text of the page, while the heading has the focus', async () => {
  fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await expect.poll(shownRows).toHaveLength(3);
  await expect.element(page.getByRole('heading', { name: 'Challans', exact: true })).toHaveFocus();
  await press('{Control>}a{/Control}');
  await expect.element(page.getByText('3 selected')).toBeVisible();
  expect(String(getSelection())).toBe('');
});

test('a second Ctrl+A on the only page says that all are selected', async () => {
  fakeServer({ challans: buildChallans(3) });
  await openApp('/challans');
  await goTo(3);
  await press('{Control>}a{/Control}');
  await expect.element(page.getByText('3 selected')).toBeVisible();
  await press('{Control>}a{/Control}');
  await vi.waitFor(() => expect(toasts()).toEqual(['All 3 matching challans are selected.']));
});

test.each([
  [1366, 768],
  [960, 540],
])('at %i pixels the bar under the table keeps its height when rows are selected', async (width, height) => {
  fakeServer({ challans: buildChallans(4) });
  await page.viewport(width, height);
  onTestFinished(() => page.viewport(1366, 768));
  await openApp('/challans?sortBy=tpNo');
  const bar = (): number | undefined => document.querySelector('footer')?.getBoundingClientRect().height;
  expect(bar()).toBe(41);
  await goTo(4);
  await expect.poll(() => rowOf(4)?.getBoundingClientRect().bottom).toBeLessThan(height);
  await press('{Control>}a{/Control}');
  await expect.element(page.getByText('4 selected')).toBeVisible();
  expect(bar()).toBe(41);
});
