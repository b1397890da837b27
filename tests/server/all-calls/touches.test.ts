import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subtract } from '../../../src/shared/calc/money.ts';
import { fillPath, type CallArguments, type Endpoint } from '../../../src/shared/contract/define.ts';
import type { Resource } from '../../../src/shared/contract/nouns.ts';
import { dayOf } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { isFull } from '../../long.ts';
import { startApi, type Api } from '../support/api.ts';
import {
  buildAnswer,
  buildBankAccount,
  buildBankLayout,
  buildChallan,
  buildDeclaration,
  buildTdsDeposit,
  buildOwner,
  buildPump,
  buildStatement,
  buildTag,
  buildTagImport,
  buildTallySettings,
  buildTdsSettings,
  buildTruck,
  createChallan,
} from '../support/builders.ts';
import { presentRows } from '../support/endpoint-table.ts';
import { askForLooserRule, buildScene, scenesOf, type Refs, type Scene } from '../support/scene.ts';
import { turnOnSecondStep } from '../support/second-step.ts';
import { asSchemaOwner } from '../support/tables.ts';

/**
 * Which lists and figures on the screens are to be asked again after a write: `touches` in the contract, which the client
 * goes by alone. The table states it; then each write is done, and every read of the API whose answer has become another
 * must be in the table's row.
 */
let api: Api;
let other: Scene;
let nextScene: () => Promise<Scene>;
beforeAll(async () => {
  api = await startApi();
  nextScene = scenesOf(api, 'TOUCH');
  other = await buildScene(api, 'OTHER');
});
afterAll(() => api.close());

const money: Resource[] = ['challans', 'bank-statement', 'accounting', 'dashboard', 'tags'];

