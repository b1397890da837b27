import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { subtract } from '../../../src/shared/calc/money.ts';
import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { allErrors, commonErrors, fillPath, type Endpoint } from '../../../src/shared/contract/define.ts';
import { errorDataOf } from '../../../src/shared/contract/error-data.ts';
import { errorStatus, type ErrorCode } from '../../../src/shared/contract/errors.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { MOST_PREFERENCES } from '../../../src/shared/contract/preferences.ts';
import { uploadOptions } from '../hsd/hsd-corpus/multipart.ts';
import { expectDeclared, type Api, type CallOptions } from '../support/api.ts';
import { openBankDesk, type BankDesk } from '../support/bank-desk.ts';
import {
  buildBankLayout,
  buildStatement,
  buildTagImport,
  createChallan,
  createDeclaration,
  createTdsDeposit,
  createOwner,
  createTag,
  createTruck,
  liftLock,
  lockPeriod,
} from '../support/builders.ts';
import { presentRows, type TableRow } from '../support/endpoint-table.ts';
import { expectRefusal, unknownId } from '../support/expect.ts';
import { addHsdChallans, csvOf, uploadFile } from '../support/hsd-desk.ts';
import { idsOf, totalOf, type TestChallan } from '../support/ledger.ts';
import { addPerson } from '../support/people.ts';
import { asSchemaOwner } from '../support/tables.ts';
import { buildScene, unknownRefs, type Refs } from '../support/scene.ts';
import { turnOnSecondStep, waitForCode } from '../support/second-step.ts';

/**
 * Every write is called once for each refusal that the contract declares for it, and gets it: a caller who reads the API
 * document handles nothing that cannot happen, and what comes is as the document says. What is wrong with the shape of a
 * request is declared-errors.test.ts; that no other code can come is reachable-errors.test.ts.
 */

interface Given {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** For a call that is not JSON, or that comes in a strange way. */
  raw?: CallOptions & { payload?: Buffer };
}

interface At {
  desk: BankDesk;
  /** Of a scene in the same business. */
  refs: Refs;
  /** A call of this endpoint that is not refused, with the ids of the scene. */
  valid: Given;
}

/** Arranges what the refusal needs. Returns what the refused call has other than a valid one: a part of the body is enough. */
type Case = (at: At) => Given | Promise<Given>;
type Cases = Partial<Record<ErrorCode, Case>>;

/** The arguments of the table are refused with the scene as it is. */
const asItIs: Case = () => ({});
const body =
  (part: Record<string, unknown>): Case =>
  () => ({ body: part });
const fromElsewhere: Case = () => ({ raw: { headers: { host: 'elsewhere.example' } } });
const fileOf = (content: string) => uploadOptions([{ fileName: 'bill.csv', content }]);

