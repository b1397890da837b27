import { afterEach, describe, expect, test, vi } from 'vitest';
import { isWhatsappUrl } from '../../../src/web/kit/feedback/whatsapp-tab.ts';
import { choose } from '../choose.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallans, owner } from '../support/builders.ts';
import { watchDownloads, watchTabs } from '../support/downloads.ts';
import { foreignAnswer, offline, refusal, speechless } from '../support/fake-server.ts';
import { fakeServer, waLink } from '../support/records.ts';
import { button, closeApp, openApp, page, press, screenOf, toasts, userEvent } from '../support/screen.tsx';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const sendButton = () => button('Send to WhatsApp');
const nothing = 'No data available for CSV generation';

describe('Download CSV', () => {
  test('sends the filters and the order, saves under the name of the answer, and says so', async () => {
    const stage = fakeServer({ challans: buildChallans(3, () => ({ paymentStatus: true })) });
    const saved = watchDownloads();
    await openApp(
      screenOf(owner.id, '?paymentStatus=paid&tagId=none&depositedStartDate=2026-11-01&sortBy=tpNo&sortOrder=asc'),
      '.cd-grid',
    );
    stage.books.challans = buildChallans(3, () => ({ paymentStatus: true, tag: null }));
    await choose(page.getByRole('combobox', { name: 'Payment Status' }), 'All');
    await expect.element(page.getByText('3 challans').first()).toBeVisible();
    await userEvent.click(button('Download CSV'));
    await expect.poll(toasts).toEqual(['CSV download initiated successfully']);
    expect(saved).toEqual(['owner_challans_Ravi_Kumar_2026-11-20.csv']);
    const [sent] = stage.calls(contract.accounting.exportCsv);
    expect(sent?.body).toEqual({
      ownerId: owner.id,
      columns: [
        'challanNumber',
        'tpNo',
        'depositedAt',
        'vehicleNo',
        'netAmountPayable',
        'tag',
        'paymentStatus',
        'paidAt',
        'payment',
      ],
      filters: {
        paymentStatus: null,
        startDate: '2026-11-01',
        endDate: null,
        paidStartDate: null,
        paidEndDate: null,
        tagId: 'none',
        sortBy: 'tpNo',
        sortOrder: 'asc',
      },
      requestMetadata: {
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
        userAgent: navigator.userAgent,
      },
    });
  });

  test('without a name of the server it is owner_challans_report.csv', async () => {
    const stage = fakeServer({ challans: buildChallans(1) });
    const saved = watchDownloads();
    stage.once(contract.accounting.exportCsv, () =>
      foreignAnswer(new Response('No\r\n', { headers: { 'content-type': 'text/csv' } })),
    );
    await openApp(screenOf(owner.id));
    await press('{Control>}e{/Control}');
    await expect.poll(() => saved).toEqual(['owner_challans_report.csv']);
  });

  test('shows how far it is, is not begun twice, and can be cancelled', async () => {
    const stage = fakeServer({ challans: buildChallans(7) });
    const saved = watchDownloads();
    const answer = stage.hold(contract.accounting.exportCsv, () => new Response('x'));
    await openApp(screenOf(owner.id));
    await press('{Control>}e{/Control}');
    await expect.element(page.getByRole('progressbar', { name: 'CSV download' })).toBeVisible();
    await expect.element(page.getByText('0 of 7 challans (0 %)')).toBeVisible();
    await press('{Control>}e{/Control}');
    await expect.poll(toasts).toEqual(['The download is still running']);
    await userEvent.click(button('Cancel'));
    await expect.poll(toasts).toContain('CSV download cancelled');
    answer();
    expect(stage.calls(contract.accounting.exportCsv)).toHaveLength(1);
    expect(saved).toEqual([]);
  });

  test('with no challans, or no summary, it says so and asks nothing; so does the message', async () => {
    const stage = fakeServer();
    const tabs = watchTabs();
    await openApp(screenOf(owner.id), '.cd-grid');
    await expect.element(page.getByText('This owner has no challans yet')).toBeVisible();
    await userEvent.click(button('Download CSV'));
    await expect.poll(toasts).toEqual([nothing]);
    await userEvent.click(sendButton());
    await expect.poll(toasts).toEqual([`${nothing} (2 times)`]);
    await closeApp();

    const failing = fakeServer({ challans: buildChallans(2) });
    failing.once(contract.accounting.listOwnerChallans, speechless);
    await openApp(screenOf(owner.id), '[role="alert"]');
    await press('{Control>}e{/Control}');
    await expect.poll(toasts).toContain(nothing);
    expect([...stage.writes(), ...failing.writes()]).toEqual([]);
    expect(tabs).toEqual([]);
  });

  test('failures: what the server says, else the default; and a file that cannot be saved', async () => {
    const stage = fakeServer({ challans: buildChallans(2) });
    stage.once(contract.accounting.exportCsv, speechless);
    await openApp(screenOf(owner.id));
    await press('{Control>}e{/Control}');
    await expect.poll(toasts).toEqual(['Failed to download CSV']);
    stage.once(contract.accounting.exportCsv, () => refusal('SERVICE_UNAVAILABLE', 'The database is away'));
    await press('{Control>}e{/Control}');
    await expect.poll(toasts).toContain('The database is away');
    vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
      throw new Error('no room');
    });
    await press('{Control>}e{/Control}');
    await expect.poll(toasts).toContain('Failed to download CSV file');
  });
});

