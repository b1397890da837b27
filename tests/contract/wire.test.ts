import { describe, expect, it } from 'vitest';
import { bankStatement, statementFilterBody } from '../../src/shared/contract/bank-statement.ts';
import { challans } from '../../src/shared/contract/challans.ts';
import { accounting } from '../../src/shared/contract/accounting.ts';
import { allErrors, endpoint, fillPath } from '../../src/shared/contract/define.ts';
import { hsdVerification } from '../../src/shared/contract/hsd-verification.ts';
import { owners } from '../../src/shared/contract/owners.ts';
import { paymentBatches } from '../../src/shared/contract/payment-batches.ts';
import { day, dayOrInstant, id, idParams, message } from '../../src/shared/contract/scalars.ts';
import { session } from '../../src/shared/contract/session.ts';
import { trucks } from '../../src/shared/contract/trucks.ts';
import { messagesOf, otherId, someId, unknownKeys } from './issues.ts';

const list = challans.list.query;

describe('ids', () => {
  it('are UUIDs of version 4, in any case, read as lower case', () => {
    expect(id.parse(someId.toUpperCase())).toBe(someId);
  });

  it.each([
    '',
    'x',
    someId.slice(1),
    `${someId}0`,
    `{${someId}}`,
    someId.replaceAll('-', ''),
    '3f2b8c1e-7d4a-1e9b-9a6f-0c5d1e2f3a4b', // version 1
    '3f2b8c1e-7d4a-4e9b-1a6f-0c5d1e2f3a4b', // no variant
    '00000000-0000-0000-0000-000000000000',
    `${someId}\n`,
    null,
    5,
  ])('%j is refused', (value) => {
    expect(messagesOf(idParams, { id: value })).toEqual({ id: ['must be an id'] });
  });
});