async function done<A extends { status: number; text: string }>(call: Promise<A>): Promise<A> {
  const answer = await call;
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

const pay = async (desk: BankDesk, challans: readonly TestChallan[], over: object = {}): Promise<string> => {
  const paying = { body: { challanIds: idsOf(challans), ...over } };
  return (await done(desk.api.call(contract.bankStatement.markPaid, paying, desk.as()))).body.data.batchId!;
};

/** A challan of an owner on hold. */
async function held(desk: BankDesk) {
  const { id: ownerId, name: ownerName } = await createOwner(desk.api, desk.tenant);
  const [challan] = await desk.make(1, { ownerId });
  await done(
    desk.api.call(contract.owners.setHold, { params: { id: ownerId }, body: { reason: 'No papers' } }, desk.as()),
  );
  return { ownerId, ownerName, id: challan!.id };
}

/** A payment whose line is in a bank file. */
async function atBank(desk: BankDesk) {
  const { challans, lines } = await desk.sent(1, 1);
  const { batchId, ownerId, amount } = lines[0]!;
  return { batchId, ownerId, amount, id: challans[0]![0]!.id };
}

/** An owner's two challans that were settled by carrying what the owner owes. */
async function carried(desk: BankDesk) {
  const ownerId = (await createOwner(desk.api, desk.tenant)).id;
  const minus = await desk.make(2, { ownerId, advance: '5000' });
  const carries = [{ ownerId, amount: subtract('0', totalOf(minus)) }];
  return { ownerId, id: minus[0]!.id, batchId: await pay(desk, [...minus, ...(await desk.make(1))], { carries }) };
}

/** And a later payment deducted it. */
async function deducted(desk: BankDesk) {
  const made = await carried(desk);
  await pay(desk, await desk.make(12, { ownerId: made.ownerId }));
  return made;
}

/** The body of a preparation of this act alone. */
const acting = (act: object): Given => ({ body: { pay: undefined, ...act } });
const reversing = (id: string) => ({ reverse: { id, reason: 'Wrong' } });
const reverse = (desk: BankDesk, id: string) =>
  done(desk.api.call(contract.paymentBatches.reverse, { params: { id }, body: { reason: 'Wrong' } }, desk.as()));

/** An act that another owner has prepared. */
async function preparedFor(
  { api, as }: BankDesk,
  { preparedId }: Refs,
  act: BodyInput<typeof contract.preparedPayments.prepare>,
): Promise<Given> {
  const { id } = (await done(api.call(contract.preparedPayments.prepare, { body: act }, as()))).body.data;
  await asSchemaOwner(api, (client) =>
    client.query(
      'UPDATE prepared_payments p SET created_by = other.created_by FROM prepared_payments other WHERE p.id = $1 AND other.id = $2',
      [id, preparedId],
    ),
  );
  return { params: { id } };
}

const decidedBefore: Case = async ({ desk, refs: { preparedId: id } }) => {
  const sentBack = { params: { id }, body: { reason: 'Which owner?' } };
  // Of two cases the second finds it decided.
  await desk.api.call(contract.preparedPayments.sendBack, sentBack, desk.as());
  return {};
};

let bills = 0;
/** A challan with HSD, and the upload of a bill that has this amount for it. */
async function billed({ api, tenant }: BankDesk, amount: string) {
  const tpNo = `BILL${(bills += 1)}`;
  const [challanId = ''] = await addHsdChallans(api, tenant, [{ tpNo, amount: '100.00' }]);
  const { data } = await done(uploadFile(api, tenant, 'bill.csv', csvOf([[tpNo, amount]]), { detail: 'true' }));
  const change = (changed: object) =>
    done(api.call(contract.challans.update, { params: { id: challanId }, body: changed }, { token: tenant.token }));
  return { challanId, uploadId: data.detail!.uploadId, change };
}

/** A line of a statement that is set aside. */
async function asideLine({ api, as, bringIn, proposals }: BankDesk): Promise<string> {
  const rows = buildStatement();
  await done(bringIn(rows));
  const all = await proposals();
  const id = all.find(({ statementLine }) => statementLine?.narration === rows[2]![1])!.statementLine!.id;
  await done(api.call(contract.bankAnswers.setAside, { body: { ids: [id], note: 'Rent' } }, as()));
  return id;
}

const tagName: Case = async ({ desk }) => ({ body: { name: (await createTag(desk.api, desk.tenant)).name } });
const layoutName: Case = async ({ desk }) => {
  const { name } = (await done(desk.api.call(contract.bankLayouts.create, { body: buildBankLayout() }, desk.as()))).body
    .data;
  return { body: { name } };
};
/** There is one admin, whose second step may be on already. */
async function adminWithSecondStep(api: Api): Promise<void> {
  const auth = { token: api.adminToken };
  const { isOn } = (await api.call(contract.secondStep.get, {}, auth)).body.data;
  if (!isOn) await turnOnSecondStep(api, auth);
}
/** Somebody else, who has a second step. */
const withSecondStep: Case = async ({ desk: { api } }) => {
  const tenant = await api.addTenant();
  await turnOnSecondStep(api, tenant);
  return { body: { code: '000000' }, raw: { token: tenant.token } };
};
/** The token of a right password that waits for its code. */
const waitingAs =
  (role: 'admin' | 'subadmin'): Case =>
  async ({ desk: { api } }) => {
    if (role === 'admin') {
      await adminWithSecondStep(api);
      const admin = { email: 'admin@challan.test', password: 'correct horse 42' };
      return { body: { token: await waitForCode(api, admin, {}, contract.session.loginAdmin) } };
    }
    const tenant = await api.addTenant();
    await turnOnSecondStep(api, tenant);
    return { body: { token: await waitForCode(api, tenant) } };
  };
/** These challans are to be unpaid by a change of many. */
const unpaid = ({ id }: { id: string }): Given => ({
  body: { selection: { by: 'ids', challanIds: [id] }, act: { kind: 'paid', value: false } },
});

/** Days before the lock of the scene. */
const lockedDays = { loadingDate: '2000-12-01', unloadingDate: '2000-12-01', depositedAt: '2000-12-01' };

/** A challan of these days, made while the lock was lifted. */
async function lockedChallan({ api, tenant, make }: BankDesk): Promise<string> {
  await liftLock(api, tenant);
  const [{ id } = { id: '' }] = await make(1);
  await done(api.call(contract.challans.update, { params: { id }, body: lockedDays }, { token: tenant.token }));
  await lockPeriod(api, tenant, '2001-01-01');
  return id;
}

const cases: Record<string, Cases> = {
  'session.loginAdmin': {
    INVALID_CREDENTIALS: asItIs,
    SECOND_STEP_WANTED: async ({ desk: { api } }) => {
      await adminWithSecondStep(api);
      return { body: { email: 'admin@challan.test', password: 'correct horse 42' } };
    },
  },
  'session.loginSubadmin': {
    INVALID_CREDENTIALS: asItIs,
    SECOND_STEP_WANTED: async ({ desk: { api } }) => {
      const tenant = await api.addTenant();
      await turnOnSecondStep(api, tenant);
      return { body: { email: tenant.email, password: tenant.password } };
    },
  },
  'session.changeAdminPassword': { WRONG_PASSWORD: asItIs },
  'secondStep.begin': { SECOND_STEP_ON: withSecondStep },
  'secondStep.confirm': { SECOND_STEP_ON: withSecondStep, WRONG_CODE: asItIs },
  'secondStep.renewCodes': { NOT_FOUND: asItIs },
  'secondStep.signInAdmin': { INVALID_CREDENTIALS: asItIs, WRONG_CODE: waitingAs('admin') },
  'secondStep.signInSubadmin': { INVALID_CREDENTIALS: asItIs, WRONG_CODE: waitingAs('subadmin') },
  'secondStep.confirmAgain': { WRONG_PASSWORD: asItIs, WRONG_CODE: withSecondStep },
  'subadmins.create': { EMAIL_IN_USE: ({ desk }) => ({ body: { email: desk.tenant.email } }) },
  'subadmins.update': {
    EMAIL_IN_USE: async ({ desk }) => ({ body: { email: (await desk.api.addTenant()).email } }),
  },
  'profile.changePassword': { WRONG_PASSWORD: body({ currentPassword: 'not this one' }) },
  'profile.takeOut': { WRONG_PASSWORD: body({ currentPassword: 'not this one' }) },
  'people.invite': { EMAIL_IN_USE: ({ desk }) => ({ body: { email: desk.tenant.email } }) },
  'people.readLink': { NOT_FOUND: () => ({}) },
  'people.join': {
    NOT_FOUND: () => ({}),
    SECOND_STEP_WANTED: async ({ desk: { api, tenant } }) => {
      const clerk = await addPerson(api, tenant, 'clerk');
      await turnOnSecondStep(api, clerk);
      const { body: made } = await api.call(
        contract.people.newLink,
        { params: { id: clerk.id } },
        { token: tenant.token },
      );
      return { body: { token: made.linkToken, password: 'another cart 78' } };
    },
  },
  'owners.remove': { OWNER_IN_USE: ({ refs }) => ({ params: { id: refs.ownerId } }) },
  'owners.copy': {
    COPY_LIMIT: async ({ desk: { api } }) => {
      await done(api.call(contract.settings.update, { body: { copiesPerDay: 0 } }, { token: api.adminToken }));
      return {};
    },
  },
  'trucks.create': { TRUCK_EXISTS: ({ refs }) => ({ body: { truckNumber: refs.truckNumber } }) },
  'trucks.update': {
    TRUCK_EXISTS: async ({ desk, refs }) => ({
      body: { truckNumber: (await createTruck(desk.api, desk.tenant, refs.ownerId)).truckNumber },
    }),
  },
  'tags.create': { TAG_EXISTS: tagName },
  'tags.update': { TAG_EXISTS: tagName },
  'tags.remove': { TAG_IN_USE: ({ refs }) => ({ params: { id: refs.tagId } }) },
  'declarations.create': {
    DECLARATION_EXISTS: async ({ desk, refs }) => {
      await createDeclaration(desk.api, desk.tenant, refs.ownerId, { receivedOn: '2024-04-05' });
      return {};
    },
  },
  'declarations.update': {
    DECLARATION_EXISTS: async ({ desk, refs }) => {
      await createDeclaration(desk.api, desk.tenant, refs.ownerId, { receivedOn: '2023-04-04' });
      return { body: { receivedOn: '2023-04-05', validUntil: '2024-03-31' } };
    },
  },
  'declarations.remove': {
    DECLARATION_IN_USE: async ({ desk, refs }) => {
      const { id } = await createDeclaration(desk.api, desk.tenant, refs.ownerId, { receivedOn: '2022-04-04' });
      const on = { loadingDate: '2022-05-01', unloadingDate: '2022-05-01', depositedAt: '2022-05-01' };
      await createChallan(desk.api, desk.tenant, refs, { ...on, tdsPercentage: '0' });
      return { params: { id } };
    },
  },
  'tdsDeposits.create': {
    DEPOSIT_EXISTS: async ({ desk }) => {
      await createTdsDeposit(desk.api, desk.tenant, { serialNo: '77777' });
      return { body: { serialNo: '77777' } };
    },
  },
  'tdsDeposits.update': {
    DEPOSIT_EXISTS: async ({ desk }) => {
      await createTdsDeposit(desk.api, desk.tenant, { serialNo: '77778' });
      return { body: { serialNo: '77778' } };
    },
  },
  'challans.create': {
    AMOUNT_MISMATCH: body({ netAmountPayable: '1.00' }),
    ON_HOLD: async ({ desk }) => {
      const { ownerId, ownerName } = await held(desk);
      return { body: { ownerId, ownerName, paymentStatus: true } };
    },
    PERIOD_LOCKED: body(lockedDays),
  },
  'challans.update': {
    AMOUNT_MISMATCH: body({ netAmountPayable: '1.00' }),
    ON_HOLD: async ({ desk }) => ({ params: { id: (await held(desk)).id }, body: { paymentStatus: true } }),
    LINE_AT_BANK: async ({ desk }) => ({ params: { id: (await atBank(desk)).id }, body: { paymentStatus: false } }),
    CARRIED: async ({ desk }) => ({ params: { id: (await carried(desk)).id }, body: { paymentStatus: false } }),
    PERIOD_LOCKED: ({ refs }) => ({ params: { id: refs.challanId }, body: lockedDays }),
  },
  'challans.remove': {
    CHALLAN_PAID: ({ refs }) => ({ params: { id: refs.paidChallanId } }),
    PERIOD_LOCKED: async ({ desk }) => ({ params: { id: await lockedChallan(desk) } }),
  },
  'challans.setHold': { CHALLAN_PAID: ({ refs }) => ({ params: { id: refs.paidChallanId } }) },
  'challans.setHsdVerified': {
    NO_PETROL_PUMP: async ({ desk }) => ({ params: { id: (await desk.make(1))[0]!.id } }),
  },
  'challans.changeMany': {
    NO_MATCHING_CHALLANS: body({ selection: { by: 'filter', filters: { ownerId: unknownId } } }),
    LINE_AT_BANK: async ({ desk }) => unpaid(await atBank(desk)),
    CARRIED: async ({ desk }) => unpaid(await carried(desk)),
  },
  'bankStatement.markPaid': {
    ON_HOLD: async ({ desk }) => ({ body: { challanIds: [(await held(desk)).id] } }),
    SELECTION_CHANGED: ({ refs }) => ({ body: { carries: [{ ownerId: refs.ownerId, amount: '1.00' }] } }),
  },
  'paymentBatches.writeTo': {
    VALIDATION_ERROR: async ({ desk }) => {
      const ownerId = (await createOwner(desk.api, desk.tenant, { contactNumber: '1234567890' })).id;
      return { params: { id: await pay(desk, await desk.make(1, { ownerId })) }, body: { ownerId } };
    },
    INVALID_REQUEST: fromElsewhere,
  },
  'paymentBatches.takeBackCarry': {
    CARRIED: async ({ desk }) => {
      const { batchId, ownerId } = await deducted(desk);
      return { params: { id: batchId, ownerId } };
    },
  },
  'paymentBatches.reverse': {
    ALREADY_REVERSED: async ({ desk }) => {
      const params = { id: await pay(desk, await desk.make(1)) };
      await done(desk.api.call(contract.paymentBatches.reverse, { params, body: { reason: 'Wrong' } }, desk.as()));
      return { params };
    },
    LINE_AT_BANK: async ({ desk }) => ({ params: { id: (await atBank(desk)).batchId } }),
    CARRIED: async ({ desk }) => ({ params: { id: (await deducted(desk)).batchId } }),
  },
  'preparedPayments.prepare': {
    ON_HOLD: async ({ desk }) => acting({ pay: { challanIds: [(await held(desk)).id] } }),
    SELECTION_CHANGED: ({ refs }) =>
      acting({ pay: { challanIds: [refs.challanId], carries: [{ ownerId: refs.ownerId, amount: '1.00' }] } }),
    NO_MATCHING_CHALLANS: ({ refs }) => acting({ pay: { challanIds: [refs.paidChallanId] } }),
    ALREADY_REVERSED: async ({ desk }) => {
      const batchId = await pay(desk, await desk.make(1));
      await reverse(desk, batchId);
      return acting(reversing(batchId));
    },
    LINE_AT_BANK: async ({ desk }) => acting(reversing((await atBank(desk)).batchId)),
    CARRIED: async ({ desk }) => acting(reversing((await deducted(desk)).batchId)),
  },
  'preparedPayments.release': {
    ALREADY_DECIDED: decidedBefore,
    ON_HOLD: async ({ desk, refs }) => {
      const ownerId = (await createOwner(desk.api, desk.tenant)).id;
      const prepared = await preparedFor(desk, refs, { pay: { challanIds: idsOf(await desk.make(1, { ownerId })) } });
      await done(
        desk.api.call(contract.owners.setHold, { params: { id: ownerId }, body: { reason: 'No papers' } }, desk.as()),
      );
      return prepared;
    },
    SELECTION_CHANGED: async ({ desk, refs }) => {
      const made = await desk.make(2);
      const prepared = await preparedFor(desk, refs, { pay: { challanIds: idsOf(made) } });
      await pay(desk, made.slice(0, 1));
      return prepared;
    },
    NO_MATCHING_CHALLANS: async ({ desk, refs }) => {
      const made = await desk.make(1);
      const prepared = await preparedFor(desk, refs, { pay: { challanIds: idsOf(made) } });
      await pay(desk, made);
      return prepared;
    },
    ALREADY_REVERSED: async ({ desk, refs }) => {
      const batchId = await pay(desk, await desk.make(1));
      const prepared = await preparedFor(desk, refs, reversing(batchId));
      await reverse(desk, batchId);
      return prepared;
    },
    LINE_AT_BANK: async ({ desk, refs }) => {
      const batchId = await pay(desk, await desk.make(1));
      const prepared = await preparedFor(desk, refs, reversing(batchId));
      await desk.send([batchId]);
      return prepared;
    },
    CARRIED: async ({ desk, refs }) => {
      const { batchId, ownerId } = await carried(desk);
      const prepared = await preparedFor(desk, refs, reversing(batchId));
      await pay(desk, await desk.make(12, { ownerId }));
      return prepared;
    },
  },
  'preparedPayments.sendBack': { ALREADY_DECIDED: decidedBefore },
  'preparedPayments.withdraw': {
    ALREADY_DECIDED: async ({ desk, refs: { ownPreparedId: id } }) => {
      await done(desk.api.call(contract.preparedPayments.withdraw, { params: { id } }, desk.as()));
      return {};
    },
  },
  'bankAccounts.update': { INVALID_REFERENCE: body({ layout: unknownId }) },
  'bankLayouts.create': { LAYOUT_EXISTS: layoutName },
  'bankLayouts.update': { LAYOUT_EXISTS: layoutName },
  'bankLayouts.remove': { LAYOUT_IN_USE: asItIs },
  'bankFiles.create': {
    LINE_AT_BANK: async ({ desk }) => {
      const { batchId, ownerId, amount } = await atBank(desk);
      return { body: { batchIds: [batchId], lines: [{ batchId, ownerId, amount, route: 'NEFT' }] } };
    },
    INVALID_REQUEST: ({ refs: { batchId, ownerId } }) => {
      const line = { batchId, ownerId, amount: '1.00', route: 'NEFT' };
      return { body: { lines: [line, line] } };
    },
  },
  'bankFiles.withdraw': { SELECTION_CHANGED: asItIs },
  'bankAnswers.importStatement': { INVALID_FILE: body({ rows: [['No', 'headings']] }) },
  'bankAnswers.setAside': { LINE_ANSWERED: async ({ desk }) => ({ body: { ids: [await asideLine(desk)] } }) },
  'bankAnswers.takeBack': { LINE_ANSWERED: asItIs },
  'bankAnswers.accept': { LINE_ANSWERED: asItIs },
  'bankAnswers.undo': { ALREADY_UNDONE: asItIs },
  'batches.undo': {
    ALREADY_UNDONE: async ({ desk: { api, as } }) => {
      const imported = await done(api.call(contract.imports.apply, { body: buildTagImport('Undone').body }, as()));
      const params = { id: imported.body.data.batch.id };
      await done(api.call(contract.batches.undo, { params }, as()));
      return { params };
    },
  },
  'hsdVerification.upload': {
    INVALID_REFERENCE: () => ({ query: { petrolPumpId: unknownId }, raw: fileOf('TP No,Amount\nA,1') }),
    INVALID_FILE: () => ({ raw: fileOf('No,Column\nis,known') }),
  },
  'hsdVerification.accept': {
    INVALID_REFERENCE: ({ refs }) => ({
      body: { rows: [{ row: 99, challanId: refs.challanId, challanAmount: '0.00' }] },
    }),
    HSD_CHANGED: ({ refs }) => ({ body: { rows: [{ row: 2, challanId: refs.challanId, challanAmount: '4.00' }] } }),
    NO_PETROL_PUMP: async ({ desk }) => {
      const { uploadId, challanId, change } = await billed(desk, '90.00');
      await change({ petrolPumpId: null });
      return { body: { uploadId, rows: [{ row: 2, challanId, challanAmount: '100.00' }] } };
    },
  },
  'hsdVerification.verify': {
    NO_PETROL_PUMP: async ({ desk }) => ({ body: { challanIds: idsOf(await desk.make(1)) } }),
    HSD_CHANGED: async ({ desk }) => {
      const { challanId, change } = await billed(desk, '100.00');
      await change({ hsdInLiters: '2.00' });
      return { body: { challanIds: [challanId] } };
    },
  },
  'tally.create': {
    INVALID_REQUEST: body({ what: { kind: 'period', from: '2001-01-01', to: '2001-01-31' } }),
  },
  'accounting.shareOnWhatsapp': { INVALID_REQUEST: fromElsewhere },
  'preferences.put': {
    VALIDATION_ERROR: async ({ desk: { api, as } }) => {
      for (let nth = 0; nth < MOST_PREFERENCES; nth += 1) {
        await done(api.call(contract.preferences.put, { body: { key: `views:${nth}`, value: '[]' } }, as()));
      }
      return {};
    },
  },
  'tables.read': { INVALID_FILE: () => ({ raw: fileOf('') }) },
  'imports.check': { VALIDATION_ERROR: body({ fields: ['unknown'] }) },
  'ownerStatements.setOpenings': {
    PERIOD_LOCKED: ({ refs }) => ({
      body: { entries: [{ ownerId: refs.ownerId, asOf: '2000-12-31', amount: '1.00' }] },
    }),
  },
  'imports.apply': {
    VALIDATION_ERROR: body({ fields: ['unknown'] }),
    IMPORT_CHANGED: body({ expected: { fingerprint: 'another' } }),
  },
  'imports.addSample': {
    PERIOD_LOCKED: async ({ desk }) => {
      await lockPeriod(desk.api, desk.tenant, dayOf(new Date()));
      return {};
    },
    VALIDATION_ERROR: async ({ desk }) => {
      await liftLock(desk.api, desk.tenant);
      await done(desk.api.call(contract.imports.addSample, {}, desk.as()));
      return {};
    },
  },
};

/** Codes that follow from the shape of a call: declared-errors.test.ts has them. */
const ofShape: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...commonErrors,
  'UNAUTHORIZED',
  'FORBIDDEN',
  // second-step.test.ts and asked-again.test.ts have them for every call.
  'SECOND_STEP_MISSING',
  'CONFIRMATION_WANTED',
  'INVALID_ID',
  'INVALID_PAGINATION',
  'UNKNOWN_FIELD',
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_ERROR',
]);
const declaredOf = (endpoint: Endpoint): ErrorCode[] =>
  allErrors(endpoint).filter((code) => !ofShape.has(code) || endpoint.errors.includes(code));

