import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { TenantDb } from '../../../src/server/db/tenant.ts';
import { insertMonthPack, selectLastPack } from '../../../src/server/features/accounting/month-packs.queries.ts';
import { insertBillRows } from '../../../src/server/features/hsd/hsd-bills.queries.ts';
import { insertUpload } from '../../../src/server/features/hsd/hsd-verification.queries.ts';
import { preparePayment } from '../../../src/server/features/payments/prepared-payments.service.ts';
import { recordBatch } from '../../../src/server/features/batches/batches.service.ts';
import { takeMonthPackNumber } from '../../../src/server/sql/counters.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { daysOfMonth } from '../../../src/shared/contract/month-packs.ts';
import { callerOf, type Api, type Tenant } from './api.ts';
import {
  buildAnswer,
  buildBankLayout,
  buildStatement,
  buildTallySettings,
  createBankAccount,
  createDeclaration,
  createTdsDeposit,
  createOwner,
  createPump,
  createTag,
  createTruck,
  liftLock,
  lockPeriod,
} from './builders.ts';
import { unknownId } from './expect.ts';
import { insertChallans, type TestChallan } from './ledger.ts';
import { seatPerson } from './people.ts';
import { asSchemaOwner } from './tables.ts';

/** Ids that a call may name: one of each kind, as one account has them. */
export interface Refs {
  /** Named by challans; has a truck. */
  ownerId: string;
  /** Named by nothing. */
  freeOwnerId: string;
  truckId: string;
  truckNumber: string;
  tagId: string;
  freeTagId: string;
  pumpId: string;
  /** Unpaid, with a petrol pump. */
  challanId: string;
  paidChallanId: string;
  batchId: string;
  /** A batch that made the free tag. */
  tagBatchId: string;
  /** A report shared by link, still good. */
  reportId: string;
  /** Of the owner, for another year than that of the challans. */
  declarationId: string;
  /** For what was deducted today. */
  tdsDepositId: string;
  bankAccountId: string;
  /** Used by the account. */
  bankLayoutId: string;
  /** Of the payment; withdrawn again, so that the payment can be reversed. */
  bankFileId: string;
  /** Undone. */
  bankAnswerId: string;
  /** Open, and none of the file's. */
  statementLineId: string;
  /** The owner's, printed. */
  statementId: string;
  /** A pump's bill whose row 2 differs from the challan. */
  hsdUploadId: string;
  /** An account a sub-admin does not get to see: the admin's business. */
  accountId: string;
  /** Another one of the account, beside the one that calls. */
  sessionId: string;
  /** Invited into the business. */
  personId: string;
  /** Prepared by another owner of the business, and by the one that calls. */
  preparedId: string;
  ownPreparedId: string;
  /** Its account was changed by another owner of the business, to one that ends with 1111. */
  changedOwnerId: string;
  tallyExportId: string;
  monthPackId: string;
}

export const unknownRefs: Refs = {
  ownerId: unknownId,
  freeOwnerId: unknownId,
  truckId: unknownId,
  truckNumber: 'ZZ 00 ZZ 0000',
  tagId: unknownId,
  freeTagId: unknownId,
  pumpId: unknownId,
  challanId: unknownId,
  paidChallanId: unknownId,
  batchId: unknownId,
  tagBatchId: unknownId,
  reportId: unknownId,
  declarationId: unknownId,
  tdsDepositId: unknownId,
  bankAccountId: unknownId,
  bankLayoutId: unknownId,
  bankFileId: unknownId,
  bankAnswerId: unknownId,
  statementLineId: unknownId,
  statementId: unknownId,
  hsdUploadId: unknownId,
  accountId: unknownId,
  sessionId: unknownId,
  personId: unknownId,
  preparedId: unknownId,
  ownPreparedId: unknownId,
  changedOwnerId: unknownId,
  tallyExportId: unknownId,
  monthPackId: unknownId,
};

export interface Scene {
  tenant: Tenant;
  refs: Refs;
  /** What of this account only it may ever see: words, numbers and amounts that exist nowhere else. */
  secrets: string[];
  /** What the system-wide owner list shows of it on purpose (docs/specification.md §6.5). */
  shown: string[];
}

/** Without the sign-in: checking a password takes as long as ten other calls. */
async function openAnotherSession(api: Api, { id, token }: Tenant): Promise<string> {
  await asSchemaOwner(api, (client) =>
    client.query(
      `INSERT INTO sessions (token_hash, account_id, session_epoch, expires_at)
       SELECT $2, id, session_epoch, now() + interval '8 hours' FROM accounts WHERE id = $1`,
      [id, randomBytes(32)],
    ),
  );
  const sessions = (await api.call(contract.session.list, {}, { token })).body.data;
  const other = sessions.find(({ isCurrent }) => !isCurrent);
  if (!other) throw new Error('The other session of the scene is not open');
  return other.id;
}