/** What is asked again beside the history of the record, which every write adds to. */
const askedAgain: Readonly<Record<string, readonly Resource[]>> = {
  'session.end': ['session', 'people'],
  'session.endOthers': ['session', 'people'],
  'profile.update': ['profile', 'subadmins', 'people'],
  'profile.changePassword': ['profile', 'session', 'people'],
  'session.changeAdminPassword': ['session'],
  'subadmins.create': ['subadmins'],
  'people.invite': ['people'],
  'people.update': ['people', 'prepared-payments'],
  'people.newLink': ['people', 'prepared-payments'],
  'people.endSessions': ['people'],
  'people.resetSecondStep': ['people'],
  'people.demandSecondStep': ['people', 'second-step'],
  'subadmins.resetSecondStep': ['subadmins'],
  'secondStep.confirm': ['second-step', 'people'],
  'secondStep.renewCodes': ['second-step', 'people'],
  'secondStep.turnOff': ['second-step', 'people'],
  // Lists say who did something.
  'people.setOwnName': [
    'accounting',
    'period-lock',
    'people',
    'profile',
    'payment-batches',
    'prepared-payments',
    'bank-files',
    'bank-answers',
    'batches',
    'hsd-verification',
    'owner-statements',
    'shared-reports',
  ],
  // The system-wide owner list names the business, and leaves out those of closed accounts.
  'subadmins.update': ['subadmins', 'owners'],
  'subadmins.setActive': ['subadmins', 'owners'],
  'subadmins.remove': ['subadmins', 'owners'],
  'owners.create': ['owners', 'accounting'],
  // A batch names its records, here and below.
  'owners.update': [
    'prepared-payments',
    'owners',
    'trucks',
    'challans',
    'bank-statement',
    'accounting',
    'dashboard',
    'shared-reports',
    'batches',
    'payment-batches',
    'declarations',
  ],
  // Its page in Accounting and its usage, which is of challans, are gone with it.
  'owners.remove': ['owners', 'trucks', 'accounting', 'challans', 'declarations'],
  'owners.changeMany': ['owners', 'trucks', 'accounting', 'challans', 'batches', 'declarations'],
  'owners.copy': ['owners', 'trucks', 'accounting'],
  'settings.update': ['settings', 'owners'],
  'preferences.put': ['preferences'],
  'trucks.create': ['trucks', 'owners', 'accounting', 'declarations'],
  'trucks.update': ['trucks', 'owners', 'accounting', 'batches', 'declarations'],
  'trucks.remove': ['trucks', 'owners', 'accounting', 'declarations'],
  'trucks.changeMany': ['trucks', 'owners', 'accounting', 'batches', 'declarations'],
  // The tag analytics name tags without challans, too.
  'tags.create': ['tags', 'dashboard'],
  'tags.update': ['tags', 'challans', 'bank-statement', 'accounting', 'dashboard', 'batches'],
  'tags.remove': ['tags', 'dashboard'],
  'tags.changeMany': ['tags', 'challans', 'bank-statement', 'accounting', 'dashboard', 'batches'],
  'petrolPumps.create': ['petrol-pumps'],
  'petrolPumps.update': ['petrol-pumps', 'challans', 'accounting', 'batches', 'hsd-verification'],
  'petrolPumps.remove': ['petrol-pumps'],
  'petrolPumps.changeMany': ['petrol-pumps', 'batches'],
  // Created or changed as paid it is a payment of its own.
  'challans.create': [...money, 'payment-batches'],
  'challans.createMany': [...money, 'payment-batches', 'batches'],
  'challans.update': [...money, 'payment-batches'],
  'challans.remove': [...money, 'batches'],
  'challans.setHold': ['challans', 'bank-statement', 'accounting'],
  'owners.setHold': ['owners', 'challans', 'bank-statement', 'accounting'],
  'challans.setHsdVerified': ['challans', 'accounting', 'hsd-verification'],
  'challans.changeMany': [...money, 'payment-batches', 'batches', 'hsd-verification'],
  'bankStatement.markPaid': [...money, 'payment-batches'],
  'bankStatement.markMatchingPaid': [...money, 'payment-batches'],
  'paymentBatches.writeTo': ['payment-batches', 'shared-reports'],
  'paymentBatches.takeBackCarry': [...money, 'payment-batches'],
  'paymentBatches.reverse': [...money, 'payment-batches', 'bank-files', 'bank-answers'],
  'preparedPayments.prepare': ['prepared-payments'],
  'preparedPayments.release': [
    ...money,
    'prepared-payments',
    'payment-batches',
    'bank-files',
    'bank-answers',
    'batches',
    'hsd-verification',
  ],
  'preparedPayments.sendBack': ['prepared-payments'],
  'preparedPayments.withdraw': ['prepared-payments'],
  // A list of what is to be confirmed loses it.
  'preparedPayments.confirmAccount': ['prepared-payments', 'owners', 'bank-accounts'],
  'preparedPayments.setRule': ['prepared-payments'],
  'preparedPayments.confirmRule': ['prepared-payments'],
  // The owner's row shows it, challans and the register name it.
  'declarations.create': ['declarations', 'owners', 'challans', 'accounting', 'batches'],
  'declarations.update': ['declarations', 'owners', 'challans', 'accounting', 'batches'],
  'declarations.remove': ['declarations', 'owners', 'challans', 'accounting', 'batches'],
  'tdsDeposits.create': ['tds-deposits', 'accounting'],
  'tdsDeposits.update': ['tds-deposits', 'accounting'],
  'tdsDeposits.remove': ['tds-deposits', 'accounting'],
  'bankAccounts.create': ['bank-accounts'],
  'bankAccounts.update': ['bank-accounts'],
  'bankAccounts.remove': ['bank-accounts'],
  'bankLayouts.create': ['bank-layouts'],
  'bankLayouts.update': ['bank-layouts'],
  'bankLayouts.remove': ['bank-layouts'],
  'bankAnswers.importStatement': ['bank-answers'],
  'bankAnswers.setAside': ['bank-answers'],
  'bankAnswers.takeBack': ['bank-answers'],
  'bankAnswers.accept': [...money, 'bank-answers', 'bank-files', 'payment-batches'],
  'bankAnswers.undo': [...money, 'bank-answers', 'bank-files', 'payment-batches'],
  'bankFiles.create': ['bank-files', 'bank-answers', 'payment-batches', 'accounting'],
  'bankFiles.withdraw': ['bank-files', 'bank-answers', 'payment-batches', 'accounting'],
  // Whatever a batch may have written.
  'batches.undo': [
    'prepared-payments',
    ...money,
    'payment-batches',
    'batches',
    'owners',
    'trucks',
    'petrol-pumps',
    'hsd-verification',
    'shared-reports',
    'owner-statements',
    'declarations',
  ],
  'imports.addSample': [
    'imports',
    'owners',
    'trucks',
    'tags',
    'petrol-pumps',
    'batches',
    'challans',
    'bank-statement',
    'accounting',
    'dashboard',
    'shared-reports',
    'hsd-verification',
    'declarations',
  ],
  // A merge changes what other records show of an owner, a tag or a pump; past challans come with payments.
  'imports.apply': [
    'prepared-payments',
    'imports',
    'owners',
    'trucks',
    'tags',
    'petrol-pumps',
    'batches',
    'challans',
    'bank-statement',
    'accounting',
    'dashboard',
    'shared-reports',
    'hsd-verification',
    'payment-batches',
    'owner-statements',
    'declarations',
  ],
  'hsdVerification.upload': ['hsd-verification'],
  'hsdVerification.accept': ['challans', 'accounting', 'hsd-verification'],
  'hsdVerification.setPumpSettings': ['hsd-verification'],
  'hsdVerification.verify': ['challans', 'accounting', 'hsd-verification'],
  'accounting.shareOnWhatsapp': ['shared-reports'],
  'periodLock.lock': ['period-lock'],
  'periodLock.lift': ['period-lock'],
  'tds.updateSettings': ['accounting', 'declarations', 'owners'],
  'monthPacks.create': ['accounting', 'period-lock'],
  'tally.updateSettings': ['accounting'],
  'tally.create': ['accounting'],
  'exceptions.setFine': [],
  'exceptions.takeBack': [],
  'sharedReports.revoke': ['shared-reports'],
  'ownerStatements.print': ['owner-statements'],
  'ownerStatements.setOpenings': ['owner-statements', 'accounting'],
};

/** They end or begin what is cached as a whole. */
const sessions = new Set([
  ...['loginAdmin', 'loginSubadmin', 'logout'].map((name) => `session.${name}`),
  ...['begin', 'signInAdmin', 'signInSubadmin', 'confirmAgain'].map((name) => `secondStep.${name}`),
  ...['readLink', 'join', 'viewAs', 'endViewAs'].map((name) => `people.${name}`),
]);

