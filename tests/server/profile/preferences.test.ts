import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_PREFERENCES } from '../../../src/shared/contract/preferences.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { expectRefusal } from '../support/expect.ts';

let api: Api;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
});
afterAll(() => api.close());

const { preferences } = contract;
const put = (key: string, value: string | null, of = tenant) =>
  api.call(preferences.put, { body: { key, value } }, { token: of.token });
const kept = async (of = tenant): Promise<Record<string, string>> => {
  const { data } = (await api.call(preferences.list, {}, { token: of.token })).body;
  return Object.fromEntries(data.map(({ key, value }) => [key, value]));
};

describe('what an account arranges for itself', () => {
  it('is kept under its key, replaced, and forgotten', async () => {
    const { data: first } = (await put('views:challans', '[1]')).body;
    const { data: second } = (await put('views:challans', '[2]')).body;
    await put('layout:challans', '{"a":"₹"}');
    expect(await kept()).toEqual({ 'views:challans': '[2]', 'layout:challans': '{"a":"₹"}' });
    expect((second?.updatedAt ?? '') > (first?.updatedAt ?? '')).toBe(true);
    expect((await put('layout:challans', null)).body.data).toBeNull();
    expect((await put('layout:challans', null)).status).toBe(200);
    expect(await kept()).toEqual({ 'views:challans': '[2]' });
  });

  it("is not another account's", async () => {
    const other = await api.addTenant();
    await put('views:challans', '["theirs"]', other);
    expect(await kept(other)).toEqual({ 'views:challans': '["theirs"]' });
    expect(await kept()).toEqual({ 'views:challans': '[2]' });
    await put('views:challans', null, other);
    expect(await kept()).toEqual({ 'views:challans': '[2]' });
  });

  it('has a limit for each and for all', async () => {
    expectRefusal(await put('views:challans', 'x'.repeat(20_001)), 400, 'VALIDATION_ERROR');
    expectRefusal(await put('', '1'), 400, 'VALIDATION_ERROR');
    expect(await kept()).toEqual({ 'views:challans': '[2]' });
    const full = await api.addTenant();
    for (let n = 0; n < MOST_PREFERENCES; n += 1) expect((await put(`key-${n}`, '1', full)).status).toBe(200);
    expectRefusal(await put('one-more', '1', full), 400, 'VALIDATION_ERROR');
    expect((await put('key-3', '2', full)).status).toBe(200);
  });

  it('is the same for two at once: the later one stays, and nothing fails', async () => {
    const answers = await Promise.all(['[3]', '[4]', '[5]'].map((value) => put('views:tags', value)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(['[3]', '[4]', '[5]']).toContain((await kept())['views:tags']);
  });
});
