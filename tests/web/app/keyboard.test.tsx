import {
  bankAnswerCommands,
  bankAnswerKeys,
  statementCommands,
} from '../../../src/web/features/bank/bank-answer-actions.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { challanGroupsCommands } from '../../../src/web/features/challans/challan-groups-actions.ts';
import documentText from '../../../docs/keyboard.md?raw';
import { bankLayoutCommands } from '../../../src/web/features/bank/bank-layout-actions.ts';
import { bankStatementCommands } from '../../../src/web/features/payments/bank-statement-actions.ts';
import { challanFormCommands } from '../../../src/web/features/challans/challan-form-actions.ts';
import {
  challanDetailsCommands,
  challanListCommands,
} from '../../../src/web/features/challans/challan-list-actions.ts';
import { challanSheetCommands } from '../../../src/web/features/challans/challan-sheet-actions.ts';
import { dashboardCommands } from '../../../src/web/features/dashboard/dashboard-actions.ts';
import {
  hsdAcceptCommands,
  hsdColumnsCommands,
  hsdCommands,
  hsdResultCommands,
  hsdSheetCommands,
  hsdUploadCommands,
  uploadKeys,
} from '../../../src/web/features/hsd/hsd-verification-actions.ts';
import {
  importCheckCommands,
  importColumnsCommands,
  importKeys,
  importStartCommands,
} from '../../../src/web/features/import/import-actions.ts';
import {
  ownerChallanDetailsCommands,
  ownerChallansCommands,
} from '../../../src/web/features/accounting/owner-challans-actions.ts';
import { ownerStatementCommands } from '../../../src/web/features/accounting/owner-statement-actions.ts';
import { useReadMastersAction } from '../../../src/web/features/accounting/use-tally-file.tsx';
import { bankFileCommands, paymentDetailsCommands } from '../../../src/web/features/payments/payment-batch-actions.ts';
import { profileCommands, profileFormCommands } from '../../../src/web/features/profile/profile-actions.ts';
import { confirmKey } from '../../../src/web/kit/actions/confirm-button.tsx';
import { recordTabsCommands } from '../../../src/web/kit/actions/record-list.ts';
import { useTableFiles } from '../../../src/web/kit/feedback/table-files.tsx';
import { currentActions, type Action, type Command } from '../../../src/web/kit/actions/registry.ts';
import { filterKeys } from '../../../src/web/features/filters/filter-panel.tsx';
import { cellKeys, headerKeys, pageKeys, rowKeys } from '../../../src/web/kit/grid/grid-key-table.ts';
import { editKeys, sheetKeys } from '../../../src/web/kit/grid/sheet-grid-types.ts';
import { columnKeys, columnPanelKeys } from '../../../src/web/kit/grid/grid-view-panel.tsx';
import { paletteKeys } from '../../../src/web/app/palette/palette.tsx';
import { formKeys } from '../../../src/web/features/challans/form/field-keys.ts';
import { plotKeys } from '../../../src/web/features/dashboard/plot-frame.tsx';
import { resultKeys } from '../../../src/web/features/hsd/results-tab.tsx';
import { besideCommands } from '../../../src/web/kit/records/beside-panel.tsx';
import { searchKeys } from '../../../src/web/kit/records/search-field.tsx';
import { calendarKeys, dateKeys } from '../../../src/web/kit/ui/date-field.tsx';
import { topDialog } from '../../../src/web/kit/ui/dialog-stack.ts';
import { dialogKeys } from '../../../src/web/kit/ui/dialog.tsx';
import { keyList, type KeyTable } from '../../../src/web/kit/ui/key-table.ts';
import { selectKeys } from '../../../src/web/kit/ui/select-field.tsx';
import { tabKeys } from '../../../src/web/kit/ui/tabs.tsx';
import { pickerKeys } from '../../../src/web/kit/ui/use-picker.ts';
import { cellEditKeys } from '../../../src/web/features/master-data/cell-editor.tsx';
import { subadminsOf } from '../support/builders.ts';
import { fakeServer } from '../support/records.ts';
import { closeApp, openApp, press } from '../support/screen.tsx';

/**
 * The tables of docs/keyboard.md are written from the tables that the handlers dispatch on and from what the screens register, so
 * they have these keys, no more and no fewer. A heading that is not in `sections` keeps what is written below it by hand. After a
 * change of a key: `npx vitest run --project web tests/web/keyboard.test.tsx -u`.
 */
interface Row {
  keys: readonly string[];
  label: string;
}

