import type { CallArguments, Endpoint } from '../../../src/shared/contract/define.ts';
import type { ErrorCode } from '../../../src/shared/contract/errors.ts';
import { contract, type Contract } from '../../../src/shared/contract/index.ts';
import {
  buildAnswer,
  buildAnswerRow,
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
} from './builders.ts';
import type { Refs } from './scene.ts';

/**
 * Who may call what (docs/security.md §1.3), as data: a call with valid arguments, and the status that each kind of
 * caller gets. The type has no room for a missing endpoint.
 */
export interface Cell<E extends Endpoint> {
  /** With the caller's own ids. */
  args: (refs: Refs) => CallArguments<E>;
  subadmin: number;
  admin: number;
  /** A sub-admin who puts another account's id in this place: the same as for an id that nobody has. */
  foreign?: Partial<Record<keyof Refs, 'OK' | ErrorCode>>;
}

type Table = { [R in keyof Contract]: { [V in keyof Contract[R]]: Cell<Contract[R][V] & Endpoint> } };

const forbidden = 403;
const forSubadmin = (status: number) => ({ subadmin: status, admin: forbidden });
const forAdmin = (status: number) => ({ subadmin: forbidden, admin: status });

let counter = 0;
function buildSubadmin() {
  counter += 1;
  return {
    email: `matrix${counter}@transport.test`,
    password: 'six chars',
    bannerName: 'Matrix',
    gstNo: '21ABCDE1234F1Z5',
    contactNumber: '9876543210',
    officeAddress: 'Station Road',
  };
}
/** Another address each time: tries on one account are throttled. */
function buildCredentials() {
  counter += 1;
  return { email: `nobody${counter}@transport.test`, password: 'not a password' };
}
const buildImport = () => buildTagImport(`Imported ${(counter += 1)}`);
const byId = (id: string) => ({ params: { id } });
const ownerReport = ({ ownerId, tagId }: Refs) => ({ body: { ownerId, filters: { tagId } } });