describe('days', () => {
  it.each(['2026-04-01', '2024-02-29', '1900-01-01', '2199-12-31'])('%s is a day', (value) => {
    expect(day.safeParse(value).success).toBe(true);
  });

  const notDays = ['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '1899-12-31', '2200-01-01', '2026-4-1'];
  const notEvenClose = ['01/04/2026', '2026-04-01 ', '2026-04-01T00:00:00Z', '', 'today', 20260401, null];
  it.each([...notDays, ...notEvenClose])('%j is not', (value) => {
    expect(day.safeParse(value).success).toBe(false);
  });

  it.each(['2026-04-01', '2026-04-01T10:00:00Z', '2026-04-01T10:00:00.123+05:30'])('%s is a challan date', (value) => {
    expect(dayOrInstant().safeParse(value).success).toBe(true);
  });

  it.each(['2026-04-01T10:00:00', '2026-02-30T10:00:00Z', '2026-04-01T24:00:00Z', '1775000000000', 1775000000000])(
    '%j is no challan date: without a zone it would mean another instant on another machine',
    (value) => {
      expect(dayOrInstant().safeParse(value).success).toBe(false);
    },
  );
});

describe('a query', () => {
  it('has its defaults', () => {
    expect(list.parse({})).toEqual({ page: 1, limit: 10, sortBy: 'createdAt', sortOrder: 'desc' });
  });

  it('reads text as what it means', () => {
    expect(list.parse({ page: '3', limit: '100', tpNo: ' 0012 ', tagId: 'none', ownerId: someId })).toMatchObject({
      page: 3,
      limit: 100,
      tpNo: '0012',
      tagId: 'none',
      ownerId: someId,
    });
  });

  it.each([
    ['paid', true],
    ['unpaid', false],
    ['true', true],
    ['false', false],
    [true, true],
    [false, false],
    ['', undefined],
    ['null', undefined],
  ])('paymentStatus=%s means %s', (value, expected) => {
    expect(list.parse({ paymentStatus: value as 'paid' }).paymentStatus).toBe(expected);
  });

  it.each(['yes', '1', '0', 'PAID', 'undefined', ' paid'])('paymentStatus=%s is refused', (value) => {
    expect(messagesOf(list, { paymentStatus: value })).toEqual({ paymentStatus: ['must be paid or unpaid'] });
  });

  it('takes an empty value and null for no filter, everywhere', () => {
    for (const value of ['', 'null']) {
      const parsed = list.parse({
        tpNo: value as '',
        paymentStatus: value as '',
        tagId: value as '',
        ownerId: value as '',
        startDate: value as '',
        endDate: value as '',
        depositedDate: value as '',
        depositedStartDate: value as '',
        depositedEndDate: value as '',
        sortBy: value as '',
        sortOrder: value as '',
      });
      const filters = Object.entries(parsed).filter(([, filter]) => filter !== undefined);
      expect(Object.fromEntries(filters)).toEqual({ page: 1, limit: 10, sortBy: 'createdAt', sortOrder: 'desc' });
    }
  });

  it.each(['0', '-1', '101', '1.5', 'abc', '', '1e1', ' 5', '0x5', '9'.repeat(20)])('limit=%s is refused', (limit) => {
    expect(Object.keys(messagesOf(list, { limit }))).toEqual(['limit']);
  });

  it.each(['0', '-1', '1.5', 'abc', ''])('page=%s is refused', (page) => {
    expect(Object.keys(messagesOf(list, { page }))).toEqual(['page']);
  });

  it('takes a page far past the end: it is an empty list', () => {
    expect(list.parse({ page: '100000000' }).page).toBe(100_000_000);
  });

  it('sorts by what is allowed and nothing else', () => {
    expect(list.parse({ sortBy: 'netAmountPayable', sortOrder: 'asc' })).toMatchObject({ sortOrder: 'asc' });
    expect(messagesOf(list, { sortBy: 'password_hash' })).toHaveProperty('sortBy');
    expect(messagesOf(list, { sortBy: 'createdAt; drop table challans' })).toHaveProperty('sortBy');
    expect(messagesOf(list, { sortOrder: 'DESC' })).toHaveProperty('sortOrder');
  });

  it('refuses a reversed range, and takes one day', () => {
    expect(messagesOf(list, { startDate: '2026-04-02', endDate: '2026-04-01' })).toHaveProperty('endDate');
    expect(messagesOf(list, { depositedStartDate: '2026-04-02', depositedEndDate: '2026-04-01' })).toHaveProperty(
      'depositedEndDate',
    );
    expect(messagesOf(list, { startDate: '2026-04-01', endDate: '2026-04-01' })).toEqual({});
    expect(messagesOf(list, { startDate: '2026-04-02', depositedEndDate: '2026-04-01' })).toEqual({});
  });

  it('refuses a value that came twice', () => {
    expect(messagesOf(list, { tpNo: ['a', 'b'] })).toHaveProperty('tpNo');
    expect(messagesOf(list, { page: ['1', '2'] })).toHaveProperty('page');
  });

  it('ignores keys it does not know', () => {
    expect(list.parse({ page: '1', utm: 'x' })).not.toHaveProperty('utm');
  });

  it('searches from two characters after trimming', () => {
    expect(messagesOf(owners.search.query, { q: ' a ' })).toEqual({ q: ['Please enter at least 2 characters'] });
    expect(messagesOf(trucks.search.query, {})).toEqual({ q: ['Please enter at least 2 characters'] });
    expect(owners.search.query.parse({ q: ' %_ ' })).toEqual({ q: '%_', page: 1, limit: 200, sortOrder: 'asc' });
  });

  it('takes pageSize for limit on the bank statement', () => {
    expect(bankStatement.list.query.parse({ pageSize: '50' })).toMatchObject({ pageSize: 50, limit: 10 });
    expect(Object.keys(messagesOf(bankStatement.list.query, { pageSize: '500' }))).toEqual(['pageSize']);
  });

  it('asks for the owner in accounting', () => {
    expect(messagesOf(accounting.listOwnerChallans.query, {})).toEqual({ ownerId: ['Owner ID is required'] });
    expect(messagesOf(accounting.getOwnerSummary.query, { ownerId: 'x' })).toEqual({
      ownerId: ['Invalid owner ID format'],
    });
  });
});

describe('bulk bodies', () => {
  const markPaid = bankStatement.markPaid.body;
  const markMatching = bankStatement.markMatchingPaid.body;
  const ids = (count: number) =>
    Array.from({ length: count }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`);

  it.each([undefined, null, [], {}, 'x', someId])('challanIds %j is refused with the sentence', (challanIds) => {
    expect(messagesOf(markPaid, { challanIds })).toEqual({
      challanIds: ['Please select at least one challan to mark as paid'],
    });
  });

  it('takes 1 to 5,000 ids', () => {
    expect(messagesOf(markPaid, { challanIds: ids(1) })).toEqual({});
    expect(messagesOf(markPaid, { challanIds: ids(5000) })).toEqual({});
    expect(messagesOf(markPaid, { challanIds: ids(5001) })).toHaveProperty('challanIds');
    expect(messagesOf(markPaid, { challanIds: [someId, 'x'] })).toEqual({ 'challanIds.1': ['must be an id'] });
  });

  it('fits its largest bodies into its limits', () => {
    const largest = { filters: {}, excludeChallanIds: ids(50_000), paymentStatus: true };
    expect(messagesOf(markMatching, largest)).toEqual({});
    expect(JSON.stringify(largest).length).toBeLessThan(bankStatement.markMatchingPaid.bodyLimit);
    expect(JSON.stringify({ challanIds: ids(5000) }).length).toBeLessThan(bankStatement.markPaid.bodyLimit);
    expect(JSON.stringify({ challanIds: ids(20_000) }).length).toBeLessThan(hsdVerification.verify.bodyLimit);
    expect(messagesOf(markMatching, { ...largest, excludeChallanIds: ids(50_001) })).toHaveProperty(
      'excludeChallanIds',
    );
  });

  it('asks for the filters: {} is said on purpose, a missing one is not all', () => {
    expect(messagesOf(markMatching, { filters: {}, paymentStatus: true })).toEqual({});
    for (const filters of [undefined, null, [], 'all']) {
      expect(messagesOf(markMatching, { filters, paymentStatus: true })).toHaveProperty('filters');
    }
    expect(unknownKeys(markMatching, { filters: { owner: someId }, paymentStatus: true })).toEqual(['owner']);
    for (const ownerId of [null, '', 'none']) {
      expect(messagesOf(markMatching, { filters: { ownerId }, paymentStatus: true })).toHaveProperty([
        'filters.ownerId',
      ]);
    }
  });

  it.each([false, null, 1, 'true', undefined])(
    'paymentStatus %j is refused: paying is all this call does',
    (paymentStatus) => {
      expect(messagesOf(markMatching, { filters: {}, paymentStatus })).toEqual({ paymentStatus: ['must be true'] });
    },
  );

  it('takes what the screen expects, also below zero and above one challan’s ceiling', () => {
    const body = { filters: {}, paymentStatus: true };
    for (const totalAmount of ['-12.50', '1234567890123456.78', '0.00']) {
      expect(messagesOf(markMatching, { ...body, expected: { count: 3, totalAmount } })).toEqual({});
    }
    expect(messagesOf(markMatching, { ...body, expected: { count: 3, totalAmount: 12.5 } })).toHaveProperty([
      'expected.totalAmount',
    ]);
    expect(messagesOf(markMatching, { ...body, expected: { count: '3', totalAmount: '1' } })).toHaveProperty([
      'expected.count',
    ]);
  });

  it('refuses a reversed range in a body too', () => {
    const reversed = { depositedStartDate: '2026-04-02', depositedEndDate: '2026-04-01' };
    expect(messagesOf(statementFilterBody, reversed)).toHaveProperty('depositedEndDate');
    expect(messagesOf(challans.exportCsv.body, { filters: reversed })).toHaveProperty(['filters.depositedEndDate']);
  });

  it('takes booleans alone for booleans', () => {
    for (const paymentStatus of [null, 0, 'false', 'paid']) {
      expect(messagesOf(challans.exportCsv.body, { filters: { paymentStatus } })).toEqual({
        'filters.paymentStatus': ['must be true or false'],
      });
    }
    for (const hsdVerified of [null, 0, 'false', undefined]) {
      expect(messagesOf(challans.setHsdVerified.body, { hsdVerified })).toEqual({
        hsdVerified: ['must be true or false'],
      });
    }
    // docs/specification.md §14.12 writes true/false/null for the owner report: there null is "no filter".
    expect(messagesOf(accounting.exportCsv.body, { ownerId: someId, filters: { paymentStatus: null } })).toEqual({});
    expect(messagesOf(accounting.exportCsv.body, { ownerId: someId, filters: { paymentStatus: 'paid' } })).not.toEqual(
      {},
    );
  });

  it('copies 1 to 100 owners', () => {
    expect(messagesOf(owners.copy.body, { ownerIds: [] })).toEqual({
      ownerIds: ['Please select at least one owner to copy'],
    });
    expect(messagesOf(owners.copy.body, { ownerIds: ids(100) })).toEqual({});
    expect(messagesOf(owners.copy.body, { ownerIds: ids(101) })).toHaveProperty('ownerIds');
  });

  it('asks why a payment is reversed', () => {
    for (const reason of [undefined, '', '  ']) {
      expect(messagesOf(paymentBatches.reverse.body, { reason })).toEqual({ reason: ['Please enter a reason'] });
    }
  });
});

describe('endpoint()', () => {
  const made = endpoint('owners', 'GET /owners/{id}', {
    summary: 'x',
    roles: ['subadmin'],
    params: idParams,
    answer: message,
  });

  it('implies the codes of its shape', () => {
    expect(allErrors(made)).toEqual(expect.arrayContaining(['NOT_FOUND', 'INVALID_ID', 'UNAUTHORIZED', 'FORBIDDEN']));
    expect(allErrors(made)).not.toContain('UNKNOWN_FIELD');
    expect(allErrors(session.loginAdmin)).not.toContain('UNAUTHORIZED');
    expect(allErrors(trucks.lookUp)).not.toContain('INVALID_ID');
  });

  it('has its defaults', () => {
    expect(made).toMatchObject({ status: 200, touches: [], idempotent: false, upload: false, when: undefined });
  });

  it('fills a path, encoded', () => {
    expect(fillPath('/owners/{id}', { id: someId })).toBe(`/owners/${someId}`);
    expect(fillPath('/trucks/vehicle/{vehicleNumber}', { vehicleNumber: 'OD 09/1' })).toBe(
      '/trucks/vehicle/OD%2009%2F1',
    );
    expect(() => fillPath('/owners/{id}', { other: otherId })).toThrow('/owners/{id}');
  });
});
