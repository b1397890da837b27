import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { challanSortKeys } from '../../../src/shared/contract/challan-fields.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { selectStandingAnswers } from '../../../src/server/features/bank/bank-answers.queries.ts';
import { lockOwnerHolds } from '../../../src/server/features/challans/holds.queries.ts';
import { foldTotals, selectTenantsToFold } from '../../../src/server/features/system/maintenance.queries.ts';
import { withGlobal } from '../../../src/server/db/tenant.ts';
import { projectRoot } from '../../../src/tasks/run.ts';
import { startApi, type Api } from '../support/api.ts';
import { statementFiles } from '../support/statement-files.ts';
import { presentRows, type TableRow } from '../support/endpoint-table.ts';
import { createOwner } from '../support/builders.ts';
import { csvOf, uploadFile } from '../support/hsd-desk.ts';
import { addPerson } from '../support/people.ts';
import { buildScene } from '../support/scene.ts';
import { turnOnSecondStep, waitForCode } from '../support/second-step.ts';
import { openLink, sendReport } from '../support/shared-link.ts';

/**
 * SQL is text, so the compiler cannot check it. This test sends every named statement of the product to the migrated
 * database: each call of the contract, each sort key of each list, and the work that runs without a call.
 */
let api: Api;
/** Name of a prepared statement → its texts. */
const sent = new Map<string, Set<string>>();

function recordStatements(): void {
  const query = Client.prototype.query as (this: unknown, ...args: unknown[]) => unknown;
  vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: unknown, ...args: unknown[]) {
    const [statement] = args as [{ text?: string; name?: string }];
    // Without the mark of the process.
    const name = statement.name?.split(' ')[0];
    if (name) sent.set(name, (sent.get(name) ?? new Set()).add(statement.text ?? ''));
    return query.apply(this, args);
    // The overloads of pg's query are one function.
  } as never);
}

/** They take several sort keys with commas, which is no choice of words. */
const ofChallans: ReadonlySet<unknown> = new Set([contract.challans.list, contract.accounting.getOwnerSummary]);

/** The values a query parameter may take; empty when it is no choice of words. */
function choicesOf(endpoint: TableRow['endpoint'], parameter: string): string[] {
  if (parameter === 'sortBy' && ofChallans.has(endpoint))
    return [...challanSortKeys, challanSortKeys.slice(0, 3).join()];
  if (parameter === 'sortOrder' && ofChallans.has(endpoint)) return ['asc', 'desc'];
  const shape = (endpoint.query as z.ZodObject | undefined)?.shape[parameter] as z.ZodType | undefined;
  let inner = shape;
  while (inner && 'innerType' in inner.def) inner = inner.def.innerType as z.ZodType;
  return inner && 'entries' in inner.def ? Object.values(inner.def.entries as Record<string, string>) : [];
}

async function runEveryCall(row: TableRow): Promise<void> {
  const { tenant, refs } = await buildScene(api, row.name);
  // The calls that end the admin's own session are the same statements for a sub-admin.
  if (row.endpoint.resource !== 'session') {
    await api.call(row.endpoint, row.cell.args(refs), { token: api.adminToken });
  }
  for (const sortBy of choicesOf(row.endpoint, 'sortBy')) {
    for (const sortOrder of choicesOf(row.endpoint, 'sortOrder')) {
      for (const search of [{}, { search: 'OD' }]) {
        const query = { ...row.cell.args(refs).query, ...search, sortBy, sortOrder };
        await api.call(row.endpoint, { ...row.cell.args(refs), query }, { token: tenant.token });
      }
    }
  }
  await api.call(row.endpoint, row.cell.args(refs), { token: tenant.token });
}

