import { describe, expect, it } from 'vitest';
import { errorStatus } from '../../src/shared/contract/errors.ts';
import type { ErrorCode } from '../../src/shared/contract/errors.ts';
import { contract } from '../../src/shared/contract/index.ts';
import { buildOpenApi } from '../../src/shared/contract/openapi.ts';

/**
 * Every call, written down by hand: method and path, success status, roles, and the codes it names beside those that every
 * call of that shape has. docs/specification.md §14 refers to this list: no call may be taken away.
 */
interface Call {
  call: string;
  status?: 200 | 201 | 204;
  roles?: readonly string[];
  errors?: readonly ErrorCode[];
  idempotent?: true;
}

const admin = ['admin'];
const both = ['admin', 'subadmin'];
const ofSignIn = ['INVALID_CREDENTIALS', 'SECOND_STEP_WANTED', 'TOO_MANY_REQUESTS'] as const;

const calls: readonly Call[] = [
  { call: 'POST /admin/login', roles: [], errors: ofSignIn },
  { call: 'POST /subadmins/login', roles: [], errors: ofSignIn },
  { call: 'POST /logout', status: 204, roles: both },
  { call: 'GET /sessions', roles: both },
  { call: 'POST /sessions/end-others', roles: both },
  { call: 'DELETE /sessions/{id}', roles: both },
  { call: 'GET /admin/sign-ins', roles: admin },

  { call: 'GET /subadmins', roles: admin, errors: ['INVALID_PAGINATION'] },
  { call: 'POST /subadmins', status: 201, roles: admin, errors: ['EMAIL_IN_USE'] },
  { call: 'PUT /subadmins/{id}', roles: admin, errors: ['EMAIL_IN_USE', 'VERSION_CONFLICT'] },
  { call: 'PATCH /subadmins/{id}/status', roles: admin },
  { call: 'DELETE /subadmins/{id}', roles: admin },
  { call: 'POST /subadmins/{id}/reset-second-step', roles: admin, errors: ['CONFIRMATION_WANTED'] },

  { call: 'GET /second-step', roles: both },
  { call: 'POST /second-step/begin', roles: both, errors: ['CONFIRMATION_WANTED', 'SECOND_STEP_ON'] },
  { call: 'POST /second-step', roles: both, errors: ['WRONG_CODE', 'SECOND_STEP_ON'] },
  { call: 'POST /second-step/recovery-codes', roles: both, errors: ['CONFIRMATION_WANTED', 'NOT_FOUND'] },
  { call: 'DELETE /second-step', roles: both, errors: ['CONFIRMATION_WANTED'] },
  { call: 'POST /admin/login/code', roles: [], errors: ['INVALID_CREDENTIALS', 'WRONG_CODE', 'TOO_MANY_REQUESTS'] },
  { call: 'POST /subadmins/login/code', roles: [], errors: ['INVALID_CREDENTIALS', 'WRONG_CODE', 'TOO_MANY_REQUESTS'] },
  { call: 'POST /sessions/confirm', roles: both, errors: ['WRONG_CODE', 'WRONG_PASSWORD'] },

  { call: 'GET /people' },
  { call: 'GET /people/names' },
  { call: 'POST /people', status: 201, errors: ['EMAIL_IN_USE'] },
  { call: 'PUT /people/{id}', errors: ['VERSION_CONFLICT'] },
  { call: 'POST /people/{id}/link' },
  { call: 'POST /people/{id}/end-sessions' },
  { call: 'POST /people/{id}/reset-second-step' },
  { call: 'PUT /people/second-step' },
  { call: 'PUT /people/own-name' },
  { call: 'POST /people/view-as' },
  { call: 'POST /people/view-as/end' },
  { call: 'POST /people/links', roles: [], errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'] },
  { call: 'POST /people/join', roles: [], errors: ['NOT_FOUND', 'SECOND_STEP_WANTED', 'TOO_MANY_REQUESTS'] },

  { call: 'GET /admin/settings', roles: admin },
  { call: 'GET /admin/health', roles: admin },
  { call: 'PUT /admin/settings', roles: admin, errors: ['VERSION_CONFLICT'] },

  { call: 'GET /owners', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /owners/{id}' },
  { call: 'GET /owners/{id}/usage' },
  { call: 'POST /owners', status: 201 },
  { call: 'PUT /owners/{id}', errors: ['VERSION_CONFLICT'] },
  { call: 'PUT /owners/{id}/hold', errors: ['VERSION_CONFLICT'] },
  { call: 'DELETE /owners/{id}', errors: ['OWNER_IN_USE'] },
  { call: 'POST /owners/selection/preview' },
  {
    call: 'POST /owners/selection/change',
    errors: ['NOT_FOUND', 'SELECTION_CHANGED'],
    idempotent: true,
  },
  { call: 'GET /owners/search', errors: ['VALIDATION_ERROR', 'INVALID_PAGINATION'] },
  { call: 'GET /owners/all-system', roles: both, errors: ['INVALID_PAGINATION'] },
  { call: 'GET /owners/copied-by-others' },
  { call: 'GET /owners/copied', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /admin/copied-owners', roles: admin, errors: ['INVALID_PAGINATION'] },
  { call: 'POST /owners/copy', idempotent: true, errors: ['COPY_LIMIT'] },

  { call: 'GET /trucks', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /trucks/search', errors: ['VALIDATION_ERROR', 'INVALID_PAGINATION'] },
  { call: 'POST /trucks', status: 201, errors: ['TRUCK_EXISTS', 'INVALID_REFERENCE'] },
  { call: 'PUT /trucks/{id}', errors: ['TRUCK_EXISTS', 'INVALID_REFERENCE', 'VERSION_CONFLICT'] },
  { call: 'DELETE /trucks/{id}' },
  { call: 'POST /trucks/selection/preview', errors: ['INVALID_REFERENCE'] },
  {
    call: 'POST /trucks/selection/change',
    errors: ['NOT_FOUND', 'INVALID_REFERENCE', 'SELECTION_CHANGED'],
    idempotent: true,
  },
  { call: 'GET /trucks/vehicle/{vehicleNumber}', errors: ['NOT_FOUND'] },

  { call: 'GET /tags', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /tags/{id}' },
  { call: 'POST /tags', status: 201, errors: ['TAG_EXISTS'] },
  { call: 'PUT /tags/{id}', errors: ['TAG_EXISTS', 'VERSION_CONFLICT'] },
  { call: 'GET /tags/{id}/usage' },
  { call: 'DELETE /tags/{id}', errors: ['TAG_IN_USE'] },
  { call: 'POST /tags/selection/preview' },
  {
    call: 'POST /tags/selection/change',
    errors: ['NOT_FOUND', 'SELECTION_CHANGED'],
    idempotent: true,
  },

  { call: 'GET /petrol-pumps', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /petrol-pumps/{id}' },
  { call: 'POST /petrol-pumps', status: 201 },
  { call: 'PUT /petrol-pumps/{id}', errors: ['VERSION_CONFLICT'] },
  { call: 'DELETE /petrol-pumps/{id}' },
  { call: 'POST /petrol-pumps/selection/preview' },
  {
    call: 'POST /petrol-pumps/selection/change',
    errors: ['NOT_FOUND', 'SELECTION_CHANGED'],
    idempotent: true,
  },

  { call: 'GET /challans', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /challans/sums', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /challans/{id}' },
  {
    call: 'POST /challans',
    status: 201,
    errors: ['INVALID_REFERENCE', 'AMOUNT_MISMATCH', 'ON_HOLD', 'PERIOD_LOCKED'],
    idempotent: true,
  },
  { call: 'POST /challans/sheet/check' },
  { call: 'POST /challans/sheet', status: 201, errors: ['ROWS_REFUSED'], idempotent: true },
  {
    call: 'PUT /challans/{id}',
    errors: [
      'LINE_AT_BANK',
      'CARRIED',
      'ON_HOLD',
      'PERIOD_LOCKED',
      'INVALID_REFERENCE',
      'AMOUNT_MISMATCH',
      'VERSION_CONFLICT',
    ],
  },
  { call: 'DELETE /challans/{id}', errors: ['CHALLAN_PAID', 'PERIOD_LOCKED'] },
  { call: 'PUT /challans/hsd-verification/{id}', errors: ['NO_PETROL_PUMP'] },
  { call: 'PUT /challans/{id}/hold', errors: ['CHALLAN_PAID', 'VERSION_CONFLICT'] },
  { call: 'POST /challans/export-filtered-csv', errors: ['VALIDATION_ERROR'] },
  { call: 'POST /challans/export-filtered-xlsx', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /challans/groups', errors: ['INVALID_PAGINATION'] },
  { call: 'POST /challans/groups/csv', errors: ['VALIDATION_ERROR'] },
  { call: 'POST /challans/groups/xlsx', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /challans/by-number', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /challans/duplicates' },
  { call: 'GET /challans/last-rate' },
  { call: 'POST /challans/selection/export' },
  { call: 'POST /challans/selection/preview', errors: ['INVALID_REFERENCE'] },
  {
    call: 'POST /challans/selection/change',
    errors: ['NOT_FOUND', 'NO_MATCHING_CHALLANS', 'INVALID_REFERENCE', 'SELECTION_CHANGED', 'LINE_AT_BANK', 'CARRIED'],
    idempotent: true,
  },

  { call: 'GET /challans/bank-report', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /challans/bank-report/owners', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'POST /challans/bank-report/selection' },
  {
    call: 'POST /challans/bank-report/bulk-payment',
    errors: ['ON_HOLD', 'NOT_FOUND', 'SELECTION_CHANGED'],
    idempotent: true,
  },
  {
    call: 'PUT /challans/bank-report/bulk-payment-status',
    errors: ['SELECTION_CHANGED', 'NO_MATCHING_CHALLANS'],
    idempotent: true,
  },
  { call: 'GET /payment-batches', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /payment-batches/by-number', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /payment-batches/{id}', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /payment-batches/{id}/csv' },
  { call: 'GET /payment-batches/{id}/owners', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /payment-batches/{id}/xlsx', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /payment-batches/{id}/advice', errors: ['NO_DATA_FOUND', 'VALIDATION_ERROR'] },
  { call: 'GET /payment-batches/{id}/messages' },
  { call: 'POST /payment-batches/{id}/messages', errors: ['NO_DATA_FOUND', 'VALIDATION_ERROR', 'INVALID_REQUEST'] },
  {
    call: 'POST /payment-batches/{id}/carries/{ownerId}/take-back',
    errors: ['NOT_FOUND', 'CARRIED'],
    idempotent: true,
  },
  { call: 'POST /payment-batches/{id}/reverse', errors: ['ALREADY_REVERSED', 'LINE_AT_BANK', 'CARRIED'] },
  { call: 'GET /waiting' },
  { call: 'GET /prepared-payments', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  {
    call: 'POST /prepared-payments',
    status: 201,
    errors: [
      'NOT_FOUND',
      'ON_HOLD',
      'SELECTION_CHANGED',
      'NO_MATCHING_CHALLANS',
      'ALREADY_REVERSED',
      'LINE_AT_BANK',
      'CARRIED',
    ],
    idempotent: true,
  },
  {
    call: 'POST /prepared-payments/{id}/release',
    errors: [
      'ALREADY_DECIDED',
      'ON_HOLD',
      'SELECTION_CHANGED',
      'NO_MATCHING_CHALLANS',
      'ALREADY_REVERSED',
      'LINE_AT_BANK',
      'CARRIED',
    ],
    idempotent: true,
  },
  { call: 'POST /prepared-payments/{id}/send-back', errors: ['ALREADY_DECIDED'] },
  { call: 'POST /prepared-payments/{id}/withdraw', errors: ['ALREADY_DECIDED'] },
  { call: 'GET /prepared-payments/accounts' },
  { call: 'POST /prepared-payments/accounts/{id}/confirm' },
  { call: 'GET /prepared-payments/{id}/owners', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /prepared-payments/rule' },
  { call: 'PUT /prepared-payments/rule', errors: ['VERSION_CONFLICT'] },
  { call: 'POST /prepared-payments/rule/confirm', errors: ['VERSION_CONFLICT'] },
  { call: 'GET /bank-accounts', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /bank-accounts/{id}' },
  { call: 'POST /bank-accounts', status: 201, errors: ['INVALID_REFERENCE'] },
  { call: 'PUT /bank-accounts/{id}', errors: ['INVALID_REFERENCE', 'VERSION_CONFLICT'] },
  { call: 'DELETE /bank-accounts/{id}' },
  { call: 'GET /bank-layouts' },
  { call: 'POST /bank-layouts', status: 201, errors: ['LAYOUT_EXISTS'] },
  { call: 'PUT /bank-layouts/{id}', errors: ['LAYOUT_EXISTS', 'VERSION_CONFLICT'] },
  { call: 'DELETE /bank-layouts/{id}', errors: ['LAYOUT_IN_USE'] },
  { call: 'POST /bank-files/check', errors: ['INVALID_REFERENCE', 'NOT_FOUND'] },
  {
    call: 'POST /bank-files',
    status: 201,
    errors: ['INVALID_REFERENCE', 'NOT_FOUND', 'LINE_AT_BANK', 'SELECTION_CHANGED', 'INVALID_REQUEST'],
    idempotent: true,
  },
  { call: 'GET /bank-files', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /bank-files/{id}', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /bank-files/{id}/content' },
  { call: 'POST /bank-files/{id}/withdraw', errors: ['SELECTION_CHANGED'] },
  { call: 'GET /bank-answers/lines', errors: ['INVALID_PAGINATION'] },
  { call: 'POST /bank-answers/preview' },
  { call: 'POST /bank-answers/statements', errors: ['INVALID_REFERENCE', 'INVALID_FILE'] },
  { call: 'GET /bank-answers/proposals', errors: ['NOT_FOUND'] },
  { call: 'GET /bank-answers/statement-lines', errors: ['INVALID_PAGINATION'] },
  { call: 'POST /bank-answers/statement-lines/set-aside', errors: ['NOT_FOUND', 'LINE_ANSWERED'] },
  { call: 'POST /bank-answers/statement-lines/take-back', errors: ['NOT_FOUND', 'LINE_ANSWERED'] },
  { call: 'POST /bank-answers', status: 201, errors: ['NOT_FOUND', 'LINE_ANSWERED'], idempotent: true },
  { call: 'GET /bank-answers', errors: ['INVALID_PAGINATION'] },
  { call: 'POST /bank-answers/{id}/undo', errors: ['ALREADY_UNDONE'], idempotent: true },

  { call: 'POST /tables/write', roles: both },
  { call: 'POST /tables/read', errors: ['INVALID_FILE', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] },
  { call: 'POST /imports/check' },
  { call: 'POST /imports', status: 201, errors: ['IMPORT_CHANGED'], idempotent: true },
  { call: 'POST /imports/sample', status: 201, errors: ['PERIOD_LOCKED'], idempotent: true },
  { call: 'GET /imports/template' },
  { call: 'GET /batches', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /batches/{id}', errors: ['INVALID_PAGINATION'] },
  { call: 'POST /batches/{id}/undo', errors: ['ALREADY_UNDONE'], idempotent: true },
  { call: 'GET /preferences' },
  { call: 'PUT /preferences', errors: ['VALIDATION_ERROR'] },

  {
    call: 'POST /challans/hsd-verification/upload',
    errors: ['INVALID_FILE', 'INVALID_REFERENCE', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  { call: 'POST /challans/hsd-verification/review' },
  { call: 'POST /challans/hsd-verification/bulk-verify', errors: ['NOT_FOUND'], idempotent: true },
  {
    call: 'POST /challans/hsd-verification/accept',
    errors: ['NOT_FOUND', 'INVALID_REFERENCE', 'NO_PETROL_PUMP', 'HSD_CHANGED'],
    idempotent: true,
  },
  { call: 'GET /challans/hsd-verification/uploads/{id}/discrepancies' },
  { call: 'GET /challans/hsd-verification/uploads/{id}/discrepancies/pdf', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /challans/hsd-verification/ledger', errors: ['INVALID_PAGINATION'] },
  // The evidence of past uploads: an addition.
  { call: 'GET /petrol-pumps/{id}/hsd-settings', errors: ['NOT_FOUND', 'INVALID_ID'] },
  { call: 'PUT /petrol-pumps/{id}/hsd-settings', errors: ['NOT_FOUND', 'INVALID_ID', 'VALIDATION_ERROR'] },
  { call: 'GET /challans/hsd-verification/uploads', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /challans/hsd-verification/uploads/{id}/rows', errors: ['INVALID_PAGINATION'] },

  { call: 'GET /accounting/owners', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /accounting/owner/payments', errors: ['INVALID_PAGINATION', 'NOT_FOUND'] },
  { call: 'GET /palette', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /accounting/owner/challans', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /accounting/owner/challans/summary' },
  { call: 'POST /accounting/export-owner-challans-csv' },
  { call: 'POST /accounting/export-owner-challans-xlsx' },
  { call: 'POST /accounting/generate-whatsapp-csv', errors: ['NO_DATA_FOUND', 'INVALID_REQUEST'] },
  { call: 'GET /accounting/tag-analytics', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /accounting/period-lock' },
  { call: 'POST /accounting/period-lock', errors: ['VERSION_CONFLICT'] },
  { call: 'POST /accounting/period-lock/lift', errors: ['VERSION_CONFLICT'] },
  { call: 'GET /accounting/period-lock/acts', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /accounting/period-lock/changes', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /accounting/tds', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /accounting/tds/deductions', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /accounting/tds/csv', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /accounting/tds/xlsx', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /accounting/tds/months', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /accounting/tds/return/csv', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /accounting/tds/return/xlsx', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /accounting/tds/settings' },
  { call: 'PUT /accounting/tds/settings', errors: ['VERSION_CONFLICT'] },
  { call: 'GET /tds-deposits', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /tds-deposits/{id}' },
  { call: 'POST /tds-deposits', status: 201, errors: ['DEPOSIT_EXISTS'] },
  { call: 'PUT /tds-deposits/{id}', errors: ['VERSION_CONFLICT', 'DEPOSIT_EXISTS'] },
  { call: 'DELETE /tds-deposits/{id}' },
  { call: 'GET /exceptions', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /exceptions/summary' },
  { call: 'GET /exceptions/csv', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /exceptions/xlsx', errors: ['VALIDATION_ERROR'] },
  { call: 'POST /exceptions/fine', errors: ['NOT_FOUND'] },
  { call: 'POST /exceptions/take-back' },
  { call: 'GET /accounting/close', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /accounting/month-packs', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'POST /accounting/month-packs', status: 201, idempotent: true },
  { call: 'GET /accounting/month-packs/{id}/content' },
  { call: 'GET /accounting/tally/settings' },
  { call: 'PUT /accounting/tally/settings', errors: ['INVALID_REFERENCE', 'VERSION_CONFLICT'] },
  { call: 'GET /accounting/tally/masters' },
  { call: 'GET /accounting/tally/exports', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'POST /accounting/tally/exports', status: 201, idempotent: true, errors: ['INVALID_REQUEST'] },
  { call: 'GET /accounting/tally/exports/{id}/content' },
  { call: 'GET /accounting/tally/changed', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /declarations', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /declarations/{id}' },
  { call: 'POST /declarations', status: 201, errors: ['INVALID_REFERENCE', 'DECLARATION_EXISTS'] },
  { call: 'PUT /declarations/{id}', errors: ['VERSION_CONFLICT', 'DECLARATION_EXISTS'] },
  { call: 'DELETE /declarations/{id}', errors: ['DECLARATION_IN_USE'] },
  { call: 'GET /declarations/owner/{id}' },
  { call: 'GET /declarations/form' },
  { call: 'GET /owner-statements', errors: ['INVALID_PAGINATION', 'NOT_FOUND'] },
  { call: 'GET /owner-statements/current', errors: ['VALIDATION_ERROR', 'NOT_FOUND'] },
  { call: 'POST /owner-statements', status: 201, errors: ['NOT_FOUND'], idempotent: true },
  { call: 'GET /owner-statements/{id}' },
  { call: 'GET /owner-statements/{id}/pdf' },
  { call: 'GET /owner-statements/{id}/xlsx' },
  { call: 'GET /owner-statements/opening-balances/{id}', errors: ['INVALID_PAGINATION'] },
  {
    call: 'POST /owner-statements/opening-balances',
    status: 201,
    errors: ['NOT_FOUND', 'PERIOD_LOCKED'],
    idempotent: true,
  },
  { call: 'GET /accounting/shared-reports', errors: ['INVALID_PAGINATION'] },
  { call: 'POST /accounting/shared-reports/{id}/revoke' },

  // The history: an addition, answered like every list.
  { call: 'GET /subadmins/{id}/history', roles: admin, errors: ['INVALID_PAGINATION', 'NOT_FOUND'] },
  { call: 'GET /subadmins/profile/history', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /activity', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  { call: 'GET /activity/entries', errors: ['INVALID_PAGINATION', 'VALIDATION_ERROR'] },
  ...['owners', 'trucks', 'tags', 'petrol-pumps', 'challans', 'bank-accounts', 'declarations', 'tds-deposits'].map(
    (records): Call => ({
      call: `GET /${records}/{id}/history`,
      errors: ['INVALID_PAGINATION', 'NOT_FOUND'],
    }),
  ),
  // The plot by week and owner ageing: additions.
  { call: 'GET /dashboard/weeks', errors: ['VALIDATION_ERROR'] },
  { call: 'GET /dashboard/owner-ageing', errors: ['INVALID_PAGINATION'] },
  { call: 'GET /today', errors: ['VALIDATION_ERROR'] },

  { call: 'GET /subadmins/profile' },
  { call: 'PUT /subadmins/profile', errors: ['VERSION_CONFLICT'] },
  { call: 'PUT /subadmins/change-password', errors: ['WRONG_PASSWORD'] },
  { call: 'POST /subadmins/take-out', errors: ['WRONG_PASSWORD'] },
  { call: 'PUT /admin/change-password', roles: ['admin'], errors: ['WRONG_PASSWORD'] },
];

const document = buildOpenApi(contract, { version: '0.0.0' });

function operationOf(call: string) {
  const [method = '', path = ''] = call.split(' ');
  return document.paths[path]?.[method.toLowerCase()];
}

/** The codes documented for a call, each with its status. */
function documentedCodes(call: string): Map<string, string> {
  const codes = new Map<string, string>();
  for (const [status, answer] of Object.entries(operationOf(call)?.responses ?? {})) {
    if (Number(status) >= 400) for (const code of answer.description.split(', ')) codes.set(code, status);
  }
  return codes;
}

/** What docs/specification.md §14.1 to §14.4 give every call of a shape. */
function conventionalErrors({ call, roles }: Call): ErrorCode[] {
  const [method, path = ''] = call.split(' ');
  const codes: ErrorCode[] = ['INTERNAL_ERROR'];
  if (roles?.length !== 0) codes.push('UNAUTHORIZED', 'FORBIDDEN');
  if (path.includes('{id}')) codes.push('INVALID_ID', 'NOT_FOUND');
  const takesNone =
    ['/logout', '/sessions/end-others', '/tables/read', '/imports/sample', '/people/view-as/end'].includes(path) ||
    /\/(upload|revoke|link|end-sessions|release|withdraw|reset-second-step|begin|recovery-codes)$/.test(path);
  const hasBody = method !== 'GET' && method !== 'DELETE' && !takesNone;
  if (hasBody) codes.push('VALIDATION_ERROR', 'UNKNOWN_FIELD', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE');
  return codes;
}

describe('the API document', () => {
  it('holds exactly the calls that are written down', () => {
    const documentedCalls = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documentedCalls.sort()).toEqual(calls.map(({ call }) => call).sort());
  });

  it.each(calls)('$call answers what the specification says', (expected) => {
    const operation = operationOf(expected.call);
    const codes = documentedCodes(expected.call);
    for (const code of [...(expected.errors ?? []), ...conventionalErrors(expected)]) {
      expect(codes.get(code), code).toBe(String(errorStatus[code]));
    }
    expect(Object.keys(operation?.responses ?? {})).toContain(String(expected.status ?? 200));
    expect(operation?.['x-roles']).toEqual(expected.roles ?? ['subadmin']);
    expect(operation?.security).toEqual(expected.roles?.length === 0 ? [] : [{ bearer: [] }]);
    expect(operation?.parameters.some(({ name }) => name === 'Idempotency-Key')).toBe(expected.idempotent ?? false);
    expect(codes.has('IDEMPOTENCY_MISMATCH')).toBe(expected.idempotent ?? false);
  });

  it('documents no special code that the specification does not name', () => {
    const common = new Set(calls.flatMap((call) => [...conventionalErrors(call), 'VALIDATION_ERROR']));
    // docs/specification.md §28.8 and §28.9; second-step.test.ts and asked-again.test.ts say of which calls.
    const ofSecondStep = ['SECOND_STEP_MISSING', 'CONFIRMATION_WANTED'];
    const known = [
      ...ofSecondStep,
      'SERVICE_UNAVAILABLE',
      'TOO_MANY_REQUESTS',
      'UNSUPPORTED_MEDIA_TYPE',
      'IDEMPOTENCY_MISMATCH',
    ];
    for (const { call, errors = [] } of calls) {
      const special = [...documentedCodes(call).keys()].filter((code) => !common.has(code) && !known.includes(code));
      // An owner that is not the caller's, and a challan without a pump in a bulk verify, follow from the conventions; one
      // whose HSD figures changed meanwhile from docs/specification.md §8.5.
      const isBulkVerify = call.endsWith('/bulk-verify');
      const implied = [
        ...(isBulkVerify || call.includes('/accounting/') ? ['NOT_FOUND', 'NO_PETROL_PUMP'] : []),
        ...(isBulkVerify ? ['HSD_CHANGED'] : []),
      ];
      expect(
        special.filter((code) => !(errors as string[]).includes(code) && !implied.includes(code)),
        call,
      ).toEqual([]);
    }
  });

  it('has the totals of the tag analytics, in figures that its rows have too', () => {
    interface Shape {
      properties: Record<string, Shape>;
      required: string[];
      items: Shape;
    }
    const content = operationOf('GET /accounting/tag-analytics')?.responses['200']?.content;
    // An answer that is declared as an object.
    const { properties } = content!['application/json']!.schema as unknown as Shape;
    const { tagAnalytics, totals } = properties.data!.properties;
    const {
      tagId: _id,
      tagName: _name,
      color: _color,
      challanShare: _,
      amountShare: __,
      ...figures
    } = tagAnalytics!.properties.tagBreakdown!.items.properties;
    expect(totals!.properties).toEqual(figures);
    expect(totals!.required).toEqual(Object.keys(figures));
    expect(properties.data!.required).toContain('totals');
    expect(Object.keys(figures)).toEqual([
      'challanCount',
      'totalAmount',
      'paidCount',
      'unpaidCount',
      'paidAmount',
      'unpaidAmount',
      'paidPercent',
      'averageValue',
      'loadingWeight',
      'unloadingWeight',
      'differenceWeight',
    ]);
  });

  it('names every path parameter and only those', () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values(operations)) {
        const declared = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
        expect(declared, path).toEqual(named);
      }
    }
  });

  it('gives every JSON success the key success, and every file its content type', () => {
    const files: string[] = [];
    for (const { call, status = 200 } of calls) {
      const content = operationOf(call)?.responses[status]?.content;
      if (content?.['text/csv']) files.push(call);
      const schema = content?.['application/json']?.schema;
      // An endpoint and its variant may have an answer each.
      const alternatives = (schema?.anyOf as { required?: unknown }[] | undefined) ?? (schema ? [schema] : []);
      for (const { required } of alternatives) expect(required, call).toContain('success');
    }
    expect(files.sort()).toEqual([
      'GET /accounting/tds/csv',
      'GET /accounting/tds/return/csv',
      'GET /challans/bank-report',
      'GET /exceptions/csv',
      'GET /payment-batches/{id}/csv',
      'POST /accounting/export-owner-challans-csv',
      'POST /challans/export-filtered-csv',
      'POST /challans/groups/csv',
    ]);
    const statement = operationOf('GET /challans/bank-report');
    expect(Object.keys(statement?.responses[200]?.content ?? {}).sort()).toEqual([
      'application/json',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'text/csv',
    ]);
    expect(statement?.parameters.find(({ name }) => name === 'format')).toMatchObject({
      required: false,
      schema: { anyOf: [{ const: 'csv' }, { const: 'xlsx' }] },
    });
  });

  it('refuses unknown keys in every body, and takes the upload as multipart', () => {
    for (const { call } of calls) {
      const content = operationOf(call)?.requestBody?.content;
      if (content?.['application/json']) {
        expect(content['application/json'].schema.additionalProperties, call).toBe(false);
      }
    }
    expect(Object.keys(operationOf('POST /challans/hsd-verification/upload')?.requestBody?.content ?? {})).toEqual([
      'multipart/form-data',
    ]);
  });

  it('is plain JSON: nothing is lost on the way out', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

describe('the contract', () => {
  const endpoints = Object.entries(contract).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(([verb, endpoint]) => ({ name: `${group}.${verb}`, endpoint })),
  );

  it('lets only writes touch anything, and every write of a business record touch its own resource', () => {
    for (const { name, endpoint } of endpoints) {
      if (endpoint.reads) expect(endpoint.touches, name).toEqual([]);
      else if (!['session', 'hsd-verification'].includes(endpoint.resource) && !('kind' in endpoint.answer)) {
        // A report, and what begins or ends a session.
        const ofCodes = ['begin', 'signInAdmin', 'signInSubadmin', 'confirmAgain'].map((verb) => `secondStep.${verb}`);
        const ofSession = ['viewAs', 'endViewAs', 'readLink', 'join'].map((verb) => `people.${verb}`);
        const readsOnly = ['accounting.shareOnWhatsapp', ...ofSession, ...ofCodes].includes(name);
        expect(endpoint.touches.includes(endpoint.resource), name).toBe(!readsOnly);
      }
    }
  });

  it.each([
    'challans.create',
    'challans.update',
    'bankStatement.markPaid',
    'bankStatement.markMatchingPaid',
    'paymentBatches.takeBackCarry',
    'paymentBatches.reverse',
    'preparedPayments.release',
  ])('%s refreshes everything that counts or sums challans', (name) => {
    const found = endpoints.find((one) => one.name === name);
    expect(found?.endpoint.touches).toEqual(
      expect.arrayContaining(['challans', 'bank-statement', 'payment-batches', 'accounting', 'dashboard', 'tags']),
    );
  });

  it('has a method and path once, unless the query tells two apart', () => {
    const seen = endpoints.map(
      ({ endpoint }) => `${endpoint.method} ${endpoint.path} ${JSON.stringify([endpoint.when, endpoint.whenGiven])}`,
    );
    expect(new Set(seen).size).toBe(seen.length);
  });
});