/** A business with one of everything, each string of it marked with `word`. */
export async function buildScene(api: Api, word: string, tenant?: Tenant): Promise<Scene> {
  const business = tenant ?? (await api.addTenant(`${word} banner`));
  const owner = await createOwner(api, business, {
    name: `${word} owner`,
    address: `${word} owner address`,
    branchName: `${word} owner branch`,
  });
  const freeOwner = await createOwner(api, business, { name: `${word} owner free` });
  const truck = await createTruck(api, business, owner.id, { typeOfVehicle: `${word} truck` });
  const tag = await createTag(api, business, { name: `${word} tag`, description: `${word} tag description` });
  const freeTag = await createTag(api, business, { name: `${word} tag free` });
  const pump = await createPump(api, business, { name: `${word} pump`, address: `${word} pump address` });
  const [challan, paidChallan] = await insertMarkedChallans(api, business, word, {
    ownerId: owner.id,
    tagId: tag.id,
    pumpId: pump.id,
  });
  const paid = await api.call(
    contract.bankStatement.markPaid,
    { body: { challanIds: [paidChallan.id] } },
    { token: business.token, key: `${word} key` },
  );
  const batchId = paid.body.data.batchId;
  if (batchId === null) throw new Error('The payment of the scene has a batch');
  const auth = { token: business.token };
  const layout = await api.call(contract.bankLayouts.create, { body: buildBankLayout(`${word} layout`) }, auth);
  const bankLayoutId = layout.body.data.id;
  const account = await createBankAccount(api, business, { name: `${word} bank`, layout: bankLayoutId });
  const bankFile = await api.call(
    contract.bankFiles.create,
    {
      body: {
        batchIds: [batchId],
        bankAccountId: account.id,
        layoutId: bankLayoutId,
        valueOn: '2026-04-20',
        lines: [{ batchId, ownerId: owner.id, amount: paidChallan.net, route: 'NEFT' }],
      },
    },
    { ...auth, key: `${word} file` },
  );
  if (bankFile.status !== 201) throw new Error(`The bank file of the scene: ${bankFile.text}`);
  const bankFileId = bankFile.body.data.id;
  // Answered and opened again; a line of a statement that nobody has looked at.
  const answered = await api.call(contract.bankAnswers.accept, { body: buildAnswer(bankFileId) }, auth);
  const bankAnswerId = answered.body.data.id;
  await api.call(contract.bankAnswers.undo, { params: { id: bankAnswerId } }, auth);
  const rows = buildStatement(`${word} rent`);
  const bankAccountId = account.id;
  await api.call(
    contract.bankAnswers.importStatement,
    { body: { bankAccountId, fileName: `${word} april.csv`, rows } },
    auth,
  );
  const open = await api.call(contract.bankAnswers.proposals, { query: { bankAccountId } }, auth);
  const statementLineId = open.body.data[0]?.statementLine?.id;
  if (statementLineId === undefined) throw new Error(`The statement of the scene: ${open.text}`);
  const aside = { ids: [statementLineId] };
  await api.call(contract.bankAnswers.setAside, { body: { ...aside, note: `${word} rent` } }, auth);
  await api.call(contract.bankAnswers.takeBack, { body: aside }, auth);
  // As if the answer had been that the line failed: its undo leaves a line in each of these.
  await api.inTenant(business, async (db) => {
    await db.query(
      `INSERT INTO bank_answer_challans (subadmin_id, answer_id, file_id, line_no, challan_id, version_after)
       VALUES ($1, $2, $3, 1, $4, 1)`,
      [business.id, bankAnswerId, bankFileId, paidChallan.id],
    );
    // Taken back, so that nothing waits for the owner's next payment.
    await db.query(
      `INSERT INTO carry_events (subadmin_id, carry_id, event_no, kind, batch_id, owner_id, amount, created_by)
       SELECT $1, $2, no, kind, $2, $3, amount, $1
       FROM (VALUES (1, 'carry', 5), (2, 'cancel', -5)) AS events (no, kind, amount)`,
      [business.id, batchId, owner.id],
    );
    await db.query(
      'INSERT INTO bank_line_payments (subadmin_id, file_id, line_no, batch_id, owner_id) VALUES ($1, $2, 1, $3, $4)',
      [business.id, bankFileId, batchId, owner.id],
    );
  });
  await api.call(
    contract.bankFiles.withdraw,
    { params: { id: bankFileId }, body: { reason: `${word} not uploaded` } },
    auth,
  );
  const tagBatch = await api.inTenant(business, (db) =>
    recordBatch(db, callerOf(business), {
      kind: 'import',
      title: `${word} batch`,
      amount: '0',
      lines: [{ record: 'tag', id: freeTag.id, versionAfter: freeTag.version, before: null }],
      facts: { file: `${word} batch.csv` },
    }),
  );
  const written = { params: { id: batchId }, body: { ownerId: owner.id } };
  await api.call(contract.paymentBatches.writeTo, written, auth);
  await api.call(contract.accounting.shareOnWhatsapp, { body: { ownerId: owner.id, filters: {} } }, auth);
  const [report] = (await api.call(contract.sharedReports.list, {}, auth)).body.data;
  if (!report) throw new Error('The report of the scene is in the list');
  // Long before everything else, and lifted for one change.
  await lockPeriod(api, business, '2001-01-01');
  await liftLock(api, business, `${word} lift`);
  const early = { ownerId: owner.id, asOf: '2000-12-31', amount: '0.00' };
  await api.call(contract.ownerStatements.setOpenings, { body: { entries: [early] } }, auth);
  await lockPeriod(api, business, '2001-01-01');
  const opening = { ownerId: owner.id, asOf: '2026-03-31', amount: '100.00', note: `${word} opening` };
  await api.call(contract.ownerStatements.setOpenings, { body: { entries: [opening] } }, auth);
  const period = { ownerId: owner.id, startDate: null, endDate: '2026-06-30' };
  const printed = await api.call(contract.ownerStatements.print, { body: period }, auth);
  if (printed.status !== 201) throw new Error(`The statement of the scene: ${printed.text}`);
  const statementId = printed.body.data.id;
  const email = `clerk.${business.email}`;
  const invited = await api.call(contract.people.invite, { body: { email, seat: 'clerk' } }, auth);
  const declaration = await createDeclaration(api, business, owner.id, {
    receivedOn: '2025-04-04',
    note: `${word} declared`,
  });
  const deposit = await createTdsDeposit(api, business, { note: `${word} deposited` });
  const second = await seatPerson(api, business, 'owner');
  const prepare = (accountId: string): Promise<string> =>
    api.inTenant(business, async (db) => {
      const act = { pay: { challanIds: [challan.id], paysNegative: false, carries: [] } };
      return (await preparePayment(db, { ...callerOf(business), accountId }, act)).id;
    });
  const preparedId = await prepare(second.id);
  const ownPreparedId = await prepare(business.id);
  const changedOwner = await createOwner(api, business, { name: `${word} owner changed` });
  const changed = { params: { id: changedOwner.id }, body: { accountNo: '999900001111' } };
  await api.call(contract.owners.update, changed, { token: second.token });
  const settings = buildTallySettings({ masters: [`${word} ledger`] });
  await api.call(contract.tally.updateSettings, { body: settings }, auth);
  const what = { kind: 'period', from: '2026-04-01', to: '2027-03-31' } as const;
  const tallyExportId = (await api.call(contract.tally.create, { body: { what } }, auth)).body.data.id;
  const monthPackId = await storePack(api, business, `${word} pack`);
  const hsdUploadId = await api.inTenant(business, (db) => insertBill(db, business, pump.id, challan.id));
  return {
    tenant: business,
    refs: {
      ownerId: owner.id,
      freeOwnerId: freeOwner.id,
      truckId: truck.id,
      truckNumber: truck.truckNumber,
      tagId: tag.id,
      freeTagId: freeTag.id,
      pumpId: pump.id,
      challanId: challan.id,
      paidChallanId: paidChallan.id,
      batchId,
      tagBatchId: tagBatch.id,
      reportId: report.id,
      declarationId: declaration.id,
      tdsDepositId: deposit.id,
      bankAccountId: account.id,
      bankLayoutId,
      bankFileId,
      bankAnswerId,
      statementLineId,
      statementId,
      hsdUploadId,
      accountId: business.id,
      sessionId: await openAnotherSession(api, business),
      personId: invited.body.data.id,
      preparedId,
      ownPreparedId,
      changedOwnerId: changedOwner.id,
      tallyExportId,
      monthPackId,
    },
    secrets: [
      ...[tag, freeTag, pump, challan, paidChallan].map(({ id }) => id),
      ...[owner, freeOwner].flatMap(({ contactNumber, accountNo, panNo }) => [contactNumber, accountNo, panNo]),
      ...[
        'tag',
        'pump',
        'challan',
        'batch',
        'bank',
        'layout',
        'not uploaded',
        'rent',
        'opening',
        'declared',
        'deposited',
        'pack',
      ].map((kind) => `${word} ${kind}`),
      challan.net,
      paidChallan.net,
      pump.contactNumber,
      business.email,
      email,
      batchId,
      tagBatch.id,
      report.id,
      account.id,
      account.accountNo,
      bankLayoutId,
      bankFileId,
      bankAnswerId,
      statementLineId,
      statementId,
      preparedId,
      ownPreparedId,
      tallyExportId,
      monthPackId,
    ],
    shown: [
      ...['owner', 'truck', 'banner'].map((kind) => `${word} ${kind}`),
      owner.id,
      freeOwner.id,
      truck.id,
      truck.truckNumber,
      business.id,
    ],
  };
}