const ofTables = (...tables: KeyTable[]): Row[] =>
  tables.flatMap((table) => Object.values(table).map((entry) => ({ keys: keyList(entry), label: entry.label })));

const ofActions = (actions: readonly Command[]): Row[] =>
  actions.map((action) => ({ keys: keyList(action), label: action.label }));
const ofCommands = (...tables: Readonly<Record<string, Command>>[]): Row[] =>
  tables.flatMap((table) => ofActions(Object.values(table)));

/** What these hooks register. */
function registered(...hooks: (() => unknown)[]): Row[] {
  function Screen() {
    for (const use of hooks) use();
    return null;
  }
  render(<Screen />);
  const rows = ofActions(currentActions(undefined));
  cleanup();
  return rows;
}

/** The files of a table, which its screen registers beside its own commands. */
const tableFiles =
  (verb: 'Export' | 'Download' = 'Download') =>
  (): unknown =>
    useTableFiles({ scope: 'Files', id: 'files', verb, total: 0, fallbackName: '', get: () => Promise.reject() });

/** The keys of the details beside a list are loaded after its screen. */
const isOfShell = ({ scope }: Action): boolean =>
  scope === 'Everywhere' || scope === 'Go to' || scope === 'Details beside the list';

/** What the open screen or dialog registers, without the keys that work everywhere. */
const ownRows = (): Row[] => ofActions(currentActions(topDialog()).filter((action) => !isOfShell(action)));

async function open(path: string, role: 'admin' | 'subadmin' = 'subadmin'): Promise<void> {
  fakeServer({ subadmins: subadminsOf(1) }).serveRest();
  await openApp(path, 'main h1', role);
}

async function ownRowsOf(path: string, role?: 'admin'): Promise<Row[]> {
  await open(path, role);
  await vi.waitFor(() => expect(ownRows()).not.toEqual([]));
  const rows = ownRows();
  await closeApp();
  return rows;
}

async function ofScreens(...paths: string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const path of paths) rows.push(...(await ownRowsOf(path)));
  return rows;
}

async function ofShell(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const role of ['admin', 'subadmin'] as const) {
    await open('/dashboard', role);
    await vi.waitFor(() => expect(currentActions(undefined).some(({ id }) => id === 'shell.help')).toBe(true));
    rows.push(...ofActions(currentActions(undefined).filter(isOfShell)));
    await closeApp();
  }
  return rows;
}

async function ofDialogs(): Promise<Row[]> {
  await open('/petrol-pumps');
  await press('n');
  await vi.waitFor(() => expect(ownRows().flatMap(({ keys }) => keys)).toContain('Ctrl+S'));
  const saving = ownRows().map(({ keys }) => ({
    keys,
    label: 'Save; Ctrl+Enter also answers a question with its act',
  }));
  await closeApp();
  return [...saving, ...ofCommands(recordTabsCommands), ...ofTables(dialogKeys, tabKeys)];
}

const masterData = ['/owners', '/trucks', '/tags', '/petrol-pumps', '/owners/copy', '/profile/bank-accounts'];

