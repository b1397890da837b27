import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  buildChallans,
  closeApp,
  failure,
  held,
  json,
  openApp,
  owner,
  page,
  press,
  toasts,
  userEvent,
} from './challan-list-stage.tsx';
import { button, speechless } from './master-data-stage.tsx';
import { isWhatsappUrl } from '../../src/web/feedback/whatsapp-tab.ts';
import { csvPath, makeStage, screenOf, sharePath, waLink, watchDownloads, watchTabs } from './owner-challans-stage.tsx';
import { choose } from './choose.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const sendButton = () => button('Send to WhatsApp');
const nothing = 'No data available for CSV generation';

describe('Download CSV', () => {
  test('sends the filters and the order, saves under the name of the answer, and says so', async () => {
    const stage = makeStage(buildChallans(3, () => ({ paymentStatus: true })));
    const saved = watchDownloads();
    await openApp(
      screenOf(owner.id, '?paymentStatus=paid&tagId=none&depositedStartDate=2026-11-01&sortBy=tpNo&sortOrder=asc'),
      '.cd-grid',
    );
    stage.challans = buildChallans(3, () => ({ paymentStatus: true, tag: null }));
    await choose(page.getByRole('combobox', { name: 'Payment Status' }), 'All');
    await expect.element(page.getByText('3 challans').first()).toBeVisible();
    await userEvent.click(button('Download CSV'));
    await expect.poll(toasts).toEqual(['CSV download initiated successfully']);
    expect(saved).toEqual(['owner_challans_Ravi_Kumar_2026-11-20.csv']);
    const [sent] = stage.asks('POST', csvPath);
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
    const stage = makeStage(buildChallans(1));
    const saved = watchDownloads();
    stage.once('POST', csvPath, () => new Response('No\r\n', { headers: { 'content-type': 'text/csv' } }));
    await openApp(screenOf(owner.id));
    await press('{Control>}e{/Control}');
    await expect.poll(() => saved).toEqual(['owner_challans_report.csv']);
  });

  test('shows how far it is, is not begun twice, and can be cancelled', async () => {
    const stage = makeStage(buildChallans(7));
    const saved = watchDownloads();
    const answer = held(() => new Response('x'));
    stage.once('POST', csvPath, answer.answer);
    await openApp(screenOf(owner.id));
    await press('{Control>}e{/Control}');
    await expect.element(page.getByRole('progressbar', { name: 'CSV download' })).toBeVisible();
    await expect.element(page.getByText('0 of 7 challans (0 %)')).toBeVisible();
    await press('{Control>}e{/Control}');
    await expect.poll(toasts).toEqual(['The download is still running']);
    await userEvent.click(button('Cancel'));
    await expect.poll(toasts).toContain('CSV download cancelled');
    answer.release();
    expect(stage.asks('POST', csvPath)).toHaveLength(1);
    expect(saved).toEqual([]);
  });

  test('with no challans, or no summary, it says so and asks nothing; so does the message', async () => {
    const stage = makeStage([]);
    const tabs = watchTabs();
    await openApp(screenOf(owner.id), '.cd-grid');
    await expect.element(page.getByText('This owner has no challans yet')).toBeVisible();
    await userEvent.click(button('Download CSV'));
    await expect.poll(toasts).toEqual([nothing]);
    await userEvent.click(sendButton());
    await expect.poll(toasts).toEqual([`${nothing} (2 times)`]);
    await closeApp();

    const failing = makeStage(buildChallans(2));
    failing.once('GET', /^\/accounting\/owner/, speechless);
    await openApp(screenOf(owner.id), '[role="alert"]');
    await press('{Control>}e{/Control}');
    await expect.poll(toasts).toContain(nothing);
    expect([...stage.asks('POST', /./), ...failing.asks('POST', /./)]).toEqual([]);
    expect(tabs).toEqual([]);
  });

  test('failures: what the server says, else the default; and a file that cannot be saved', async () => {
    const stage = makeStage(buildChallans(2));
    stage.once('POST', csvPath, speechless);
    await openApp(screenOf(owner.id));
    await press('{Control>}e{/Control}');
    await expect.poll(toasts).toEqual(['Failed to download CSV']);
    stage.once('POST', csvPath, () => failure(503, 'SERVICE_UNAVAILABLE', 'The database is away'));
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
    const stage = makeStage(buildChallans(3));
    const tabs = watchTabs();
    const answer = held(() =>
      json({ success: true, data: { whatsappUrl: waLink, ownerName: 'Ravi Kumar', recordCount: 3 } }),
    );
    stage.once('POST', sharePath, answer.answer);
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
    answer.release();
    await expect.poll(toasts).toContain('CSV report sent to Ravi Kumar (3 challans)');
    expect(tabs.map(({ sentTo, closed }) => ({ sentTo, closed }))).toEqual([{ sentTo: [waLink], closed: false }]);
    expect(stage.asks('POST', sharePath)).toHaveLength(1);
    expect(stage.asks('POST', sharePath)[0]?.body).toMatchObject({
      ownerId: owner.id,
      filters: { paymentStatus: false, startDate: null, endDate: null, tagId: null },
    });
  });

  test('only https://wa.me/ is ever opened', async () => {
    const stage = makeStage(buildChallans(1));
    const tabs = watchTabs();
    const whatsappUrl = 'https://wa.me.example.com/919876543210';
    stage.once('POST', sharePath, () =>
      json({ success: true, data: { whatsappUrl, ownerName: 'Ravi Kumar', recordCount: 1 } }),
    );
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
    makeStage(buildChallans(2));
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
    const stage = makeStage(buildChallans(2));
    const tabs = watchTabs();
    const answer = held(() =>
      json({ success: true, data: { whatsappUrl: waLink, ownerName: 'Ravi Kumar', recordCount: 2 } }),
    );
    stage.once('POST', sharePath, answer.answer);
    await openApp(screenOf(owner.id));
    await userEvent.click(sendButton());
    if (tabs[0]) tabs[0].closed = true;
    answer.release();
    await expect.element(page.getByRole('link', { name: 'Open WhatsApp' })).toBeVisible();
    expect(tabs).toHaveLength(1);
  });

  test.each([
    ['NO_DATA_FOUND', () => failure(404, 'NO_DATA_FOUND', 'none'), 'No challans found for the specified criteria'],
    ['INVALID_REQUEST', () => failure(400, 'INVALID_REQUEST', 'The range is reversed'), 'The range is reversed'],
    [
      'INVALID_REQUEST without a sentence',
      () => json({ success: false, code: 'INVALID_REQUEST', requestId: 'r' }, 400),
      'Invalid request data',
    ],
    ['another error', () => failure(413, 'PAYLOAD_TOO_LARGE', 'Too many challans'), 'Too many challans'],
    ['too many reports', () => failure(429, 'TOO_MANY_REQUESTS', 'Many reports were sent.'), 'Many reports were sent.'],
    ['an error without a sentence', () => json({ success: false }, 500), 'Failed to generate CSV report'],
    ['success false', () => json({ success: false }), 'Failed to generate CSV report'],
    [
      "a proxy's page",
      () => new Response('<html>', { status: 502 }),
      'Failed to generate CSV report. Please try again.',
    ],
    [
      'no answer',
      () => Promise.reject(new TypeError('Failed to fetch')),
      'Failed to generate CSV report. Please try again.',
    ],
  ])('%s: the tab is closed and the failure told', async (name, answer, message) => {
    const stage = makeStage(buildChallans(1));
    const tabs = watchTabs();
    const hints = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    stage.once('POST', sharePath, answer);
    await openApp(screenOf(owner.id));
    await userEvent.click(sendButton());
    await expect.poll(toasts).toEqual([message]);
    expect(tabs.map(({ sentTo, closed }) => ({ sentTo, closed }))).toEqual([{ sentTo: [], closed: true }]);
    const isHinted = hints.mock.calls.some(([text]) => /reset the filters/i.test(String(text)));
    expect(isHinted).toBe(name.startsWith('INVALID_REQUEST'));
  });
});