export const table: Table = {
  session: {
    loginAdmin: { args: () => ({ body: buildCredentials() }), subadmin: 401, admin: 401 },
    loginSubadmin: { args: () => ({ body: buildCredentials() }), subadmin: 401, admin: 401 },
    logout: { args: () => ({}), subadmin: 204, admin: 204 },
    list: { args: () => ({}), subadmin: 200, admin: 200 },
    signIns: { args: () => ({}), ...forAdmin(200) },
    // A wrong guess, so that the admin of the other rows stays signed in; the change itself is profile.test.ts.
    changeAdminPassword: {
      args: () => ({
        body: { currentPassword: 'not this one', newPassword: 'another one', confirmPassword: 'another one' },
      }),
      ...forAdmin(400),
    },
    end: {
      args: ({ sessionId }) => ({ params: { id: sessionId } }),
      subadmin: 200,
      admin: 404,
      foreign: { sessionId: 'NOT_FOUND' },
    },
    endOthers: { args: () => ({}), subadmin: 200, admin: 200 },
  },
  subadmins: {
    list: { args: () => ({}), ...forAdmin(200) },
    create: { args: () => ({ body: buildSubadmin() }), ...forAdmin(201) },
    update: {
      args: ({ accountId }) => ({ params: { id: accountId }, body: { officeAddress: 'Another road' } }),
      ...forAdmin(200),
    },
    setActive: {
      args: ({ accountId }) => ({ params: { id: accountId }, body: { isActive: true } }),
      ...forAdmin(200),
    },
    resetSecondStep: { args: ({ accountId }) => ({ params: { id: accountId } }), ...forAdmin(200) },
    remove: { args: ({ accountId }) => ({ params: { id: accountId } }), ...forAdmin(200) },
  },
  profile: {
    get: { args: () => ({}), ...forSubadmin(200) },
    update: { args: () => ({ body: { officeAddress: 'Station Road, Barbil' } }), ...forSubadmin(200) },
    changePassword: {
      args: () => ({
        body: {
          currentPassword: 'correct horse 42',
          newPassword: 'correct horse 43',
          confirmPassword: 'correct horse 43',
        },
      }),
      ...forSubadmin(200),
    },
    takeOut: { args: () => ({ body: { currentPassword: 'correct horse 42' } }), ...forSubadmin(200) },
  },
  people: {
    list: { args: () => ({}), ...forSubadmin(200) },
    listNames: { args: () => ({}), ...forSubadmin(200) },
    invite: {
      args: () => ({ body: { email: buildCredentials().email, seat: 'clerk' } }),
      ...forSubadmin(201),
    },
    update: {
      args: ({ personId }) => ({ params: { id: personId }, body: { seat: 'accountant' } }),
      ...forSubadmin(200),
      foreign: { personId: 'NOT_FOUND' },
    },
    newLink: {
      args: ({ personId }) => byId(personId),
      ...forSubadmin(200),
      foreign: { personId: 'NOT_FOUND' },
    },
    endSessions: {
      args: ({ personId }) => byId(personId),
      ...forSubadmin(200),
      foreign: { personId: 'NOT_FOUND' },
    },
    resetSecondStep: {
      args: ({ personId }) => byId(personId),
      ...forSubadmin(200),
      foreign: { personId: 'NOT_FOUND' },
    },
    demandSecondStep: { args: () => ({ body: { isDemanded: false } }), ...forSubadmin(200) },
    setOwnName: { args: () => ({ body: { name: 'Tarini Owner' } }), ...forSubadmin(200) },
    viewAs: { args: () => ({ body: { seat: 'clerk' } }), ...forSubadmin(200) },
    endViewAs: { args: () => ({}), ...forSubadmin(200) },
    readLink: { args: () => ({ body: { token: 'nobody has this link' } }), subadmin: 404, admin: 404 },
    join: {
      args: () => ({ body: { token: 'nobody has this link', name: 'Nobody', password: 'six chars' } }),
      subadmin: 404,
      admin: 404,
    },
  },
  secondStep: {
    get: { args: () => ({}), subadmin: 200, admin: 200 },
    begin: { args: () => ({}), subadmin: 200, admin: 200 },
    confirm: { args: () => ({ body: { code: '000000' } }), subadmin: 400, admin: 400 },
    renewCodes: { args: () => ({}), subadmin: 404, admin: 404 },
    turnOff: { args: () => ({}), subadmin: 200, admin: 200 },
    signInAdmin: { args: () => ({ body: { token: 'nobody has it', code: '000000' } }), subadmin: 401, admin: 401 },
    signInSubadmin: { args: () => ({ body: { token: 'nobody has it', code: '000000' } }), subadmin: 401, admin: 401 },
    confirmAgain: { args: () => ({ body: { password: 'not this one' } }), subadmin: 400, admin: 400 },
  },
  owners: {
    list: { args: () => ({ query: { limit: 100 } }), ...forSubadmin(200) },
    get: {
      args: ({ ownerId }) => ({ params: { id: ownerId } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'NOT_FOUND' },
    },
    search: { args: () => ({ query: { q: 'owner' } }), ...forSubadmin(200) },
    usage: {
      args: ({ ownerId }) => ({ params: { id: ownerId } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'NOT_FOUND' },
    },
    create: { args: () => ({ body: buildOwner() }), ...forSubadmin(201) },
    update: {
      args: ({ ownerId }) => ({ params: { id: ownerId }, body: { branchName: 'Rourkela' } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'NOT_FOUND' },
    },
    setHold: {
      args: ({ ownerId }) => ({ params: { id: ownerId }, body: { reason: 'Papers are missing' } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'NOT_FOUND' },
    },
    remove: {
      args: ({ freeOwnerId }) => ({ params: { id: freeOwnerId } }),
      ...forSubadmin(200),
      foreign: { freeOwnerId: 'NOT_FOUND' },
    },
    previewMany: {
      args: ({ freeOwnerId }) => ({ body: { ids: [freeOwnerId], act: { kind: 'delete' } } }),
      ...forSubadmin(200),
      foreign: { freeOwnerId: 'OK' },
    },
    changeMany: {
      args: ({ freeOwnerId }) => ({ body: { ids: [freeOwnerId], act: { kind: 'delete' } } }),
      ...forSubadmin(200),
      foreign: { freeOwnerId: 'NOT_FOUND' },
    },
    listAllSystem: { args: () => ({ query: { limit: 100 } }), subadmin: 200, admin: 200 },
    getCopiedByOthers: { args: () => ({}), ...forSubadmin(200) },
    listCopied: { args: () => ({}), ...forSubadmin(200) },
    listAllCopied: { args: () => ({}), ...forAdmin(200) },
    // An own id, so that nothing is copied here: what Copy may take from other accounts is copy.test.ts.
    copy: { args: ({ ownerId }) => ({ body: { ownerIds: [ownerId] } }), ...forSubadmin(200) },
  },
  trucks: {
    list: { args: () => ({ query: { limit: 100 } }), ...forSubadmin(200) },
    search: { args: () => ({ query: { q: 'OD' } }), ...forSubadmin(200) },
    lookUp: {
      args: ({ truckNumber }) => ({ params: { vehicleNumber: truckNumber } }),
      ...forSubadmin(200),
      foreign: { truckNumber: 'NOT_FOUND' },
    },
    create: {
      args: ({ ownerId }) => ({ body: buildTruck(ownerId) }),
      ...forSubadmin(201),
      foreign: { ownerId: 'INVALID_REFERENCE' },
    },
    update: {
      args: ({ truckId, freeOwnerId }) => ({ params: { id: truckId }, body: { ownerId: freeOwnerId } }),
      ...forSubadmin(200),
      foreign: { truckId: 'NOT_FOUND', freeOwnerId: 'INVALID_REFERENCE' },
    },
    remove: {
      args: ({ truckId }) => ({ params: { id: truckId } }),
      ...forSubadmin(200),
      foreign: { truckId: 'NOT_FOUND' },
    },
    // Another's record is answered as one that is not there any more: see records-bulk.test.ts.
    previewMany: {
      args: ({ truckId, freeOwnerId }) => ({
        body: { ids: [truckId], act: { kind: 'set', values: { ownerId: freeOwnerId } } },
      }),
      ...forSubadmin(200),
      foreign: { truckId: 'OK', freeOwnerId: 'INVALID_REFERENCE' },
    },
    changeMany: {
      args: ({ truckId, freeOwnerId }) => ({
        body: { ids: [truckId], act: { kind: 'set', values: { ownerId: freeOwnerId, noOfWheels: 14 } } },
      }),
      ...forSubadmin(200),
      foreign: { truckId: 'NOT_FOUND', freeOwnerId: 'INVALID_REFERENCE' },
    },
  },
  tags: {
    list: { args: () => ({ query: { limit: 100 } }), ...forSubadmin(200) },
    get: { args: ({ tagId }) => ({ params: { id: tagId } }), ...forSubadmin(200), foreign: { tagId: 'NOT_FOUND' } },
    usage: { args: ({ tagId }) => ({ params: { id: tagId } }), ...forSubadmin(200), foreign: { tagId: 'NOT_FOUND' } },
    create: { args: () => ({ body: buildTag() }), ...forSubadmin(201) },
    update: {
      args: ({ tagId }) => ({ params: { id: tagId }, body: { color: '#111111' } }),
      ...forSubadmin(200),
      foreign: { tagId: 'NOT_FOUND' },
    },
    remove: {
      args: ({ freeTagId }) => ({ params: { id: freeTagId } }),
      ...forSubadmin(200),
      foreign: { freeTagId: 'NOT_FOUND' },
    },
    previewMany: {
      args: ({ tagId }) => ({ body: { ids: [tagId], act: { kind: 'delete' } } }),
      ...forSubadmin(200),
      foreign: { tagId: 'OK' },
    },
    changeMany: {
      args: ({ tagId }) => ({ body: { ids: [tagId], act: { kind: 'set', values: { color: '#222222' } } } }),
      ...forSubadmin(200),
      foreign: { tagId: 'NOT_FOUND' },
    },
  },
  petrolPumps: {
    list: { args: () => ({ query: { limit: 100 } }), ...forSubadmin(200) },
    get: { args: ({ pumpId }) => ({ params: { id: pumpId } }), ...forSubadmin(200), foreign: { pumpId: 'NOT_FOUND' } },
    create: { args: () => ({ body: buildPump() }), ...forSubadmin(201) },
    update: {
      args: ({ pumpId }) => ({ params: { id: pumpId }, body: { address: 'Bypass road' } }),
      ...forSubadmin(200),
      foreign: { pumpId: 'NOT_FOUND' },
    },
    remove: {
      args: ({ pumpId }) => ({ params: { id: pumpId } }),
      ...forSubadmin(200),
      foreign: { pumpId: 'NOT_FOUND' },
    },
    previewMany: {
      args: ({ pumpId }) => ({ body: { ids: [pumpId], act: { kind: 'delete' } } }),
      ...forSubadmin(200),
      foreign: { pumpId: 'OK' },
    },
    changeMany: {
      args: ({ pumpId }) => ({ body: { ids: [pumpId], act: { kind: 'delete' } } }),
      ...forSubadmin(200),
      foreign: { pumpId: 'NOT_FOUND' },
    },
  },
  challanGroups: {
    list: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId, groupBy: 'owner,month' } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    exportCsv: {
      args: ({ ownerId, tagId }) => ({ body: { filters: { ownerId, tagId }, groupBy: 'owner,month' } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    exportXlsx: {
      args: ({ ownerId, tagId }) => ({ body: { filters: { ownerId, tagId }, groupBy: 'owner,month' } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
  },
  challans: {
    list: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId, limit: 100 } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    listFields: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId, limit: 100, fields: 'vehicleNo,tag' } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    listRows: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId, limit: 100, totals: 'later' } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    getSums: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    get: {
      args: ({ challanId }) => ({ params: { id: challanId } }),
      ...forSubadmin(200),
      foreign: { challanId: 'NOT_FOUND' },
    },
    findByNumber: { args: () => ({ query: { q: 'CH-2627-000001' } }), ...forSubadmin(200) },
    findDuplicates: {
      args: ({ challanId }) => ({
        query: { tpNo: 'TP1', vehicleNo: 'OD09AB1234', loadingDate: '2026-04-10', excludeId: challanId },
      }),
      ...forSubadmin(200),
    },
    findLastRate: {
      args: ({ challanId }) => ({
        query: { loadingPlace: 'Talcher', unloadingPlace: 'Paradip', excludeId: challanId },
      }),
      ...forSubadmin(200),
    },
    create: {
      args: ({ ownerId, tagId, pumpId, freeOwnerId }) => ({
        body: buildChallan(
          { ownerId, tagId },
          { petrolPumpId: pumpId, hsdPricePerLiter: '90.00', hsdInLiters: '10.00', discounterId: freeOwnerId },
        ),
      }),
      ...forSubadmin(201),
      foreign: {
        ownerId: 'INVALID_REFERENCE',
        tagId: 'INVALID_REFERENCE',
        pumpId: 'INVALID_REFERENCE',
        freeOwnerId: 'INVALID_REFERENCE',
      },
    },
    checkSheet: {
      args: ({ truckNumber }) => ({
        body: {
          rows: [
            { key: 'a', vehicleNo: truckNumber, tpNo: 'TP1', loadingDate: '2026-04-10', ownerName: 'Owner 1' },
            { key: 'b', discounterName: 'Owner 2', tagName: 'TAG 1', petrolPumpName: 'Pump 1' },
          ],
        },
      }),
      ...forSubadmin(200),
      foreign: { truckNumber: 'OK' },
    },
    createMany: {
      args: ({ ownerId, tagId, pumpId, freeOwnerId }) => ({
        body: {
          mode: 'all' as const,
          rows: [
            { key: 'a', ...buildChallan({ ownerId, tagId }, { discounterId: freeOwnerId }) },
            {
              key: 'b',
              ...buildChallan(
                { ownerId, tagId },
                { petrolPumpId: pumpId, hsdPricePerLiter: '90.00', hsdInLiters: '10.00' },
              ),
            },
          ],
        },
      }),
      ...forSubadmin(201),
      foreign: {
        ownerId: 'ROWS_REFUSED',
        tagId: 'ROWS_REFUSED',
        pumpId: 'ROWS_REFUSED',
        freeOwnerId: 'ROWS_REFUSED',
      },
    },
    update: {
      args: ({ challanId, tagId, pumpId, freeOwnerId }) => ({
        params: { id: challanId },
        body: { remarks: 'seen', tagId, petrolPumpId: pumpId, discounterId: freeOwnerId },
      }),
      ...forSubadmin(200),
      foreign: {
        challanId: 'NOT_FOUND',
        tagId: 'INVALID_REFERENCE',
        pumpId: 'INVALID_REFERENCE',
        freeOwnerId: 'INVALID_REFERENCE',
      },
    },
    remove: {
      args: ({ challanId }) => ({ params: { id: challanId } }),
      ...forSubadmin(200),
      foreign: { challanId: 'NOT_FOUND' },
    },
    setHsdVerified: {
      args: ({ challanId }) => ({ params: { id: challanId }, body: { hsdVerified: true } }),
      ...forSubadmin(200),
      foreign: { challanId: 'NOT_FOUND' },
    },
    setHold: {
      args: ({ challanId }) => ({ params: { id: challanId }, body: { reason: 'Shortage in dispute' } }),
      ...forSubadmin(200),
      foreign: { challanId: 'NOT_FOUND' },
    },
    // Another's challan is answered as one that is not there any more: see challans-bulk.test.ts.
    previewMany: {
      args: ({ challanId, tagId }) => ({
        body: { selection: { by: 'ids', challanIds: [challanId] }, act: { kind: 'set', values: { tagId } } },
      }),
      ...forSubadmin(200),
      foreign: { challanId: 'OK', tagId: 'INVALID_REFERENCE' },
    },
    changeMany: {
      args: ({ challanId, freeTagId }) => ({
        body: {
          selection: { by: 'ids', challanIds: [challanId] },
          act: { kind: 'set', values: { tagId: freeTagId } },
        },
      }),
      ...forSubadmin(200),
      foreign: { challanId: 'NOT_FOUND', freeTagId: 'INVALID_REFERENCE' },
    },
    exportCsv: {
      args: ({ ownerId, tagId }) => ({ body: { filters: { ownerId, tagId } } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    exportXlsx: {
      args: ({ ownerId, tagId }) => ({ body: { filters: { ownerId, tagId }, columns: ['tpNo'] } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    // Another's challan is one that is not there.
    exportMany: {
      args: ({ challanId }) => ({ body: { selection: { by: 'ids' as const, challanIds: [challanId] } } }),
      ...forSubadmin(200),
      foreign: { challanId: 'OK' },
    },
  },
  bankStatement: {
    list: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    listOwners: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    exportCsv: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId, format: 'csv' as const } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    exportXlsx: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId, format: 'xlsx' as const } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', tagId: 'OK' },
    },
    // Another's challan is answered as one that is not there any more: see bank-statement-review.test.ts.
    review: {
      args: ({ ownerId, challanId }) => ({ body: { filters: { ownerId }, challanIds: [challanId] } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'OK', challanId: 'OK' },
    },
    markPaid: {
      args: ({ challanId, paidChallanId }) => ({ body: { challanIds: [paidChallanId, challanId] } }),
      ...forSubadmin(200),
      foreign: { challanId: 'NOT_FOUND', paidChallanId: 'NOT_FOUND' },
    },
    markMatchingPaid: {
      args: ({ ownerId, tagId }) => ({ body: { filters: { ownerId, tagId }, paymentStatus: true as const } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'NO_MATCHING_CHALLANS', tagId: 'NO_MATCHING_CHALLANS' },
    },
  },
  paymentBatches: {
    list: { args: () => ({}), ...forSubadmin(200) },
    takeBackCarry: {
      args: ({ batchId, ownerId }) => ({ params: { id: batchId, ownerId } }),
      ...forSubadmin(404),
      foreign: { batchId: 'NOT_FOUND', ownerId: 'NOT_FOUND' },
    },
    findByNumber: { args: () => ({ query: { q: 'PAY-2627-000001' } }), ...forSubadmin(200) },
    get: {
      args: ({ batchId }) => ({ params: { id: batchId } }),
      ...forSubadmin(200),
      foreign: { batchId: 'NOT_FOUND' },
    },
    owners: {
      args: ({ batchId }) => ({ params: { id: batchId } }),
      ...forSubadmin(200),
      foreign: { batchId: 'NOT_FOUND' },
    },
    exportCsv: {
      args: ({ batchId }) => ({ params: { id: batchId } }),
      ...forSubadmin(200),
      foreign: { batchId: 'NOT_FOUND' },
    },
    exportXlsx: {
      args: ({ batchId }) => ({ params: { id: batchId } }),
      ...forSubadmin(200),
      foreign: { batchId: 'NOT_FOUND' },
    },
    advice: {
      args: ({ batchId, ownerId }) => ({ params: { id: batchId }, query: { ownerId } }),
      ...forSubadmin(200),
      foreign: { batchId: 'NOT_FOUND', ownerId: 'NO_DATA_FOUND' },
    },
    listMessages: {
      args: ({ batchId }) => ({ params: { id: batchId } }),
      ...forSubadmin(200),
      foreign: { batchId: 'NOT_FOUND' },
    },
    writeTo: {
      args: ({ batchId, ownerId }) => ({ params: { id: batchId }, body: { ownerId } }),
      ...forSubadmin(200),
      foreign: { batchId: 'NOT_FOUND', ownerId: 'NO_DATA_FOUND' },
    },
    reverse: {
      args: ({ batchId }) => ({ params: { id: batchId }, body: { reason: 'The bank sent it back' } }),
      ...forSubadmin(200),
      foreign: { batchId: 'NOT_FOUND' },
    },
  },
  waiting: { get: { args: () => ({}), ...forSubadmin(200) } },
  preparedPayments: {
    list: { args: () => ({ query: { show: 'open' } }), ...forSubadmin(200) },
    owners: {
      args: ({ preparedId }) => ({ params: { id: preparedId } }),
      ...forSubadmin(200),
      foreign: { preparedId: 'NOT_FOUND' },
    },
    prepare: {
      args: ({ challanId }) => ({ body: { pay: { challanIds: [challanId] } } }),
      ...forSubadmin(201),
      foreign: { challanId: 'NOT_FOUND' },
    },
    release: {
      args: ({ preparedId }) => ({ params: { id: preparedId }, body: {} }),
      ...forSubadmin(200),
      foreign: { preparedId: 'NOT_FOUND' },
    },
    sendBack: {
      args: ({ preparedId }) => ({ params: { id: preparedId }, body: { reason: 'Which owner is this?' } }),
      ...forSubadmin(200),
      foreign: { preparedId: 'NOT_FOUND' },
    },
    withdraw: {
      args: ({ ownPreparedId }) => ({ params: { id: ownPreparedId } }),
      ...forSubadmin(200),
      foreign: { ownPreparedId: 'NOT_FOUND' },
    },
    listAccounts: { args: () => ({}), ...forSubadmin(200) },
    confirmAccount: {
      args: ({ changedOwnerId }) => ({
        params: { id: changedOwnerId },
        body: { lastFour: '1111', called: '9876543210' },
      }),
      ...forSubadmin(200),
      foreign: { changedOwnerId: 'NOT_FOUND' },
    },
    getRule: { args: () => ({}), ...forSubadmin(200) },
    setRule: {
      args: () => ({ body: { aboveOne: '500000.00', aboveDay: '900000.00', accountantUpTo: null } }),
      ...forSubadmin(200),
    },
    // Nobody has asked for a looser rule.
    confirmRule: { args: () => ({ body: { version: 1 } }), ...forSubadmin(409) },
  },
  bankAccounts: {
    list: { args: () => ({ query: { limit: 100 } }), ...forSubadmin(200) },
    get: {
      args: ({ bankAccountId }) => ({ params: { id: bankAccountId } }),
      ...forSubadmin(200),
      foreign: { bankAccountId: 'NOT_FOUND' },
    },
    create: {
      args: ({ bankLayoutId }) => ({ body: buildBankAccount({ layout: bankLayoutId }) }),
      ...forSubadmin(201),
      foreign: { bankLayoutId: 'INVALID_REFERENCE' },
    },
    update: {
      args: ({ bankAccountId }) => ({ params: { id: bankAccountId }, body: { clientCode: 'OTHER' } }),
      ...forSubadmin(200),
      foreign: { bankAccountId: 'NOT_FOUND' },
    },
    remove: {
      args: ({ bankAccountId }) => ({ params: { id: bankAccountId } }),
      ...forSubadmin(200),
      foreign: { bankAccountId: 'NOT_FOUND' },
    },
  },
  tdsDeposits: {
    list: { args: () => ({}), ...forSubadmin(200) },
    get: {
      args: ({ tdsDepositId }) => byId(tdsDepositId),
      ...forSubadmin(200),
      foreign: { tdsDepositId: 'NOT_FOUND' },
    },
    create: { args: () => ({ body: buildTdsDeposit() }), ...forSubadmin(201) },
    update: {
      args: ({ tdsDepositId }) => ({ ...byId(tdsDepositId), body: { note: 'By net banking' } }),
      ...forSubadmin(200),
      foreign: { tdsDepositId: 'NOT_FOUND' },
    },
    remove: {
      args: ({ tdsDepositId }) => byId(tdsDepositId),
      ...forSubadmin(200),
      foreign: { tdsDepositId: 'NOT_FOUND' },
    },
  },
  declarations: {
    list: { args: () => ({ query: { limit: 100 } }), ...forSubadmin(200) },
    get: {
      args: ({ declarationId }) => byId(declarationId),
      ...forSubadmin(200),
      foreign: { declarationId: 'NOT_FOUND' },
    },
    create: {
      args: ({ ownerId }) => ({ body: buildDeclaration(ownerId, { receivedOn: '2024-04-04' }) }),
      ...forSubadmin(201),
      foreign: { ownerId: 'INVALID_REFERENCE' },
    },
    update: {
      args: ({ declarationId }) => ({ ...byId(declarationId), body: { carriages: 5 } }),
      ...forSubadmin(200),
      foreign: { declarationId: 'NOT_FOUND' },
    },
    remove: {
      args: ({ declarationId }) => byId(declarationId),
      ...forSubadmin(200),
      foreign: { declarationId: 'NOT_FOUND' },
    },
    ofOwner: {
      args: ({ ownerId }) => byId(ownerId),
      ...forSubadmin(200),
      foreign: { ownerId: 'NOT_FOUND' },
    },
    form: { args: () => ({}), ...forSubadmin(200) },
  },
  bankLayouts: {
    list: { args: () => ({}), ...forSubadmin(200) },
    create: { args: () => ({ body: buildBankLayout() }), ...forSubadmin(201) },
    update: {
      args: ({ bankLayoutId }) => ({ params: { id: bankLayoutId }, body: { ...buildBankLayout(), version: 1 } }),
      ...forSubadmin(200),
      foreign: { bankLayoutId: 'NOT_FOUND' },
    },
    // The account of the scene uses it.
    remove: {
      args: ({ bankLayoutId }) => ({ params: { id: bankLayoutId } }),
      ...forSubadmin(409),
      foreign: { bankLayoutId: 'NOT_FOUND' },
    },
  },
  bankFiles: {
    check: {
      args: ({ batchId, bankAccountId }) => ({ body: { batchIds: [batchId], bankAccountId } }),
      ...forSubadmin(200),
      foreign: { batchId: 'NOT_FOUND', bankAccountId: 'INVALID_REFERENCE' },
    },
    // Another amount than the payment's; what is made of the right one is bank-files.test.ts.
    create: {
      args: ({ batchId, bankAccountId, ownerId, bankLayoutId }) => ({
        body: {
          batchIds: [batchId],
          bankAccountId,
          layoutId: bankLayoutId,
          valueOn: '2026-04-20',
          lines: [{ batchId, ownerId, amount: '1.00', route: 'NEFT' }],
        },
      }),
      ...forSubadmin(409),
      foreign: {
        batchId: 'NOT_FOUND',
        bankAccountId: 'INVALID_REFERENCE',
        bankLayoutId: 'INVALID_REFERENCE',
        ownerId: 'SELECTION_CHANGED',
      },
    },
    list: { args: () => ({}), ...forSubadmin(200) },
    get: {
      args: ({ bankFileId }) => ({ params: { id: bankFileId } }),
      ...forSubadmin(200),
      foreign: { bankFileId: 'NOT_FOUND' },
    },
    download: {
      args: ({ bankFileId }) => ({ params: { id: bankFileId } }),
      ...forSubadmin(200),
      foreign: { bankFileId: 'NOT_FOUND' },
    },
    // The scene has withdrawn it already.
    withdraw: {
      args: ({ bankFileId }) => ({ params: { id: bankFileId }, body: { reason: 'Not uploaded' } }),
      ...forSubadmin(409),
      foreign: { bankFileId: 'NOT_FOUND' },
    },
  },
  tables: {
    // A call without a file; what is done with one is tables.test.ts.
    read: { args: () => ({}), ...forSubadmin(415) },
    write: {
      args: () => ({
        body: { label: 'Owners', columns: [{ label: 'Name', kind: 'text', width: 160 }], rows: [['Asha']] },
      }),
      subadmin: 200,
      admin: 200,
    },
  },
  imports: {
    check: { args: () => ({ body: buildImport().table }), ...forSubadmin(200) },
    apply: {
      args: () => ({ body: buildImport().body }),
      ...forSubadmin(201),
    },
    addSample: { args: () => ({}), ...forSubadmin(201) },
    template: { args: () => ({ query: { kind: 'owners' as const } }), ...forSubadmin(200) },
  },
  bankAnswers: {
    listLines: { args: () => ({ query: { state: 'all' } }), ...forSubadmin(200) },
    preview: { args: () => ({ body: { rows: [buildAnswerRow()] } }), ...forSubadmin(200) },
    importStatement: {
      args: ({ bankAccountId }) => ({ body: { bankAccountId, fileName: 'april.csv', rows: buildStatement() } }),
      ...forSubadmin(200),
      foreign: { bankAccountId: 'INVALID_REFERENCE' },
    },
    proposals: {
      args: ({ bankAccountId }) => ({ query: { bankAccountId } }),
      ...forSubadmin(200),
      foreign: { bankAccountId: 'NOT_FOUND' },
    },
    listStatementLines: {
      args: ({ bankAccountId }) => ({ query: { bankAccountId } }),
      ...forSubadmin(200),
      foreign: { bankAccountId: 'OK' },
    },
    setAside: {
      args: ({ statementLineId }) => ({ body: { ids: [statementLineId], note: 'Rent' } }),
      ...forSubadmin(200),
      foreign: { statementLineId: 'NOT_FOUND' },
    },
    // It was not set aside.
    takeBack: {
      args: ({ statementLineId }) => ({ body: { ids: [statementLineId] } }),
      ...forSubadmin(409),
      foreign: { statementLineId: 'NOT_FOUND' },
    },
    // Its file was withdrawn, so it may only have been executed.
    accept: {
      args: ({ bankFileId, statementLineId }) => ({
        body: buildAnswer(bankFileId, statementLineId, { outcome: 'returned' }),
      }),
      ...forSubadmin(409),
      foreign: { bankFileId: 'NOT_FOUND', statementLineId: 'NOT_FOUND' },
    },
    list: { args: () => ({}), ...forSubadmin(200) },
    // It was undone before the file was withdrawn.
    undo: {
      args: ({ bankAnswerId }) => ({ params: { id: bankAnswerId } }),
      ...forSubadmin(409),
      foreign: { bankAnswerId: 'NOT_FOUND' },
    },
  },
  batches: {
    list: { args: () => ({ query: { kind: 'import' as const } }), ...forSubadmin(200) },
    get: {
      args: ({ tagBatchId }) => byId(tagBatchId),
      ...forSubadmin(200),
      foreign: { tagBatchId: 'NOT_FOUND' },
    },
    undo: {
      args: ({ tagBatchId }) => byId(tagBatchId),
      ...forSubadmin(200),
      foreign: { tagBatchId: 'NOT_FOUND' },
    },
  },
  hsdVerification: {
    // A call without a file; what is done with one is hsd-upload.test.ts.
    upload: { args: () => ({}), ...forSubadmin(415) },
    listUploads: { args: () => ({}), ...forSubadmin(200) },
    listUploadRows: {
      args: ({ hsdUploadId }) => byId(hsdUploadId),
      ...forSubadmin(200),
      foreign: { hsdUploadId: 'NOT_FOUND' },
    },
    getPumpSettings: {
      args: ({ pumpId }) => byId(pumpId),
      ...forSubadmin(200),
      foreign: { pumpId: 'NOT_FOUND' },
    },
    exportDiscrepancies: {
      args: ({ hsdUploadId }) => byId(hsdUploadId),
      ...forSubadmin(200),
      foreign: { hsdUploadId: 'NOT_FOUND' },
    },
    exportDiscrepanciesPdf: {
      args: ({ hsdUploadId }) => byId(hsdUploadId),
      ...forSubadmin(200),
      foreign: { hsdUploadId: 'NOT_FOUND' },
    },
    listLedger: { args: () => ({ query: { limit: 100 } }), ...forSubadmin(200) },
    accept: {
      args: ({ hsdUploadId, challanId }) => ({
        body: { uploadId: hsdUploadId, rows: [{ row: 2, challanId, challanAmount: '0.00' }], reason: 'seen the slip' },
      }),
      ...forSubadmin(200),
      foreign: { hsdUploadId: 'NOT_FOUND', challanId: 'NOT_FOUND' },
    },
    setPumpSettings: {
      args: ({ pumpId }) => ({ ...byId(pumpId), body: { tolerance: '2.50' } }),
      ...forSubadmin(200),
      foreign: { pumpId: 'NOT_FOUND' },
    },
    // Another's challan is answered as one that is not there any more: see hsd-verify.test.ts.
    review: {
      args: ({ challanId }) => ({ body: { challanIds: [challanId] } }),
      ...forSubadmin(200),
      foreign: { challanId: 'OK' },
    },
    verify: {
      args: ({ challanId }) => ({ body: { challanIds: [challanId] } }),
      ...forSubadmin(200),
      foreign: { challanId: 'NOT_FOUND' },
    },
  },
  accounting: {
    listOwners: { args: () => ({}), ...forSubadmin(200) },
    listOwnerPayments: {
      args: ({ ownerId }) => ({ query: { ownerId } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'NOT_FOUND' },
    },
    listOwnerChallans: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'NOT_FOUND', tagId: 'OK' },
    },
    getOwnerSummary: {
      args: ({ ownerId, tagId }) => ({ query: { ownerId, tagId } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'NOT_FOUND', tagId: 'OK' },
    },
    exportCsv: { args: ownerReport, ...forSubadmin(200), foreign: { ownerId: 'NOT_FOUND', tagId: 'OK' } },
    exportXlsx: { args: ownerReport, ...forSubadmin(200), foreign: { ownerId: 'NOT_FOUND', tagId: 'OK' } },
    shareOnWhatsapp: {
      args: ownerReport,
      ...forSubadmin(200),
      foreign: { ownerId: 'NO_DATA_FOUND', tagId: 'NO_DATA_FOUND' },
    },
    getTagAnalytics: { args: ({ tagId }) => ({ query: { tagId } }), ...forSubadmin(200), foreign: { tagId: 'OK' } },
  },
  ownerStatements: {
    current: {
      args: ({ ownerId }) => ({ query: { ownerId, endDate: '2026-06-30' } }),
      ...forSubadmin(200),
      foreign: { ownerId: 'NOT_FOUND' },
    },
    list: { args: ({ ownerId }) => ({ query: { ownerId } }), ...forSubadmin(200), foreign: { ownerId: 'NOT_FOUND' } },
    print: {
      args: ({ ownerId }) => ({ body: { ownerId, startDate: null, endDate: '2026-06-30' } }),
      ...forSubadmin(201),
      foreign: { ownerId: 'NOT_FOUND' },
    },
    get: {
      args: ({ statementId }) => byId(statementId),
      ...forSubadmin(200),
      foreign: { statementId: 'NOT_FOUND' },
    },
    pdf: {
      args: ({ statementId }) => byId(statementId),
      ...forSubadmin(200),
      foreign: { statementId: 'NOT_FOUND' },
    },
    xlsx: {
      args: ({ statementId }) => byId(statementId),
      ...forSubadmin(200),
      foreign: { statementId: 'NOT_FOUND' },
    },
    listOpenings: { args: ({ ownerId }) => byId(ownerId), ...forSubadmin(200), foreign: { ownerId: 'NOT_FOUND' } },
    setOpenings: {
      args: ({ ownerId }) => ({ body: { entries: [{ ownerId, asOf: '2026-03-31', amount: '12.34' }] } }),
      ...forSubadmin(201),
      foreign: { ownerId: 'NOT_FOUND' },
    },
  },
  palette: { search: { args: () => ({ query: { search: 'owner' } }), ...forSubadmin(200) } },

  periodLock: {
    get: { args: () => ({}), ...forSubadmin(200) },
    lock: { args: () => ({ body: { upTo: '2001-01-02' } }), ...forSubadmin(200) },
    lift: { args: () => ({ body: { reason: 'A wrong rate', hours: 1 } }), ...forSubadmin(200) },
    listActs: { args: () => ({}), ...forSubadmin(200) },
    listChanges: { args: () => ({}), ...forSubadmin(200) },
  },
  tds: {
    list: { args: () => ({}), ...forSubadmin(200) },
    listDeductions: { args: () => ({}), ...forSubadmin(200) },
    exportCsv: { args: () => ({}), ...forSubadmin(200) },
    exportXlsx: { args: () => ({}), ...forSubadmin(200) },
    listMonths: { args: () => ({}), ...forSubadmin(200) },
    exportReturnCsv: { args: () => ({}), ...forSubadmin(200) },
    exportReturnXlsx: { args: () => ({}), ...forSubadmin(200) },
    getSettings: { args: () => ({}), ...forSubadmin(200) },
    updateSettings: { args: () => ({ body: buildTdsSettings() }), ...forSubadmin(200) },
  },
  monthPacks: {
    checks: { args: () => ({ query: { month: '2026-04' } }), ...forSubadmin(200) },
    list: { args: () => ({}), ...forSubadmin(200) },
    create: { args: () => ({ body: { month: '2000-12' } }), ...forSubadmin(201) },
    download: {
      args: ({ monthPackId }) => ({ params: { id: monthPackId } }),
      ...forSubadmin(200),
      foreign: { monthPackId: 'NOT_FOUND' },
    },
  },
  exceptions: {
    list: { args: () => ({}), ...forSubadmin(200) },
    getSummary: { args: () => ({}), ...forSubadmin(200) },
    exportCsv: { args: () => ({}), ...forSubadmin(200) },
    exportXlsx: { args: () => ({}), ...forSubadmin(200) },
    setFine: {
      args: ({ challanId }) => ({ body: { items: [{ kind: 'rate', subject: challanId }], reason: 'Agreed by phone' } }),
      ...forSubadmin(200),
      foreign: { challanId: 'NOT_FOUND' },
    },
    // Those that are not remembered, or no more, are not counted.
    takeBack: {
      args: ({ challanId }) => ({ body: { ids: [challanId] } }),
      ...forSubadmin(200),
      foreign: { challanId: 'OK' },
    },
  },
  tally: {
    getSettings: { args: () => ({}), ...forSubadmin(200) },
    updateSettings: {
      args: ({ bankAccountId }) => ({
        body: buildTallySettings({ version: 1, accounts: [{ id: bankAccountId, ledger: 'SBI' }] }),
      }),
      ...forSubadmin(200),
      foreign: { bankAccountId: 'INVALID_REFERENCE' },
    },
    masters: { args: () => ({}), ...forSubadmin(200) },
    list: { args: () => ({}), ...forSubadmin(200) },
    create: {
      args: () => ({ body: { what: { kind: 'period', from: '2026-04-01', to: '2027-03-31' } } }),
      ...forSubadmin(201),
    },
    download: {
      args: ({ tallyExportId }) => ({ params: { id: tallyExportId } }),
      ...forSubadmin(200),
      foreign: { tallyExportId: 'NOT_FOUND' },
    },
    listChanged: { args: () => ({}), ...forSubadmin(200) },
  },
  sharedReports: {
    list: { args: () => ({}), ...forSubadmin(200) },
    revoke: {
      args: ({ reportId }) => ({ params: { id: reportId } }),
      ...forSubadmin(200),
      foreign: { reportId: 'NOT_FOUND' },
    },
  },
  dashboard: {
    listWeeks: { args: ({ tagId }) => ({ query: { tagId } }), ...forSubadmin(200), foreign: { tagId: 'OK' } },
    listOwnerAgeing: { args: () => ({}), ...forSubadmin(200) },
  },
  today: {
    get: { args: () => ({ query: { since: '2026-04-01T00:00:00Z' } }), ...forSubadmin(200) },
  },
  history: {
    listOwner: { args: ({ ownerId }) => byId(ownerId), ...forSubadmin(200), foreign: { ownerId: 'NOT_FOUND' } },
    listTruck: { args: ({ truckId }) => byId(truckId), ...forSubadmin(200), foreign: { truckId: 'NOT_FOUND' } },
    listTag: { args: ({ tagId }) => byId(tagId), ...forSubadmin(200), foreign: { tagId: 'NOT_FOUND' } },
    listPetrolPump: { args: ({ pumpId }) => byId(pumpId), ...forSubadmin(200), foreign: { pumpId: 'NOT_FOUND' } },
    listBankAccount: {
      args: ({ bankAccountId }) => byId(bankAccountId),
      ...forSubadmin(200),
      foreign: { bankAccountId: 'NOT_FOUND' },
    },
    listDeclaration: {
      args: ({ declarationId }) => byId(declarationId),
      ...forSubadmin(200),
      foreign: { declarationId: 'NOT_FOUND' },
    },
    listTdsDeposit: {
      args: ({ tdsDepositId }) => byId(tdsDepositId),
      ...forSubadmin(200),
      foreign: { tdsDepositId: 'NOT_FOUND' },
    },
    listChallan: {
      args: ({ paidChallanId }) => byId(paidChallanId),
      ...forSubadmin(200),
      foreign: { paidChallanId: 'NOT_FOUND' },
    },
    listProfile: { args: () => ({}), ...forSubadmin(200) },
    listSubadmin: { args: ({ accountId }) => byId(accountId), ...forAdmin(200) },
  },
  activity: {
    list: { args: ({ personId }) => ({ query: { personId } }), ...forSubadmin(200), foreign: { personId: 'OK' } },
    listEntries: {
      args: ({ personId }) => ({ query: { personId, day: '2026-04-01' } }),
      ...forSubadmin(200),
      foreign: { personId: 'OK' },
    },
  },
  health: {
    get: { args: () => ({}), ...forAdmin(200) },
  },
  settings: {
    get: { args: () => ({}), ...forAdmin(200) },
    update: { args: () => ({ body: { copiesPerDay: 100 } }), ...forAdmin(200) },
  },
  preferences: {
    list: { args: () => ({}), ...forSubadmin(200) },
    put: { args: () => ({ body: { key: 'views:challans', value: '[]' } }), ...forSubadmin(200) },
  },
};

/** Declared, and built with the screens of a later issue; until then their addresses answer as unknown ones do. */
export const laterEndpoints: ReadonlySet<Endpoint> = new Set<Endpoint>([]);

export interface TableRow {
  name: string;
  endpoint: Endpoint;
  cell: Cell<Endpoint>;
}

/** The table as a list; an endpoint that is not in it has no cell. */
export const rows: readonly TableRow[] = Object.entries(contract).flatMap(([resource, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([verb, endpoint]) => ({
    name: `${resource}.${verb}`,
    endpoint,
    // The two have the same keys, which is what the type of `table` says.
    cell: (table as unknown as Record<string, Record<string, Cell<Endpoint>>>)[resource]?.[verb] as Cell<Endpoint>,
  })),
);

export const presentRows = rows.filter(({ endpoint }) => !laterEndpoints.has(endpoint));