const usedKey = 'used by another call';
const otherFigures: Record<string, unknown> = { fingerprint: 'another', count: 77, totalAmount: '77.00' };

/** What can be said of any call: by its parameters, its body, and the table of who may call what. */
function derived({ endpoint, cell }: TableRow): Cases {
  const given: Cases = {};
  for (const [ref, code] of Object.entries(cell.foreign ?? {})) {
    if (code !== 'OK') given[code] = ({ refs }) => cell.args({ ...refs, [ref]: unknownId }) as Given;
  }
  if (endpoint.params) given.NOT_FOUND = () => ({ params: (cell.args(unknownRefs) as Given).params ?? {} });
  if (endpoint.idempotent) given.IDEMPOTENCY_MISMATCH = () => ({ raw: { key: usedKey } });
  const { version, expected } = (endpoint.body?.shape ?? {}) as Record<string, z.ZodType | undefined>;
  if (version) given.VERSION_CONFLICT = body({ version: 77 });
  const figures = expected instanceof z.ZodOptional && expected.unwrap();
  if (figures instanceof z.ZodObject) {
    const shown = Object.keys(figures.shape).map((name) => [name, otherFigures[name]]);
    given.SELECTION_CHANGED = body({ expected: Object.fromEntries(shown) });
  }
  return given;
}

