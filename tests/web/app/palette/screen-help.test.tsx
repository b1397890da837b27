import { afterEach, expect, test, vi } from 'vitest';
import documentText from '../../../../docs/keyboard.md?raw';
import { breakdownLines } from '../../../../src/shared/calc/challan-breakdown.ts';
import { challanFigures, derivedFields } from '../../../../src/shared/calc/challan-figures.ts';
import { statementChallanColumns } from '../../../../src/shared/columns/bank-statement-columns.ts';
import { challanColumns, ownerChallanColumns } from '../../../../src/shared/columns/challan-columns.ts';
import { fieldLabels, labelOf } from '../../../../src/web/features/challans/form/form-values.ts';
import { challansHelp, netAmount } from '../../../../src/web/features/challans/help.ts';
import type { ScreenHelp } from '../../../../src/web/kit/actions/help-text.ts';
import { accountingHelp } from '../../../../src/web/features/accounting/help.ts';
import { adminDashboardHelp } from '../../../../src/web/features/dashboard/help.ts';
import { paymentsHelp } from '../../../../src/web/features/payments/help.ts';
import { helpAt, screenHelp } from '../../../../src/web/app/palette/screen-help.ts';
import { gridColumns } from '../../../../src/web/features/challans/sheet/sheet-columns.ts';
import { allScreens } from '../../../../src/web/screens.ts';
import { buildChallans } from '../../support/builders.ts';
import { fakeServer } from '../../support/records.ts';
import { closeApp, goTo, openApp, page, press } from '../../support/screen.tsx';

/** The help of each screen: where it is shown, and that it names keys and columns that there are. */
afterEach(closeApp);

const allHelp: readonly (readonly [string, ScreenHelp])[] = [
  ...Object.entries(screenHelp),
  ['the dashboard of the admin', adminDashboardHelp],
];

const dialog = () => page.getByRole('dialog', { name: 'Help', exact: true });
const headings = (): string[] =>
  [...dialog().element().querySelectorAll('h2, h3, h4')].map(({ tagName, textContent }) => `${tagName} ${textContent}`);

test('? on the challan list says what it is for, its jobs and its words, before the keys', async () => {
  fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  await press('?');
  const help = dialog().getByRole('group', { name: 'Challans' });
  await expect.element(help).toHaveFocus();
  await expect.element(help).toHaveTextContent(challansHelp.challans.purpose);
  expect(headings().slice(0, 7)).toEqual([
    'H2 Help',
    'H3 Challans',
    'H4 Find a challan',
    'H4 Mark challans as paid',
    'H4 Change many at once',
    'H4 What the words mean',
    'H4 How the net amount is worked out',
  ]);
  const firstJob = [...help.element().querySelectorAll('ol')][0];
  expect([...(firstJob?.querySelectorAll('kbd') ?? [])].map(({ textContent }) => textContent)).toEqual([
    '/',
    '↓',
    'Enter',
    'E',
    'I',
  ]);
  const keys = dialog().getByRole('group', { name: 'Keys' });
  await expect.element(keys).toHaveTextContent('Export CSV');
  expect(help.element().compareDocumentPosition(keys.element())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('the help scrolls with the arrow keys', async () => {
  fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  await press('?');
  const help = dialog().getByRole('group', { name: 'Challans' });
  await expect.element(help).toHaveFocus();
  const body = help.element().closest('.overflow-y-auto');
  expect(body?.scrollTop).toBe(0);
  await press('{ArrowDown}');
  await vi.waitFor(() => expect(body?.scrollTop).toBeGreaterThan(0));
});

test('? on another screen shows the help of that one', async () => {
  fakeServer().serveRest();
  await openApp('/petrol-pumps', 'main h1');
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  await press('?');
  const help = dialog().getByRole('group', { name: 'Petrol Pumps' });
  await expect.element(help).toHaveTextContent(screenHelp.petrolPumps.purpose);
  expect(headings()).not.toContain('H4 How the net amount is worked out');
});

test('? in a dialog lists its keys only', async () => {
  fakeServer({ challans: buildChallans(2) });
  await openApp('/challans');
  await goTo(2);
  await press('{Enter}');
  await expect.element(page.getByRole('dialog', { name: 'Challan CH-2627-000002' })).toBeInTheDocument();
  await press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts of this dialog' });
  await expect.element(help.getByRole('group', { name: 'Keys' })).toHaveFocus();
  expect(help.getByRole('group').elements()).toHaveLength(1);
  await expect.element(help).not.toHaveTextContent(challansHelp.challans.purpose);
});

test('an address has the help of its screen; the dashboard has one for each role', () => {
  for (const screen of allScreens) {
    const path = screen.path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000001');
    expect(helpAt(path, 'subadmin')?.screen).toBe(screen);
  }
  expect(helpAt('/dashboard', 'subadmin')?.help).toBe(screenHelp.dashboard);
  expect(helpAt('/dashboard', 'admin')?.help).toBe(adminDashboardHelp);
  expect(helpAt('/nowhere', 'subadmin')).toBeUndefined();
});

const documented = new Set(
  [...documentText.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) => cell.replaceAll('\\', '').split(', ')),
);

test.each(allHelp)('%s: every key is one of docs/keyboard.md', (_, { purpose, jobs }) => {
  for (const text of [purpose, ...jobs.flatMap(({ steps }) => steps)]) {
    const parts = text.split('`');
    // Backticks come in pairs.
    expect(parts.length % 2).toBe(1);
    expect(parts.filter((part, index) => index % 2 === 1 && !documented.has(part))).toEqual([]);
  }
});

const labelsOf = (columns: readonly { label: string }[]): string[] => columns.map(({ label }) => label);
/** What the form and the sheet add to a label. */
const plain = (label: string): string => label.replace(/\s\*$/, '').replace(/ \(MT\)$/, '');
const formLabels = [...Object.values(fieldLabels), ...derivedFields.map(labelOf)].map(plain);

const ofChallans = {
  ...challansHelp,
  ownerChallans: accountingHelp.ownerChallans,
  bankStatement: paymentsHelp.bankStatement,
};

test.each<[keyof typeof ofChallans, readonly string[]]>([
  ['challans', labelsOf(challanColumns)],
  ['ownerChallans', labelsOf(ownerChallanColumns)],
  ['bankStatement', labelsOf(statementChallanColumns)],
  ['challanSheet', labelsOf(gridColumns).map(plain)],
  ['createChallan', formLabels],
  ['editChallan', formLabels],
])('%s: its words are labels of its columns or fields', (name, labels) => {
  expect(labels).toEqual(expect.arrayContaining(ofChallans[name].terms.map(([label]) => label)));
});

test('the net amount is explained line by line, as the form shows it', () => {
  const lines = breakdownLines({}, challanFigures({}));
  expect(netAmount.lines.map(([label]) => label)).toEqual(lines.map(({ label }) => label));
  const [first = '', ...deducted] = lines.filter(({ sign }) => sign !== ' ').map(({ label }) => label);
  expect(netAmount.sum).toBe(`Net Amount Payable = ${[first, ...deducted].join(' − ')}`);
});
