import { bankAnswerKeys, useBankAnswerActions } from '../../src/web/features/bank/bank-answer-actions.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import documentText from '../../docs/keyboard.md?raw';
import { useBankFileActions } from '../../src/web/features/bank/bank-file-actions.ts';
import { useBankLayoutActions } from '../../src/web/features/bank/bank-layout-actions.ts';
import { useBankStatementActions } from '../../src/web/features/payments/bank-statement-actions.ts';
import { challanFormActions } from '../../src/web/features/challans/challan-form-actions.ts';
import {
  useChallanDetailsActions,
  useChallanListActions,
} from '../../src/web/features/challans/challan-list-actions.ts';
import { useChallanSheetActions } from '../../src/web/features/challans/challan-sheet-actions.ts';
import { useDashboardActions } from '../../src/web/features/dashboard/dashboard-actions.ts';
import {
  uploadKeys,
  useHsdAcceptActions,
  useHsdActions,
  useHsdColumnsActions,
  useHsdResultActions,
  useHsdSheetActions,
  useHsdUploadActions,
} from '../../src/web/features/hsd/hsd-verification-actions.ts';
import {
  importKeys,
  useImportCheckActions,
  useImportColumnsActions,
  useImportStartActions,
} from '../../src/web/features/import/import-actions.ts';
import {
  useOwnerChallanDetailsActions,
  useOwnerChallansActions,
} from '../../src/web/features/accounting/owner-challans-actions.ts';
import { usePaymentDetailsActions } from '../../src/web/features/payments/payment-batch-actions.ts';
import { useProfileActions, useProfileFormActions } from '../../src/web/features/profile/profile-actions.ts';
import { confirmKey } from '../../src/web/kit/actions/confirm-button.tsx';
import { useRecordTabsActions } from '../../src/web/kit/actions/record-list.ts';
import { currentActions, keysOf, type Action } from '../../src/web/kit/actions/registry.ts';
import { filterKeys } from '../../src/web/features/filters/filter-panel.tsx';
import { cellKeys, headerKeys, pageKeys, rowKeys } from '../../src/web/kit/grid/grid-key-table.ts';
import { editKeys, sheetKeys } from '../../src/web/kit/grid/sheet-grid-types.ts';
import { columnKeys, columnPanelKeys } from '../../src/web/kit/grid/grid-view-panel.tsx';
import { paletteKeys } from '../../src/web/app/palette/palette.tsx';
import { formKeys } from '../../src/web/features/challans/form/field-keys.ts';
import { plotKeys } from '../../src/web/features/dashboard/plot-frame.tsx';
import { resultKeys } from '../../src/web/features/hsd/results-tab.tsx';
import { searchKeys } from '../../src/web/kit/records/search-field.tsx';
import { calendarKeys, dateKeys } from '../../src/web/kit/ui/date-field.tsx';
import { topDialog } from '../../src/web/kit/ui/dialog-stack.ts';
import { dialogKeys } from '../../src/web/kit/ui/dialog.tsx';
import { keyList, type KeyTable } from '../../src/web/kit/ui/key-table.ts';
import { selectKeys } from '../../src/web/kit/ui/select-field.tsx';
import { tabKeys } from '../../src/web/kit/ui/tabs.tsx';
import { pickerKeys } from '../../src/web/kit/ui/use-picker.ts';
import { cellEditKeys } from '../../src/web/features/master-data/cell-editor.tsx';
import { subadminsOf } from './support/builders.ts';
import { fakeServer } from './support/records.ts';
import { closeApp, openApp, press } from './support/screen.tsx';

/**
 * docs/keyboard.md lists the keys that the handlers dispatch on, no more and no fewer: its tables are compared with the
 * tables of the parts and with what the screens register.
 */
type Keys = readonly string[];

const ofTables = (...tables: KeyTable[]): Keys => tables.flatMap((table) => Object.values(table).flatMap(keyList));