const sections: Readonly<Record<string, () => Row[] | Promise<Row[]>>> = {
  '2. Everywhere': ofShell,
  'Dialogs and tabs': ofDialogs,
  Palette: () => ofTables(paletteKeys),
  '3. Grids': () => ofTables(rowKeys, headerKeys, cellKeys, pageKeys.plain, pageKeys.shifted),
  Cells: () => ofTables(cellEditKeys),
  'Details beside the list': () => ofCommands(besideCommands),
  Columns: () => ofTables(columnKeys, columnPanelKeys),
  'Search and filters': () => ofTables(searchKeys, filterKeys),
  '4. Master data': async () => [
    ...(await ofScreens(...masterData)),
    ...(await ownRowsOf('/admin/subadmins', 'admin')),
    // The key of a card of Copy Owners belongs to its dialog.
    { keys: ['S'], label: "Copy Owners, in an owner's details: select it or remove it from the selection" },
  ],
  '5. Challan list and details': () => [
    ...registered(tableFiles('Export')),
    ...ofCommands(challanListCommands, challanDetailsCommands),
  ],
  'Groups of challans': () => [...registered(tableFiles('Export')), ...ofCommands(challanGroupsCommands)],
  '6. Challan form': () => [
    ...ofTables(formKeys),
    ...(['create', 'edit'] as const).flatMap((mode) => {
      // It has the keys of saving while duplicates are shown.
      const { saveAnyway: _, ...commands } = challanFormCommands(mode);
      return ofCommands(commands);
    }),
  ],
  'Entry sheet': () => [...ofCommands(challanSheetCommands), ...ofTables(sheetKeys, editKeys)],
  Dates: () => ofTables(dateKeys),
  Calendar: () => ofTables(calendarKeys),
  Selects: () => ofTables(selectKeys),
  Pickers: () => ofTables(pickerKeys),
  Accounting: () => ofScreens('/accounting'),
  'Owner challans': () => [
    ...registered(tableFiles()),
    ...ofCommands(ownerChallansCommands, ownerChallanDetailsCommands),
  ],
  'Owner statement': () => ofCommands(ownerStatementCommands),
  'Bank statement': () => [
    ...registered(tableFiles()),
    ...ofCommands(bankStatementCommands),
    { keys: [confirmKey], label: 'Confirm the step' },
  ],
  'Payments and shared reports': async () => [
    ...(await ofScreens('/accounting/payments')),
    ...ofCommands(paymentDetailsCommands),
    ...(await ofScreens('/accounting/shared-reports')),
  ],
  'TDS register': () => ofScreens('/accounting/tds', '/accounting/tds/deductions', '/accounting/tds/deposits'),
  'Close the month': () => ofScreens('/accounting/close'),
  Tally: async () => [
    ...(await ofScreens('/accounting/tally', '/accounting/tally/changed')),
    ...registered(() => useReadMastersAction(() => undefined)),
  ],
  'Bank layouts': () => ofCommands(bankLayoutCommands),
  'Bank files': async () => [...(await ofScreens('/accounting/bank-files')), ...ofCommands(bankFileCommands)],
  '9. HSD verification': () => [
    ...ofCommands(hsdSheetCommands, hsdAcceptCommands, hsdResultCommands, hsdUploadCommands, hsdCommands),
    ...ofCommands(hsdColumnsCommands),
    ...ofTables(uploadKeys, resultKeys),
  ],
  Dashboard: () => [...ofCommands(dashboardCommands), ...ofTables(plotKeys)],
  Profile: () => ofCommands(profileCommands, profileFormCommands),
  'People and activity': () => ofScreens('/profile/people', '/profile/activity'),
  '11. Import': async () => [
    ...ofCommands(importStartCommands, importColumnsCommands, importCheckCommands),
    ...ofTables(importKeys),
    ...(await ofScreens('/import/past')),
  ],
  '12. Back from the bank': () => [...ofCommands(bankAnswerCommands, statementCommands), ...ofTables(bankAnswerKeys)],
};

/** Labels of one key. More than two that begin alike say it once: Edit owner, truck, tag. */
function together(labels: readonly string[]): string {
  const begin = / (?:the selected )?/.exec(labels[0] ?? '');
  const same = labels[0]?.slice(0, begin ? begin.index + begin[0].length : 0) ?? '';
  if (labels.length < 3 || same === '' || !labels.every((label) => label.startsWith(same))) return labels.join(' · ');
  return labels.map((label, at) => (at === 0 ? label : label.slice(same.length))).join(', ');
}

/** The table of these rows. What has the same label, or the same keys, is one row. */
function tableOf(rows: readonly Row[]): string {
  const keysOfLabel = Map.groupBy(
    rows.filter(({ keys }) => keys.length > 0),
    ({ label }) => label.replace(/ \(\d+\)$/, ''),
  );
  const labelsOfKeys = Map.groupBy(keysOfLabel, ([, same]) =>
    [...new Set(same.flatMap(({ keys }) => keys))].join(', '),
  );
  const lines = [...labelsOfKeys].map(
    ([keys, same]) => `| ${keys.replaceAll('*', '\\*')} | ${together(same.map(([label]) => label))} |`,
  );
  return ['| Key | What it does |', '| --- | --- |', ...lines].join('\n');
}

/** The text with the first table below each of these headings replaced. */
async function withTables(text: string): Promise<string> {
  const parts = text.split(/^(?=#{2,3} )/m);
  const unknown = new Set(Object.keys(sections));
  const written = [];
  for (const part of parts) {
    const heading = /^#{2,3} (.*)/.exec(part)?.[1] ?? '';
    const rows = await sections[heading]?.();
    unknown.delete(heading);
    written.push(rows ? part.replace(/(?:^\|.*\n)+/m, () => `${tableOf(rows)}\n`) : part);
  }
  expect([...unknown]).toEqual([]);
  return written.join('');
}

afterEach(closeApp);

test('docs/keyboard.md lists the keys that the handlers dispatch on', { timeout: 120_000 }, async () => {
  await expect(await withTables(documentText)).toMatchFileSnapshot('../../../docs/keyboard.md');
});