/** What no single call with a table's arguments reaches. */
async function runTheRest(): Promise<void> {
  const { tenant, refs } = await buildScene(api, 'the rest');
  const other = await api.addTenant('another business');
  const owner = await createOwner(api, other);
  await api.call(contract.owners.copy, { body: { ownerIds: [owner.id] } }, { token: tenant.token });
  await uploadFile(api, tenant, 'bill.csv', csvOf([['TP-1', '900.00']]));
  const near = { detail: 'true' };
  await uploadFile(api, tenant, 'bill.csv', csvOf([['the rest challanTP-00', '1.00']]), near);
  const choice = { petrolPumpId: refs.pumpId, headingRow: 0, tpColumn: 1, amountColumn: 2 };
  await uploadFile(api, tenant, 'bill.csv', 'TP-1,900.00', choice);
  await addPerson(api, tenant, 'clerk');
  const edit = { params: { id: refs.challanId }, body: { tdsPercentage: '1.5' } };
  await api.call(contract.challans.update, edit, { token: tenant.token });
  const { token } = await sendReport(api, tenant, refs.ownerId);
  for (const part of ['', '/page']) await openLink(api, `${token}${part}`);
  await api.call(contract.palette.search, { query: { search: 'SBIN123456789' } }, { token: tenant.token });
  const days = { depositedStartDate: '2026-04-01', depositedEndDate: '2026-04-30' };
  const ofOwner = { query: { ownerId: refs.ownerId, ...days } };
  await api.call(contract.accounting.getOwnerSummary, ofOwner, { token: tenant.token });
  for (const sortOrder of ['asc', 'desc'] as const) {
    const farPage = { query: { page: 1_000, limit: 100, sortOrder } };
    await api.call(contract.challans.list, farPage, { token: tenant.token });
  }
  const named = { key: 'a', ownerName: 'the rest owner', tagName: 'the rest tag', petrolPumpName: 'the rest pump' };
  await api.call(contract.challans.checkSheet, { body: { rows: [named] } }, { token: tenant.token });
  await api.call(contract.preferences.put, { body: { key: 'views:challans', value: null } }, { token: tenant.token });
  const selection = { by: 'ids' as const, challanIds: [refs.challanId] };
  const body = { selection, act: { kind: 'paid' as const, value: true } };
  await api.call(contract.challans.previewMany, { body }, { token: tenant.token });
  // A layout is deleted when no account uses it any more.
  const layout = { params: { id: refs.bankLayoutId } };
  const account = { params: { id: refs.bankAccountId }, body: { layout: 'A' } };
  await api.call(contract.bankAccounts.update, account, { token: tenant.token });
  await api.call(contract.bankLayouts.remove, layout, { token: tenant.token });
  for (const paymentStatus of [true, false, true, false]) {
    const checkbox = { params: { id: refs.challanId }, body: { paymentStatus } };
    await api.call(contract.challans.update, checkbox, { token: tenant.token });
  }
  // Above the limit of a day, and a looser rule that waits.
  const day = { aboveOne: null, aboveDay: '1.00', accountantUpTo: null };
  for (const body of [day, { ...day, aboveDay: null }])
    await api.call(contract.preparedPayments.setRule, { body }, { token: tenant.token });
  await api.call(contract.bankStatement.markPaid, { body: { challanIds: [refs.challanId] } }, { token: tenant.token });
  const { recoveryCodes } = await turnOnSecondStep(api, tenant);
  const [first = '', second = ''] = recoveryCodes;
  const waiting = { token: await waitForCode(api, tenant), code: first };
  await api.call(contract.secondStep.signInSubadmin, { body: waiting });
  await api.call(contract.secondStep.confirmAgain, { body: { code: second } }, { token: tenant.token });
  await api.call(contract.session.signIns, {}, { token: api.adminToken });
  await withGlobal(api.pools.main, 'read', (db) => selectTenantsToFold(db, 1));
  await api.inTenant(tenant, async (db) => {
    await foldTotals(db, db.tenantId);
    // Of challans that are created as paid, and of lines that the bank has answered.
    await lockOwnerHolds(db, [refs.ownerId]);
    await selectStandingAnswers(db, [{ fileId: refs.bankFileId, lineNo: 1 }]);
  });
}

/** Names as the source writes them; one that is built from a variable counts as reached when any of its forms was. */
const named = statementFiles().flatMap((file) =>
  [
    ...readFileSync(path.join(projectRoot, file), 'utf8').matchAll(/^\s+(?:'([a-z]+(?:-[a-z]+)+)'|`([^`\s]+)`),?$/gm),
  ].map(([, plain, built]) => ({ file, name: plain ?? built ?? '' })),
);
const wasSent = (name: string): boolean => {
  const form = new RegExp(`^${name.replace(/\$\{[^}]*\}/g, '.*')}$`);
  return [...sent.keys()].some((key) => form.test(key));
};

beforeAll(async () => {
  api = await startApi();
  recordStatements();
  for (const row of presentRows) await runEveryCall(row);
  await runTheRest();
}, 600_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await api.close();
});

describe('the prepared statements', () => {
  it('are all understood by the migrated database: each name in queries was sent', () => {
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter(({ name }) => !wasSent(name))).toEqual([]);
  });

  it('have one text for each name, for a connection prepares a name once', () => {
    expect(sent.size).toBeGreaterThan(60);
    expect([...sent].filter(([, texts]) => texts.size > 1).map(([name]) => name)).toEqual([]);
  });
});