const isRead = ({ method, answer }: Endpoint): boolean => method === 'GET' && !('kind' in answer);
const writes = presentRows.filter(({ endpoint }) => !endpoint.reads && !('kind' in endpoint.answer));
const sorted = (resources: readonly string[]): string[] => resources.toSorted();

describe('the table of writes', () => {
  it('has a row for each write of the contract', () => {
    const names = writes.map(({ name }) => name).filter((name) => !sessions.has(name));
    expect(sorted(Object.keys(askedAgain))).toEqual(sorted(names));
  });

  it.each(Object.entries(askedAgain))('%s', (name, resources) => {
    const touches = writes.find((row) => row.name === name)?.endpoint.touches ?? [];
    expect(sorted(touches)).toEqual(sorted([...resources, 'history']));
  });

  it('leaves out what only makes a file', () => {
    const files = presentRows.filter(({ endpoint }) => 'kind' in endpoint.answer && endpoint.answer.kind === 'file');
    expect(files.flatMap(({ endpoint }) => endpoint.touches)).toEqual([]);
  });
});

type Role = 'subadmin' | 'admin';

/** Answers of every read that the role may ask for, by resource and call: with filters and without, of all records. */
async function everyAnswer(
  scene: Scene,
  role: Role,
  token: string,
): Promise<Map<string, { resource: Resource; text: string }>> {
  const { refs } = scene;
  const lesser: Refs = { ...refs, ownerId: refs.freeOwnerId, tagId: refs.freeTagId, challanId: refs.paidChallanId };
  const answers = new Map<string, { resource: Resource; text: string }>();
  const asked: { name: string; resource: Resource; url: string }[] = [];
  for (const { name, endpoint, cell } of presentRows) {
    if (!isRead(endpoint) || endpoint.roles === 'public' || !endpoint.roles.includes(role)) continue;
    const given = [cell.args(refs), cell.args(lesser)] as { params?: Record<string, string>; query?: object }[];
    const urls = given.flatMap(({ params, query }) => {
      const path = `/api${fillPath(endpoint.path, params)}`;
      const filter = new URLSearchParams({ ...query });
      return filter.size > 0 ? [path, `${path}?${filter.toString()}`] : [path];
    });
    asked.push(...[...new Set(urls)].map((url) => ({ name, resource: endpoint.resource, url })));
  }
  // As many at once as one account may have at work.
  const ask = async (): Promise<void> => {
    for (let one = asked.pop(); one !== undefined; one = asked.pop()) {
      const { status, text } = await api.callRaw('GET', one.url, { token });
      // When it was asked is not what is shown.
      const shown = text.replace(/"(generatedAt|requestId|lastUsedAt|lastSeenAt)":"[^"]*"/g, '');
      answers.set(`${one.name} ${one.url}`, { resource: one.resource, text: `${status} ${shown}` });
    }
  };
  await Promise.all(Array.from({ length: 6 }, ask));
  return answers;
}

interface Write {
  name: string;
  what: string;
  role?: Role;
  prepare?: (scene: Scene, token: string) => Promise<unknown>;
  act: (scene: Scene, token: string) => Promise<unknown>;
}

async function done<E extends Endpoint>(endpoint: E, args: CallArguments<E>, token: string): Promise<void> {
  const answer = await api.call(endpoint, args, { token });
  if (answer.status >= 300) throw new Error(`${endpoint.method} ${endpoint.path}: ${answer.text}`);
}

const c = contract;
const pumped = ({ refs }: Scene) => ({ petrolPumpId: refs.pumpId, hsdPricePerLiter: '90.00', hsdInLiters: '10.00' });
/** An exception: two challans of today with one TP number. */
async function enterTpTwice({ tenant, refs }: Scene): Promise<void> {
  const today = dayOf(new Date());
  const days = { loadingDate: today, unloadingDate: today, depositedAt: today };
  for (let n = 0; n < 2; n += 1) await createChallan(api, tenant, refs, { ...days, tpNo: 'TWICE1' });
}
const setFine = (token: string) =>
  done(
    c.exceptions.setFine,
    { body: { items: [{ kind: 'tp', subject: 'TWICE1' }], reason: 'Agreed by phone' } },
    token,
  );

