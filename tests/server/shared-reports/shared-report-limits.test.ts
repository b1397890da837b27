import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { Bucket } from '../../../src/server/bucket.ts';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { createChallan, createOwner, createTag } from '../support/builders.ts';
import { expectRefusal, statusesOf, unknownId } from '../support/expect.ts';
import { openLink, reportsOf, sendReport } from '../support/shared-link.ts';

/** Each report that is sent is a file kept for three days, so their number is limited (docs/security.md §6.3). */

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const { accounting, sharedReports } = contract;
const share = (tenant: Tenant, ownerId: string) =>
  api.call(accounting.shareOnWhatsapp, { body: { ownerId, filters: {} } }, { token: tenant.token });

describe('sending many reports', () => {
  it('is refused for a moment, with how long, and for this account alone', async () => {
    const [tenant, other] = [await api.addTenant(), await api.addTenant()];
    const answers = await Promise.all(Array.from({ length: 80 }, () => share(tenant, unknownId)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(20);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expectRefusal(answer, 429, 'TOO_MANY_REQUESTS');
      const seconds = Number(answer.headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(15);
      expect(answer.error.message).toBe(
        `Many reports were sent just now. Please try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
      );
    }
    expectRefusal(await share(other, unknownId), 404, 'NO_DATA_FOUND');
  });

  it('goes on with one every 15 seconds', () => {
    let now = 0;
    const bucket = new Bucket({ burst: 20, perSecond: 1 / 15 }, () => now);
    for (let n = 0; n < 20; n += 1) expect(bucket.take('account')).toBe(0);
    expect(bucket.take('account')).toBe(15);
    now = 15_001;
    expect([bucket.take('account'), bucket.take('account')]).toEqual([0, 15]);
  });
});

describe('open links', () => {
  const ofAccount = async () => {
    const tenant = await api.addTenant();
    const refs = { ownerId: (await createOwner(api, tenant)).id, tagId: (await createTag(api, tenant)).id };
    await createChallan(api, tenant, refs);
    const first = await sendReport(api, tenant, refs.ownerId);
    return { tenant, ownerId: refs.ownerId, first };
  };
  /** As many again as there are, with links nobody knows. */
  const add = (tenant: Tenant, count: number) =>
    api.inTenant(tenant, (db) =>
      db.query(
        `INSERT INTO shared_reports (subadmin_id, token_hash, owner_id, file_name, content, record_count, filters, created_by,
           created_at, expires_at)
         SELECT r.subadmin_id, sha256((r.id::text || n)::bytea), r.owner_id, r.file_name, r.content, 1, r.filters, r.created_by,
           r.created_at, r.expires_at
         FROM (SELECT * FROM shared_reports WHERE subadmin_id = $1 LIMIT 1) r, generate_series(1, $2::int) n`,
        [tenant.id, count],
      ),
    );
  const stored = async (tenant: Tenant) => (await reportsOf(api, tenant)).pagination.totalCount;

  it('are two hundred of an account at most, however many are sent at once', async () => {
    const { tenant, ownerId, first } = await ofAccount();
    await add(tenant, 198);
    expect(await statusesOf(Array.from({ length: 6 }, () => share(tenant, ownerId)))).toEqual([
      200, 429, 429, 429, 429, 429,
    ]);
    expect(await stored(tenant)).toBe(200);
    const refused = await share(tenant, ownerId);
    expectRefusal(
      refused,
      429,
      'TOO_MANY_REQUESTS',
      '200 report links are open, the most at one time. Revoke some on the Shared Reports page, or wait until one has expired.',
    );
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(72 * 60 * 60);
    // What is open stays open, and another account is not concerned.
    expect((await openLink(api, first.token)).status).toBe(200);
    const other = await ofAccount();
    expect((await share(other.tenant, other.ownerId)).status).toBe(200);
  });

  it('make room when one is revoked or has expired', async () => {
    const { tenant, ownerId } = await ofAccount();
    await add(tenant, 199);
    expect((await share(tenant, ownerId)).status).toBe(429);
    const [one] = (await reportsOf(api, tenant)).data;
    await api.call(sharedReports.revoke, { params: { id: one?.id ?? '' } }, { token: tenant.token });
    expect(await statusesOf([share(tenant, ownerId), share(tenant, ownerId)])).toEqual([200, 429]);
    await api.inTenant(tenant, (db) =>
      db.query(
        `UPDATE shared_reports SET created_at = created_at - interval '72 hours', expires_at = expires_at - interval '72 hours'
         WHERE subadmin_id = $1 AND id = (SELECT id FROM shared_reports WHERE subadmin_id = $1 AND revoked_at IS NULL LIMIT 1)`,
        [tenant.id],
      ),
    );
    expect((await share(tenant, ownerId)).status).toBe(200);
  });
});