/** Scenes one after the other, made several at once: most of the time that one takes is waiting. */
export function scenesOf(api: Api, word: string): () => Promise<Scene> {
  const ready: Scene[] = [];
  return async () => {
    if (ready.length === 0) ready.push(...(await Promise.all(Array.from({ length: 6 }, () => buildScene(api, word)))));
    // Some were just made.
    return ready.pop()!;
  };
}

/** What a second owner may confirm: the other one has asked for no rule where there was one. */
export async function askForLooserRule(api: Api, { refs }: Pick<Scene, 'refs'>, token: string): Promise<void> {
  const { setRule } = contract.preparedPayments;
  const rule = { aboveOne: '500000.00', aboveDay: null, accountantUpTo: null };
  await api.call(setRule, { body: rule }, { token });
  await api.call(setRule, { body: { ...rule, aboveOne: null } }, { token });
  await asSchemaOwner(api, (client) =>
    client.query(
      'UPDATE release_rules r SET next_by = p.created_by FROM prepared_payments p WHERE p.id = $1 AND r.subadmin_id = p.subadmin_id',
      [refs.preparedId],
    ),
  );
}

/** Not an archive: making one takes longer than the rest of a scene, and its packed bytes would show no mark. */
async function storePack(api: Api, tenant: Tenant, text: string): Promise<string> {
  const content = Buffer.from(text);
  const month = daysOfMonth('2000-12');
  const pack = {
    challanCount: 0,
    netAmount: '0.00',
    content,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
  return api.inTenant(tenant, async (db) => {
    await insertMonthPack(db, callerOf(tenant), month, { ...pack, number: await takeMonthPackNumber(db) });
    // It was just stored.
    return (await selectLastPack(db, month))!.id;
  });
}

async function insertBill(db: TenantDb, tenant: Tenant, pumpId: string, challanId: string): Promise<string> {
  const id = randomUUID();
  await insertUpload(db, callerOf(tenant), {
    id,
    pumpId,
    fileName: 'bill.csv',
    sha256: Buffer.from(id),
    matches: [],
    totalRecords: 1,
    validRecords: 1,
    totalDiscrepancies: 1,
  });
  await insertBillRows(db, id, [
    {
      row: 2,
      kind: 'mismatch' as const,
      tpNo: 'TP1',
      amount: '5.00',
      challanId,
      challanAmount: '0.00',
      tpKey: await tpKeyOf(db, challanId),
      vehicleNo: '',
      date: '',
      note: '',
      month: '2026-04-01',
    },
  ]);
  return id;
}

async function tpKeyOf(db: TenantDb, challanId: string): Promise<string> {
  const { rows } = await db.query<{ key: string }>(
    'SELECT tp_key AS key FROM challans WHERE subadmin_id = $1 AND id = $2',
    [db.tenantId, challanId],
  );
  return rows[0]?.key ?? '';
}

async function insertMarkedChallans(
  api: Api,
  tenant: Tenant,
  word: string,
  refs: { ownerId: string; tagId: string; pumpId: string },
): Promise<[TestChallan, TestChallan]> {
  return api.inTenant(tenant, async (db) => {
    const made = await insertChallans(db, refs, 2);
    await db.query(
      `UPDATE challans SET petrol_pump_id = $2, material = $3, loading_place = $3, unloading_place = $3, owner_name = $3,
         vehicle_type = $3, driver_name = $3, driving_license_no = $3, data_entry_by = $3, remarks = $3, tp_no = $3 || tp_no
       WHERE subadmin_id = $1`,
      [tenant.id, refs.pumpId, `${word} challan`],
    );
    // Two were asked for.
    return [made[0]!, made[1]!];
  });
}