/** The keys in the first column of the tables under this heading. */
function listed(heading: string): Keys {
  const [, below = ''] = documentText.split(new RegExp(`^#{2,3} ${heading}$`, 'm'));
  const [section = ''] = below.split(/^#{2,3} /m);
  return [...section.matchAll(/^\| (.*?) +\|/gm)]
    .map(([, cell = '']) => cell.replaceAll('\\', ''))
    .filter((cell) => cell !== 'Key' && !/^-{2,}$/.test(cell))
    .flatMap((cell) => cell.split(', '));
}

const sorted = (keys: Keys): Keys => [...new Set(keys)].toSorted();

/** Commands whose every function does nothing and whose every reason is absent. */
const stub = new Proxy({}, { get: () => () => undefined }) as never;
/** As above, with a selection: Escape has something to clear only then. */
const selected = new Proxy({}, { get: (_, name) => (name === 'clearReason' ? undefined : () => undefined) }) as never;

/** What these hooks register. */
function registered(...hooks: (() => unknown)[]): Keys {
  function Screen() {
    for (const use of hooks) use();
    return null;
  }
  render(<Screen />);
  const keys = currentActions(undefined).flatMap(keysOf);
  cleanup();
  return keys;
}

const isOfShell = ({ scope }: Action): boolean => scope === 'Everywhere' || scope === 'Go to';

/** What the open screen or dialog registers, without the keys that work everywhere. */
const ownKeys = (): Keys =>
  currentActions(topDialog())
    .filter((action) => !isOfShell(action))
    .flatMap(keysOf);

async function open(path: string, role: 'admin' | 'subadmin' = 'subadmin'): Promise<void> {
  fakeServer({ subadmins: subadminsOf(1) }).serveRest();
  await openApp(path, 'main h1', role);
}

async function ownKeysOf(path: string, role?: 'admin'): Promise<Keys> {
  await open(path, role);
  await vi.waitFor(() => expect(ownKeys()).not.toEqual([]));
  const keys = ownKeys();
  await closeApp();
  return keys;
}

afterEach(closeApp);

test('everywhere', async () => {
  const keys: string[] = [];
  for (const role of ['admin', 'subadmin'] as const) {
    await open('/dashboard', role);
    await vi.waitFor(() => expect(currentActions(undefined).some(({ id }) => id === 'shell.help')).toBe(true));
    keys.push(...currentActions(undefined).filter(isOfShell).flatMap(keysOf));
    await closeApp();
  }
  expect(sorted(listed('2\\. Everywhere'))).toEqual(sorted(keys));
});

test('dialogs and tabs', async () => {
  await open('/petrol-pumps');
  await press('n');
  await vi.waitFor(() => expect(ownKeys()).toContain('Ctrl+S'));
  const saving = ownKeys();
  await closeApp();
  const keys = [...saving, ...registered(() => useRecordTabsActions(stub)), ...ofTables(dialogKeys, tabKeys)];
  expect(sorted(listed('Dialogs and tabs'))).toEqual(sorted(keys));
});

test('master data', async () => {
  const keys: string[] = [];
  for (const path of ['/owners', '/trucks', '/tags', '/petrol-pumps', '/owners/copy', '/profile/bank-accounts']) {
    keys.push(...(await ownKeysOf(path)));
  }
  keys.push(...(await ownKeysOf('/admin/subadmins', 'admin')));
  // The key of a card of Copy Owners belongs to its dialog.
  await expect.poll(() => sorted(listed('4\\. Master data'))).toEqual(sorted([...keys, 'S']));
});

test('past imports', async () => {
  expect(await ownKeysOf('/import/past')).toEqual(['U']);
});

test('the entry sheet', () => {
  const keys = [...registered(() => useChallanSheetActions(stub)), ...ofTables(sheetKeys, editKeys)];
  expect(sorted(listed('Entry sheet'))).toEqual(sorted(keys));
});

test('accounting and shared reports', async () => {
  expect(sorted(listed('Accounting'))).toEqual(sorted(await ownKeysOf('/accounting')));
  const reports = await ownKeysOf('/accounting/shared-reports');
  const payments = [...(await ownKeysOf('/accounting/payments')), ...registered(() => usePaymentDetailsActions(stub))];
  expect(sorted(listed('Payments and shared reports'))).toEqual(sorted([...payments, ...reports]));
});

test('the TDS register', async () => {
  const keys = [...(await ownKeysOf('/accounting/tds')), ...(await ownKeysOf('/accounting/tds/deductions'))];
  expect(sorted(listed('TDS register'))).toEqual(sorted(keys));
});

test('bank layouts', () => {
  expect(sorted(listed('Bank layouts'))).toEqual(sorted(registered(() => useBankLayoutActions(stub))));
});

test('bank files', async () => {
  const keys = [...(await ownKeysOf('/accounting/bank-files')), ...registered(() => useBankFileActions(stub))];
  expect(sorted(listed('Bank files'))).toEqual(sorted(keys));
});

test.each<[string, () => Keys]>([
  ['3\\. Grids', () => ofTables(rowKeys, headerKeys, cellKeys, pageKeys.plain, pageKeys.shifted)],
  ['Cells', () => ofTables(cellEditKeys)],
  ['Palette', () => ofTables(paletteKeys)],
  ['Columns', () => ofTables(columnKeys, columnPanelKeys)],
  ['Search and filters', () => ofTables(searchKeys, filterKeys)],
  [
    '5\\. Challan list and details',
    () => [...registered(() => useChallanListActions(stub)), ...registered(() => useChallanDetailsActions(stub))],
  ],
  [
    '6\\. Challan form',
    () => [
      ...ofTables(formKeys),
      ...(['create', 'edit'] as const).flatMap((mode) =>
        challanFormActions({ ...({} as Parameters<typeof challanFormActions>[0]), mode }).all.flatMap(keysOf),
      ),
    ],
  ],
  ['Dates', () => ofTables(dateKeys)],
  ['Calendar', () => ofTables(calendarKeys)],
  ['Selects', () => ofTables(selectKeys)],
  ['Pickers', () => ofTables(pickerKeys)],
  [
    'Owner challans',
    () => [
      ...registered(() => useOwnerChallansActions(stub)),
      ...registered(() => useOwnerChallanDetailsActions(stub)),
    ],
  ],
  ['Bank statement', () => [...registered(() => useBankStatementActions(selected)), confirmKey]],
  [
    '9\\. HSD verification',
    () => [
      ...registered(
        () => useHsdActions(stub),
        () => useHsdUploadActions(() => undefined),
        () => useHsdResultActions(stub),
        () => useHsdAcceptActions(stub),
        () => useHsdSheetActions(stub),
      ),
      ...registered(() => useHsdColumnsActions(stub)),
      ...ofTables(uploadKeys, resultKeys),
    ],
  ],
  [
    '11\\. Import',
    () => [
      ...registered(() => useImportStartActions(stub)),
      ...registered(() => useImportColumnsActions(stub)),
      ...registered(() => useImportCheckActions(stub)),
      ...ofTables(importKeys),
    ],
  ],
  ['12\\. Back from the bank', () => [...registered(() => useBankAnswerActions(stub)), ...ofTables(bankAnswerKeys)]],
  ['Dashboard', () => [...registered(() => useDashboardActions(stub)), ...ofTables(plotKeys)]],
  ['Profile', () => [...registered(() => useProfileActions(stub)), ...registered(() => useProfileFormActions(stub))]],
])('%s', (heading, keys) => {
  expect(sorted(listed(heading))).toEqual(sorted(keys()));
});