describe('Send to WhatsApp', () => {
  test('the tab is there with the click, cut off from this one, and then given its address', async () => {
    const stage = fakeServer({ challans: buildChallans(3) });
    const tabs = watchTabs();
    const answer = stage.hold(contract.accounting.shareOnWhatsapp, () => ({
      data: { whatsappUrl: waLink, ownerName: 'Ravi Kumar', recordCount: 3 },
    }));
    await openApp(screenOf(owner.id, '?paymentStatus=unpaid'));
    await userEvent.click(sendButton());
    await expect
      .poll(() => tabs)
      .toEqual([
        { url: 'about:blank', sentTo: [], opener: null, closed: false, text: 'The report is being prepared…' },
      ]);
    await expect.element(button('Working')).toHaveAttribute('aria-busy', 'true');
    await press('{Alt>}w{/Alt}');
    await expect.poll(toasts).toEqual(['The report is still being prepared']);
    answer();
    await expect.poll(toasts).toContain('CSV report sent to Ravi Kumar (3 challans)');
    expect(tabs.map(({ sentTo, closed }) => ({ sentTo, closed }))).toEqual([{ sentTo: [waLink], closed: false }]);
    expect(stage.calls(contract.accounting.shareOnWhatsapp)).toHaveLength(1);
    expect(stage.writes(contract.accounting.shareOnWhatsapp)[0]).toMatchObject({
      ownerId: owner.id,
      filters: { paymentStatus: false, startDate: null, endDate: null, tagId: null },
    });
  });

  test('only https://wa.me/ is ever opened', async () => {
    const stage = fakeServer({ challans: buildChallans(1) });
    const tabs = watchTabs();
    const whatsappUrl = 'https://wa.me.example.com/919876543210';
    stage.once(contract.accounting.shareOnWhatsapp, () => ({
      data: { whatsappUrl, ownerName: 'Ravi Kumar', recordCount: 1 },
    }));
    await openApp(screenOf(owner.id));
    await userEvent.click(sendButton());
    await expect.poll(toasts).toEqual(['Failed to generate CSV report']);
    expect(tabs.map(({ sentTo, closed }) => ({ sentTo, closed }))).toEqual([{ sentTo: [], closed: true }]);
  });

  test.each([
    ['https://wa.me/919876543210?text=x', true],
    ['https://WA.ME/919876543210', true],
    ['http://wa.me/919876543210', false],
    ['https://wa.me:444/919876543210', false],
    ['https://wa.me@evil.example/', false],
    ['https://user@wa.me/919876543210', false],
    ['https://evil.example/https://wa.me/', false],
    ['//wa.me/919876543210', false],
    ['javascript:alert(1)//wa.me/', false],
    ['whatsapp://send?text=x', false],
    ['', false],
  ])('%s: %s', (text, isAllowed) => {
    expect(isWhatsappUrl(text)).toBe(isAllowed);
  });

  test('blocked all the same: the toast has the link itself', async () => {
    fakeServer({ challans: buildChallans(2) });
    watchTabs(true);
    await openApp(screenOf(owner.id));
    await userEvent.click(sendButton());
    const link = page.getByRole('link', { name: 'Open WhatsApp' });
    await expect.element(link).toHaveAttribute('href', waLink);
    await expect.element(link).toHaveAttribute('target', '_blank');
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer');
    expect(toasts()).toEqual(['The report is ready, but the browser did not open WhatsApp.']);
    link.element().addEventListener('click', (event) => event.preventDefault());
    await userEvent.click(link);
    await expect.poll(toasts).toEqual(['CSV report sent to Ravi Kumar (2 challans)']);
  });

  test('a tab that was closed meanwhile is not opened again by itself', async () => {
    const stage = fakeServer({ challans: buildChallans(2) });
    const tabs = watchTabs();
    const answer = stage.hold(contract.accounting.shareOnWhatsapp, () => ({
      data: { whatsappUrl: waLink, ownerName: 'Ravi Kumar', recordCount: 2 },
    }));
    await openApp(screenOf(owner.id));
    await userEvent.click(sendButton());
    if (tabs[0]) tabs[0].closed = true;
    answer();
    await expect.element(page.getByRole('link', { name: 'Open WhatsApp' })).toBeVisible();
    expect(tabs).toHaveLength(1);
  });

  test.each([
    ['NO_DATA_FOUND', () => refusal('NO_DATA_FOUND', 'none'), 'No challans found for the specified criteria'],
    ['INVALID_REQUEST', () => refusal('INVALID_REQUEST', 'The range is reversed'), 'The range is reversed'],
    [
      'INVALID_REQUEST without a sentence',
      () => foreignAnswer({ success: false, code: 'INVALID_REQUEST', requestId: 'r' }, 400),
      'Invalid request data',
    ],
    ['another error', () => refusal('PAYLOAD_TOO_LARGE', 'Too many challans'), 'Too many challans'],
    ['too many reports', () => refusal('TOO_MANY_REQUESTS', 'Many reports were sent.'), 'Many reports were sent.'],
    ['an error without a sentence', speechless, 'Failed to generate CSV report'],
    ['success false', () => foreignAnswer({ success: false }), 'Failed to generate CSV report'],
    [
      "a proxy's page",
      () => foreignAnswer(new Response('<html>', { status: 502 })),
      'Failed to generate CSV report. Please try again.',
    ],
    ['no answer', offline, 'Failed to generate CSV report. Please try again.'],
  ])('%s: the tab is closed and the failure told', async (name, answer, message) => {
    const stage = fakeServer({ challans: buildChallans(1) });
    const tabs = watchTabs();
    const hints = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    stage.once(contract.accounting.shareOnWhatsapp, answer);
    await openApp(screenOf(owner.id));
    await userEvent.click(sendButton());
    await expect.poll(toasts).toEqual([message]);
    expect(tabs.map(({ sentTo, closed }) => ({ sentTo, closed }))).toEqual([{ sentTo: [], closed: true }]);
    const isHinted = hints.mock.calls.some(([text]) => /reset the filters/i.test(String(text)));
    expect(isHinted).toBe(name.startsWith('INVALID_REQUEST'));
  });
});