const writes = presentRows.filter(({ endpoint }) => endpoint.method !== 'GET');
const all = writes.map((row) => ({ row, own: cases[row.name] ?? {}, cases: { ...derived(row), ...cases[row.name] } }));

describe('the cases', () => {
  it('are one for each refusal that a write declares, and none for another', () => {
    const names = (row: TableRow, codes: readonly string[]) => codes.map((code) => `${row.name} ${code}`).sort();
    expect(all.flatMap(({ row, cases: its }) => names(row, Object.keys(its)))).toEqual(
      all.flatMap(({ row }) => names(row, declaredOf(row.endpoint))),
    );
    expect(Object.keys(cases).filter((name) => !writes.some((row) => row.name === name))).toEqual([]);
  });

  it('are written only where they are not derived', () => {
    expect(all.flatMap(({ row, own }) => Object.keys(own).filter((code) => code in derived(row)))).toEqual([]);
  });
});

describe('a refusal', () => {
  let desk: BankDesk;
  let refs: Refs;
  beforeAll(async () => {
    desk = await openBankDesk();
    refs = (await buildScene(desk.api, 'REFUSED', desk.tenant)).refs;
    await done(
      desk.api.call(
        contract.tags.changeMany,
        { body: { ids: [refs.tagId], act: { kind: 'set', values: { color: '#333333' } } } },
        desk.as(usedKey),
      ),
    );
  });
  afterAll(() => desk.api.close());

  const each = all.flatMap(({ row, cases: its }) =>
    Object.entries(its).map(([code, refused]) => [code as ErrorCode, row.name, row, refused] as const),
  );
  it.each(each)('%s comes from %s as declared', async (code, _, { endpoint, cell }, refused) => {
    const { api, tenant } = desk;
    const valid = cell.args(refs) as Given;
    const given = await refused({ desk, refs, valid });
    const params = { ...valid.params, ...given.params };
    const query = Object.entries({ ...valid.query, ...given.query }).map(([name, value]) => [name, String(value)]);
    const token = endpoint.roles.includes('subadmin') ? tenant.token : api.adminToken;
    const answer = await api.callRaw(
      endpoint.method,
      `/api${fillPath(endpoint.path, params)}?${new URLSearchParams(query).toString()}`,
      {
        ...(endpoint.roles === 'public' ? {} : { token }),
        ...(endpoint.body && { body: { ...valid.body, ...given.body } }),
        ...given.raw,
      },
    );
    expectRefusal(answer, errorStatus[code], code);
    expectDeclared(endpoint, answer);
    expect(answer.error.data === undefined).toBe(errorDataOf(endpoint, code) === undefined);
  });
});
