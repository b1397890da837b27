import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type Api } from '../support/api.ts';
import { buildChallan, createOwner, createTag } from '../support/builders.ts';

/**
 * The rules of challans and profile at the server, in the same words as on the screens: a client's own check protects
 * nothing.
 */
let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('a challan that breaks a rule', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['tpNo', { tpNo: ' ' }, 'Please enter TP No'],
    ['loadingDate', { loadingDate: '' }, 'Please select loading date'],
    ['unloadingDate', { unloadingDate: '' }, 'Please select unloading date'],
    ['vehicleNo', { vehicleNo: '' }, 'Please enter vehicle no'],
    ['material', { material: '' }, 'Please enter material'],
    ['ownerName', { ownerName: '' }, 'Please enter owner name'],
    ['ownerContactNumber', { ownerContactNumber: '' }, 'Please enter owner contact number'],
    ['tagId', { tagId: '' }, 'Please select a tag'],
    ['loadingPlace', { loadingPlace: '' }, 'Please enter loading place'],
    ['unloadingPlace', { unloadingPlace: '' }, 'Please enter unloading place'],
    ['loadingWeight', { loadingWeight: '' }, 'Please enter loading weight'],
    ['unloadingWeight', { unloadingWeight: '' }, 'Please enter unloading weight'],
    ['ratePerMT', { ratePerMT: '' }, 'Please enter rate per MT'],
    ['tdsPercentage', { tdsPercentage: '' }, 'Please enter TDS percentage'],
    ['tdsAmount', { tdsAmount: '' }, 'Please enter TDS amount'],
    ['advanceMoney', { advanceMoney: '' }, 'Please enter advance money'],
    ['officeCharges', { officeCharges: '' }, 'Please enter office charges'],
    ['depositedAt', { depositedAt: '' }, 'Please select the deposited date!'],
    ['materialShortageAmount', { materialShortageAmount: '' }, 'Material shortage amount is required'],
    [
      'materialShortageAmount',
      { materialShortageAmount: '-1.00' },
      'Material shortage amount must be a positive number or zero',
    ],
    ['tdsPercentage', { tdsPercentage: '0' }, 'TDS percentage must be greater than 0'],
    ['tdsPercentage', { tdsPercentage: '100.1' }, 'TDS percentage cannot exceed 100%'],
    ['loadingDate', { loadingDate: '2026-04-12' }, 'Loading date cannot be after unloading date'],
    ['unloadingDate', { unloadingDate: '2026-04-09' }, 'Unloading date cannot be before loading date'],
    ['depositedAt', { depositedAt: '2026-04-10' }, 'Deposited date cannot be before unloading date'],
    ['ownerId', { ownerId: '' }, 'Please select an owner before submitting'],
  ])('%s = %j is refused', async (field, over, message) => {
    const tenant = await api.addTenant();
    const owner = await createOwner(api, tenant);
    const tag = await createTag(api, tenant);
    const body = { ...buildChallan({ ownerId: owner.id, tagId: tag.id }), ...over };
    const { status, error } = await api.callRaw('POST', '/api/challans', { token: tenant.token, body });
    expect(status).toBe(400);
    expect(error?.fields?.[field]).toBe(message);
    const left = await api.callRaw('GET', '/api/challans', { token: tenant.token });
    expect(JSON.parse(left.text)).toMatchObject({ data: [], summary: { totalCount: 0 } });
  });
});

describe('the challans of an owner', () => {
  it.each([
    ['', 'Owner ID is required'],
    ['?ownerId=', 'Owner ID is required'],
    ['?ownerId=abc', 'Invalid owner ID format'],
  ])('%s: %s', async (search, message) => {
    const tenant = await api.addTenant();
    for (const path of ['challans', 'challans/summary']) {
      const url = `/api/accounting/owner/${path}${search}`;
      const { status, error } = await api.callRaw('GET', url, { token: tenant.token });
      expect([status, error]).toEqual([400, expect.objectContaining({ code: 'VALIDATION_ERROR', message })]);
    }
  });
});