/** Of everything that the payment of the scene still pays. */
async function makeBankFile({ refs }: Scene, token: string): Promise<void> {
  const { batchId, bankAccountId, bankLayoutId } = refs;
  const asked = { batchIds: [batchId], bankAccountId };
  const { lines } = (await api.call(c.bankFiles.check, { body: asked }, { token })).body.data;
  const chosen = lines.map(({ ownerId, amount }) => ({ batchId, ownerId, amount, route: 'NEFT' as const }));
  const body = { ...asked, layoutId: bankLayoutId, valueOn: '2026-04-20', lines: chosen };
  await done(c.bankFiles.create, { body }, token);
}
async function answerNewestFile(token: string): Promise<void> {
  const [file] = (await api.call(c.bankFiles.list, {}, { token })).body.data;
  const failed = { outcome: 'failed', utr: '', reason: 'ACCOUNT CLOSED' } as const;
  await done(c.bankAnswers.accept, { body: buildAnswer(file?.id ?? '', null, failed) }, token);
}
const acts: Write[] = [
  {
    name: 'people.invite',
    what: '',
    act: (_, token) =>
      done(c.people.invite, { body: { email: `touch${Math.random()}@transport.test`, seat: 'clerk' } }, token),
  },
  {
    name: 'people.update',
    what: '',
    act: ({ refs }, token) =>
      done(c.people.update, { params: { id: refs.personId }, body: { seat: 'accountant' } }, token),
  },
  {
    name: 'people.newLink',
    what: '',
    act: ({ refs }, token) => done(c.people.newLink, { params: { id: refs.personId } }, token),
  },
  {
    name: 'people.endSessions',
    what: '',
    act: ({ refs }, token) => done(c.people.endSessions, { params: { id: refs.personId } }, token),
  },
  {
    name: 'people.resetSecondStep',
    what: '',
    // The person of the scene has not joined, and can set up none.
    prepare: ({ refs }) =>
      asSchemaOwner(api, (client) =>
        client.query(`INSERT INTO second_steps (account_id, sealed_secret, confirmed_at) VALUES ($1, '\\x00', now())`, [
          refs.personId,
        ]),
      ),
    act: ({ refs }, token) => done(c.people.resetSecondStep, { params: { id: refs.personId } }, token),
  },
  {
    name: 'people.demandSecondStep',
    what: '',
    // Who lacks one could read nothing any more.
    prepare: (_, token) => turnOnSecondStep(api, { token }),
    act: (_, token) => done(c.people.demandSecondStep, { body: { isDemanded: true } }, token),
  },
  { name: 'secondStep.confirm', what: '', act: (_, token) => turnOnSecondStep(api, { token }) },
  {
    name: 'secondStep.renewCodes',
    what: '',
    prepare: (_, token) => turnOnSecondStep(api, { token }),
    act: (_, token) => done(c.secondStep.renewCodes, {}, token),
  },
  {
    name: 'secondStep.turnOff',
    what: '',
    prepare: (_, token) => turnOnSecondStep(api, { token }),
    act: (_, token) => done(c.secondStep.turnOff, {}, token),
  },
  {
    name: 'subadmins.resetSecondStep',
    what: '',
    role: 'admin',
    prepare: ({ tenant }) => turnOnSecondStep(api, tenant),
    act: ({ refs }, token) => done(c.subadmins.resetSecondStep, { params: { id: refs.accountId } }, token),
  },
  {
    name: 'people.setOwnName',
    what: '',
    act: (_, token) => done(c.people.setOwnName, { body: { name: 'Tarini Owner' } }, token),
  },
  {
    name: 'session.end',
    what: '',
    act: ({ refs }, token) => done(c.session.end, { params: { id: refs.sessionId } }, token),
  },
  {
    name: 'session.endOthers',
    what: '',
    prepare: ({ tenant: { email, password } }, token) =>
      done(c.session.loginSubadmin, { body: { email, password } }, token),
    act: (_, token) => done(c.session.endOthers, {}, token),
  },
  {
    name: 'profile.update',
    what: '',
    act: (_, token) => done(c.profile.update, { body: { bannerName: 'New banner', gstNo: '21ABCDE1234F1Z5' } }, token),
  },
  {
    name: 'profile.changePassword',
    what: '',
    act: ({ tenant }, token) =>
      done(
        c.profile.changePassword,
        {
          body: {
            currentPassword: tenant.password,
            newPassword: 'correct horse 43',
            confirmPassword: 'correct horse 43',
          },
        },
        token,
      ),
  },
  {
    name: 'session.changeAdminPassword',
    what: '',
    role: 'admin',
    prepare: (_, token) =>
      done(c.session.loginAdmin, { body: { email: 'admin@challan.test', password: 'correct horse 42' } }, token),
    act: (_, token) =>
      done(
        c.session.changeAdminPassword,
        {
          body: {
            currentPassword: 'correct horse 42',
            newPassword: 'correct horse 43',
            confirmPassword: 'correct horse 43',
          },
        },
        token,
      ),
  },
  {
    name: 'subadmins.create',
    what: '',
    role: 'admin',
    act: (_, token) =>
      done(
        c.subadmins.create,
        {
          body: {
            email: `touch${Math.random()}@transport.test`,
            password: 'six chars',
            bannerName: 'Touched',
            gstNo: '21ABCDE1234F1Z5',
            contactNumber: '9876543210',
            officeAddress: 'Station Road',
          },
        },
        token,
      ),
  },
  {
    name: 'subadmins.update',
    what: 'the banner name',
    role: 'admin',
    act: ({ refs }, token) =>
      done(c.subadmins.update, { params: { id: refs.accountId }, body: { bannerName: 'Renamed' } }, token),
  },
  {
    name: 'subadmins.setActive',
    what: 'off',
    role: 'admin',
    act: ({ refs }, token) =>
      done(c.subadmins.setActive, { params: { id: refs.accountId }, body: { isActive: false } }, token),
  },
  {
    name: 'subadmins.remove',
    what: '',
    role: 'admin',
    act: ({ refs }, token) => done(c.subadmins.remove, { params: { id: refs.accountId } }, token),
  },
  {
    name: 'preferences.put',
    what: 'a view of a list is kept',
    act: (_, token) => done(c.preferences.put, { body: { key: 'views:challans', value: '[]' } }, token),
  },
  {
    name: 'settings.update',
    what: '',
    role: 'admin',
    act: (_, token) => done(c.settings.update, { body: { copiesPerDay: 50 } }, token),
  },
  { name: 'owners.create', what: '', act: (_, token) => done(c.owners.create, { body: buildOwner() }, token) },
  {
    name: 'owners.update',
    what: 'name and account',
    act: ({ refs }, token) =>
      done(c.owners.update, { params: { id: refs.ownerId }, body: { name: 'Renamed owner', accountNo: '9' } }, token),
  },
  {
    name: 'owners.remove',
    what: '',
    act: ({ refs }, token) => done(c.owners.remove, { params: { id: refs.freeOwnerId } }, token),
  },
  {
    name: 'owners.copy',
    what: '',
    act: (_, token) => done(c.owners.copy, { body: { ownerIds: [other.refs.ownerId] } }, token),
  },
  {
    name: 'trucks.create',
    what: '',
    act: ({ refs }, token) => done(c.trucks.create, { body: buildTruck(refs.ownerId) }, token),
  },
  {
    name: 'trucks.update',
    what: 'its owner',
    act: ({ refs }, token) =>
      done(
        c.trucks.update,
        { params: { id: refs.truckId }, body: { ownerId: refs.freeOwnerId, noOfWheels: 6 } },
        token,
      ),
  },
  {
    name: 'trucks.remove',
    what: '',
    act: ({ refs }, token) => done(c.trucks.remove, { params: { id: refs.truckId } }, token),
  },
  { name: 'tags.create', what: '', act: (_, token) => done(c.tags.create, { body: buildTag() }, token) },
  {
    name: 'tags.update',
    what: 'name and color',
    act: ({ refs }, token) =>
      done(c.tags.update, { params: { id: refs.tagId }, body: { name: 'Renamed tag', color: '#010203' } }, token),
  },
  {
    name: 'tags.update',
    what: 'of one without challans',
    act: ({ refs }, token) =>
      done(c.tags.update, { params: { id: refs.freeTagId }, body: { name: 'Renamed free' } }, token),
  },
  {
    name: 'tags.remove',
    what: '',
    act: ({ refs }, token) => done(c.tags.remove, { params: { id: refs.freeTagId } }, token),
  },
  { name: 'petrolPumps.create', what: '', act: (_, token) => done(c.petrolPumps.create, { body: buildPump() }, token) },
  {
    name: 'petrolPumps.update',
    what: 'name',
    act: ({ refs }, token) =>
      done(c.petrolPumps.update, { params: { id: refs.pumpId }, body: { name: 'Renamed pump' } }, token),
  },
  {
    name: 'petrolPumps.remove',
    what: 'that challans name',
    act: ({ refs }, token) => done(c.petrolPumps.remove, { params: { id: refs.pumpId } }, token),
  },
  ...[false, true].map((paymentStatus): Write => ({
    name: 'challans.create',
    what: paymentStatus ? 'paid' : 'unpaid',
    act: (scene, token) =>
      done(c.challans.create, { body: buildChallan(scene.refs, { paymentStatus, ...pumped(scene) }) }, token),
  })),
  {
    name: 'challans.createMany',
    what: 'paid and unpaid',
    act: (scene, token) =>
      done(
        c.challans.createMany,
        {
          body: {
            mode: 'all',
            rows: [false, true].map((paymentStatus) => ({
              key: String(paymentStatus),
              ...buildChallan(scene.refs, { paymentStatus, ...pumped(scene) }),
            })),
          },
        },
        token,
      ),
  },
  {
    name: 'challans.update',
    what: 'paid',
    act: ({ refs }, token) =>
      done(c.challans.update, { params: { id: refs.challanId }, body: { paymentStatus: true } }, token),
  },
  {
    name: 'challans.update',
    what: 'unpaid',
    act: ({ refs }, token) =>
      done(c.challans.update, { params: { id: refs.paidChallanId }, body: { paymentStatus: false } }, token),
  },
  {
    name: 'challans.update',
    what: 'its tag and days',
    act: ({ refs }, token) =>
      done(
        c.challans.update,
        { params: { id: refs.challanId }, body: { tagId: refs.freeTagId, depositedAt: '2026-04-20' } },
        token,
      ),
  },
  {
    name: 'challans.update',
    what: 'its money',
    act: ({ refs }, token) =>
      done(
        c.challans.update,
        { params: { id: refs.challanId }, body: { advanceMoney: '7.00', discounterId: refs.freeOwnerId } },
        token,
      ),
  },
  {
    name: 'challans.remove',
    what: '',
    act: ({ refs }, token) => done(c.challans.remove, { params: { id: refs.challanId } }, token),
  },
  {
    name: 'challans.setHold',
    what: '',
    act: ({ refs }, token) =>
      done(c.challans.setHold, { params: { id: refs.challanId }, body: { reason: 'In dispute' } }, token),
  },
  {
    name: 'owners.setHold',
    what: '',
    act: ({ refs }, token) =>
      done(c.owners.setHold, { params: { id: refs.ownerId }, body: { reason: 'In dispute' } }, token),
  },
  {
    name: 'challans.setHsdVerified',
    what: '',
    act: ({ refs }, token) =>
      done(c.challans.setHsdVerified, { params: { id: refs.challanId }, body: { hsdVerified: true } }, token),
  },
  {
    name: 'owners.changeMany',
    what: 'deleted',
    act: ({ refs }, token) =>
      done(c.owners.changeMany, { body: { ids: [refs.freeOwnerId], act: { kind: 'delete' } } }, token),
  },
  {
    name: 'trucks.changeMany',
    what: 'of another owner',
    act: ({ refs }, token) => {
      const act = { kind: 'set' as const, values: { ownerId: refs.freeOwnerId } };
      return done(c.trucks.changeMany, { body: { ids: [refs.truckId], act } }, token);
    },
  },
  {
    name: 'tags.changeMany',
    what: 'of another colour',
    act: ({ refs }, token) => {
      const act = { kind: 'set' as const, values: { color: '#222222' } };
      return done(c.tags.changeMany, { body: { ids: [refs.tagId], act } }, token);
    },
  },
  {
    name: 'petrolPumps.changeMany',
    what: 'deleted',
    act: ({ refs }, token) =>
      done(c.petrolPumps.changeMany, { body: { ids: [refs.pumpId], act: { kind: 'delete' } } }, token),
  },
  ...(
    [
      ['of the tag', ({ freeTagId }) => ({ kind: 'set', values: { tagId: freeTagId } })],
      ['of the rate', () => ({ kind: 'set', values: { ratePerMT: '4321.00' } })],
      ['paid', () => ({ kind: 'paid', value: true })],
      ['unpaid', () => ({ kind: 'paid', value: false })],
      ['verified', () => ({ kind: 'hsdVerified', value: true })],
      ['deleted', () => ({ kind: 'delete' })],
    ] satisfies [string, (refs: Refs) => CallArguments<typeof c.challans.changeMany>['body']['act']][]
  ).map(([what, actOf]): Write => ({
    name: 'challans.changeMany',
    what,
    act: ({ refs }, token) => {
      const selection = { by: 'ids' as const, challanIds: [refs.challanId, refs.paidChallanId] };
      return done(c.challans.changeMany, { body: { selection, act: actOf(refs) } }, token);
    },
  })),
  {
    name: 'bankStatement.markPaid',
    what: '',
    act: ({ refs }, token) => done(c.bankStatement.markPaid, { body: { challanIds: [refs.challanId] } }, token),
  },
  {
    name: 'bankStatement.markMatchingPaid',
    what: '',
    act: (_, token) => done(c.bankStatement.markMatchingPaid, { body: { filters: {}, paymentStatus: true } }, token),
  },
  {
    name: 'paymentBatches.writeTo',
    what: '',
    act: ({ refs }, token) =>
      done(c.paymentBatches.writeTo, { params: { id: refs.batchId }, body: { ownerId: refs.ownerId } }, token),
  },
  {
    name: 'paymentBatches.takeBackCarry',
    what: '',
    prepare: async ({ tenant, refs }, token) => {
      const { id, netAmountPayable } = await createChallan(api, tenant, refs, { advanceMoney: '99999.00' });
      const carries = [{ ownerId: refs.ownerId, amount: subtract('0', netAmountPayable) }];
      await done(c.bankStatement.markPaid, { body: { challanIds: [id], carries } }, token);
    },
    act: async ({ refs }, token) => {
      const [batch] = (await api.call(c.paymentBatches.list, {}, { token })).body.data;
      await done(c.paymentBatches.takeBackCarry, { params: { id: batch?.id ?? '', ownerId: refs.ownerId } }, token);
    },
  },
  {
    name: 'paymentBatches.reverse',
    what: '',
    act: ({ refs }, token) =>
      done(c.paymentBatches.reverse, { params: { id: refs.batchId }, body: { reason: 'Sent back' } }, token),
  },
  {
    name: 'preparedPayments.prepare',
    what: '',
    act: ({ refs }, token) =>
      done(c.preparedPayments.prepare, { body: { pay: { challanIds: [refs.challanId] } } }, token),
  },
  {
    name: 'preparedPayments.release',
    what: '',
    act: ({ refs }, token) => done(c.preparedPayments.release, { params: { id: refs.preparedId } }, token),
  },
  {
    name: 'preparedPayments.sendBack',
    what: '',
    act: ({ refs }, token) =>
      done(c.preparedPayments.sendBack, { params: { id: refs.preparedId }, body: { reason: 'Which owner?' } }, token),
  },
  {
    name: 'preparedPayments.withdraw',
    what: '',
    act: ({ refs }, token) => done(c.preparedPayments.withdraw, { params: { id: refs.ownPreparedId } }, token),
  },
  {
    name: 'preparedPayments.confirmAccount',
    what: '',
    act: ({ refs: { changedOwnerId: id } }, token) => {
      const body = { lastFour: '1111', called: '9876543210' };
      return done(c.preparedPayments.confirmAccount, { params: { id }, body }, token);
    },
  },
  {
    name: 'preparedPayments.setRule',
    what: '',
    act: (_, token) =>
      done(
        c.preparedPayments.setRule,
        { body: { aboveOne: '500000.00', aboveDay: null, accountantUpTo: null } },
        token,
      ),
  },
  {
    name: 'preparedPayments.confirmRule',
    what: '',
    prepare: (scene, token) => askForLooserRule(api, scene, token),
    act: (_, token) => done(c.preparedPayments.confirmRule, { body: { version: 2 } }, token),
  },
  {
    name: 'declarations.create',
    what: '',
    act: ({ refs }, token) => done(c.declarations.create, { body: buildDeclaration(refs.ownerId) }, token),
  },
  {
    name: 'declarations.update',
    what: 'the days',
    act: ({ refs }, token) =>
      done(c.declarations.update, { params: { id: refs.declarationId }, body: { withdrawnOn: '2025-06-01' } }, token),
  },
  {
    name: 'declarations.remove',
    what: '',
    act: ({ refs }, token) => done(c.declarations.remove, { params: { id: refs.declarationId } }, token),
  },
  {
    name: 'tdsDeposits.create',
    what: '',
    act: (_, token) => done(c.tdsDeposits.create, { body: buildTdsDeposit() }, token),
  },
  {
    name: 'tdsDeposits.update',
    what: 'the days',
    act: ({ refs }, token) =>
      done(
        c.tdsDeposits.update,
        { params: { id: refs.tdsDepositId }, body: { deductedFrom: '2026-10-01', deductedTo: '2026-10-02' } },
        token,
      ),
  },
  {
    name: 'tdsDeposits.remove',
    what: '',
    act: ({ refs }, token) => done(c.tdsDeposits.remove, { params: { id: refs.tdsDepositId } }, token),
  },
  {
    name: 'bankAccounts.create',
    what: '',
    act: (_, token) => done(c.bankAccounts.create, { body: buildBankAccount() }, token),
  },
  {
    name: 'bankAccounts.update',
    what: '',
    act: ({ refs }, token) =>
      done(c.bankAccounts.update, { params: { id: refs.bankAccountId }, body: { name: 'Renamed account' } }, token),
  },
  {
    name: 'bankAccounts.remove',
    what: '',
    act: ({ refs }, token) => done(c.bankAccounts.remove, { params: { id: refs.bankAccountId } }, token),
  },
  {
    name: 'bankLayouts.create',
    what: '',
    act: (_, token) => done(c.bankLayouts.create, { body: buildBankLayout() }, token),
  },
  {
    name: 'bankLayouts.update',
    what: '',
    act: ({ refs }, token) =>
      done(
        c.bankLayouts.update,
        { params: { id: refs.bankLayoutId }, body: { ...buildBankLayout(), version: 1 } },
        token,
      ),
  },
  {
    name: 'bankLayouts.remove',
    what: 'that no account uses any more',
    prepare: ({ refs }, token) =>
      done(c.bankAccounts.update, { params: { id: refs.bankAccountId }, body: { layout: 'A' } }, token),
    act: ({ refs }, token) => done(c.bankLayouts.remove, { params: { id: refs.bankLayoutId } }, token),
  },
  { name: 'bankFiles.create', what: '', act: (scene, token) => makeBankFile(scene, token) },
  {
    name: 'bankFiles.withdraw',
    what: '',
    prepare: (scene, token) => makeBankFile(scene, token),
    act: async (_, token) => {
      const [file] = (await api.call(c.bankFiles.list, {}, { token })).body.data;
      await done(c.bankFiles.withdraw, { params: { id: file?.id ?? '' }, body: { reason: 'Not uploaded' } }, token);
    },
  },
  {
    name: 'bankAnswers.importStatement',
    what: '',
    act: ({ refs: { bankAccountId } }, token) =>
      done(
        c.bankAnswers.importStatement,
        { body: { bankAccountId, fileName: 'may.csv', rows: buildStatement() } },
        token,
      ),
  },
  {
    name: 'bankAnswers.setAside',
    what: '',
    act: ({ refs }, token) =>
      done(c.bankAnswers.setAside, { body: { ids: [refs.statementLineId], note: 'Rent' } }, token),
  },
  {
    name: 'bankAnswers.takeBack',
    what: '',
    prepare: ({ refs }, token) =>
      done(c.bankAnswers.setAside, { body: { ids: [refs.statementLineId], note: 'Rent' } }, token),
    act: ({ refs }, token) => done(c.bankAnswers.takeBack, { body: { ids: [refs.statementLineId] } }, token),
  },
  {
    name: 'bankAnswers.accept',
    what: 'that a line failed',
    prepare: (scene, token) => makeBankFile(scene, token),
    act: (_, token) => answerNewestFile(token),
  },
  {
    name: 'bankAnswers.undo',
    what: 'that a line failed',
    prepare: async (scene, token) => {
      await makeBankFile(scene, token);
      await answerNewestFile(token);
    },
    act: async (_, token) => {
      const [answer] = (await api.call(c.bankAnswers.list, {}, { token })).body.data;
      await done(c.bankAnswers.undo, { params: { id: answer?.id ?? '' } }, token);
    },
  },
  {
    name: 'batches.undo',
    what: 'of a tag',
    act: ({ refs }, token) => done(c.batches.undo, { params: { id: refs.tagBatchId } }, token),
  },
  {
    name: 'imports.apply',
    what: 'of a tag that is new',
    act: (_, token) => done(c.imports.apply, { body: buildTagImport('Imported').body }, token),
  },
  { name: 'imports.addSample', what: '', act: (_, token) => done(c.imports.addSample, {}, token) },
  {
    name: 'hsdVerification.upload',
    what: '',
    act: async (_, token) => {
      const lines = [
        '--line',
        'content-disposition: form-data; name="file"; filename="pump.csv"',
        'content-type: text/csv',
        '',
        'TP No,Amount',
        'TP1,900.00',
        '--line--',
        '',
      ];
      const answer = await api.callRaw('POST', '/api/challans/hsd-verification/upload', {
        token,
        payload: lines.join('\r\n'),
        headers: { 'content-type': 'multipart/form-data; boundary=line' },
      });
      if (answer.status !== 200) throw new Error(answer.text);
    },
  },
  {
    name: 'hsdVerification.accept',
    what: '',
    act: ({ refs }, token) => {
      const rows = [{ row: 2, challanId: refs.challanId, challanAmount: '0.00' }];
      return done(c.hsdVerification.accept, { body: { uploadId: refs.hsdUploadId, rows, reason: 'seen' } }, token);
    },
  },
  {
    name: 'hsdVerification.setPumpSettings',
    what: '',
    act: ({ refs }, token) =>
      done(c.hsdVerification.setPumpSettings, { params: { id: refs.pumpId }, body: { tolerance: '2.50' } }, token),
  },
  {
    name: 'hsdVerification.verify',
    what: '',
    act: ({ refs }, token) => done(c.hsdVerification.verify, { body: { challanIds: [refs.challanId] } }, token),
  },
  {
    name: 'accounting.shareOnWhatsapp',
    what: '',
    act: ({ refs }, token) =>
      done(c.accounting.shareOnWhatsapp, { body: { ownerId: refs.ownerId, filters: {} } }, token),
  },
  {
    name: 'periodLock.lock',
    what: '',
    act: (_, token) => done(c.periodLock.lock, { body: { upTo: '2001-01-02' } }, token),
  },
  {
    name: 'periodLock.lift',
    what: '',
    act: (_, token) => done(c.periodLock.lift, { body: { reason: 'A wrong rate', hours: 1 } }, token),
  },
  {
    name: 'tds.updateSettings',
    what: '',
    act: (_, token) => done(c.tds.updateSettings, { body: buildTdsSettings() }, token),
  },
  {
    name: 'monthPacks.create',
    what: '',
    act: (_, token) => done(c.monthPacks.create, { body: { month: '2001-02' } }, token),
  },
  {
    name: 'tally.updateSettings',
    what: '',
    act: (_, token) =>
      done(c.tally.updateSettings, { body: buildTallySettings({ version: 1, grouping: 'challan' }) }, token),
  },
  {
    name: 'tally.create',
    what: '',
    act: (_, token) =>
      done(c.tally.create, { body: { what: { kind: 'period', from: '2026-04-01', to: '2027-03-31' } } }, token),
  },
  {
    name: 'exceptions.setFine',
    what: 'a TP number that came twice',
    prepare: enterTpTwice,
    act: (_, token) => setFine(token),
  },
  {
    name: 'exceptions.takeBack',
    what: '',
    prepare: async (scene, token) => {
      await enterTpTwice(scene);
      await setFine(token);
    },
    act: async (_, token) => {
      const { body } = await api.call(c.exceptions.list, { query: { fine: 'only' } }, { token });
      await done(c.exceptions.takeBack, { body: { ids: body.data.map(({ fine }) => fine?.id ?? '') } }, token);
    },
  },
  {
    name: 'sharedReports.revoke',
    what: '',
    act: ({ refs }, token) => done(c.sharedReports.revoke, { params: { id: refs.reportId } }, token),
  },
  {
    name: 'ownerStatements.print',
    what: 'of another period',
    act: ({ refs: { ownerId } }, token) =>
      done(c.ownerStatements.print, { body: { ownerId, startDate: null, endDate: '2026-06-29' } }, token),
  },
  {
    name: 'ownerStatements.setOpenings',
    what: 'a correction',
    act: ({ refs: { ownerId } }, token) =>
      done(
        c.ownerStatements.setOpenings,
        { body: { entries: [{ ownerId, asOf: '2026-04-01', amount: '-5.00' }] } },
        token,
      ),
  },
];

describe('what a write changes is asked again', () => {
  it('of every write there is', () => {
    expect(sorted([...new Set(acts.map(({ name }) => name))])).toEqual(sorted(Object.keys(askedAgain)));
  });

  const chosen = isFull ? acts : acts.filter(({ name }, at) => acts.findIndex((one) => one.name === name) === at);
  it.each(chosen.map((write) => [`${write.name} ${write.what}`, write] as const))(
    '%s',
    async (_, { name, role = 'subadmin', prepare, act }) => {
      const scene = await nextScene();
      const token = role === 'admin' ? api.adminToken : scene.tenant.token;
      await prepare?.(scene, token);
      const before = await everyAnswer(scene, role, token);
      await act(scene, token);
      const after = await everyAnswer(scene, role, token);
      const changed = [...before].filter(([call, { text }]) => after.get(call)?.text !== text);
      expect(changed.length).toBeGreaterThan(0);
      // The palette asks anew each time it is opened.
      const asked = new Set<Resource>([...(askedAgain[name] ?? []), 'history', 'palette']);
      const forgotten = changed.filter(([, { resource }]) => !asked.has(resource)).map(([call]) => call);
      expect(forgotten).toEqual([]);
    },
  );
});
