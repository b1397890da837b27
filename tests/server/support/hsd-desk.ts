import { contract } from '../../../src/shared/contract/index.ts';
import type { HsdUploadResult } from '../../../src/shared/contract/hsd-verification.ts';
import { uploadOptions, type Part } from '../hsd/hsd-corpus/multipart.ts';
import type { Answer, Api, Tenant } from './api.ts';
import { createOwner, createPump, createTag } from './builders.ts';
import { insertChallans } from './ledger.ts';

export interface HsdChallan {
  tpNo: string;
  amount: string;
  isVerified?: boolean;
  hasNoPump?: boolean;
}

/** Challans with these TP numbers and HSD amounts; returns their ids in order. Each is numbered 'C-' and its TP. */
export async function addHsdChallans(api: Api, tenant: Tenant, wanted: readonly HsdChallan[]): Promise<string[]> {
  const owner = await createOwner(api, tenant);
  const tag = await createTag(api, tenant);
  const pump = await createPump(api, tenant);
  return api.inTenant(tenant, async (db) => {
    const made = await insertChallans(db, { ownerId: owner.id, tagId: tag.id }, wanted.length);
    const ids = made.map(({ id }) => id);
    await db.query(
      `UPDATE challans c SET tp_no = w.tp, challan_number = 'C-' || w.tp,
         petrol_pump_id = CASE WHEN w.dry THEN NULL ELSE $6::uuid END,
         hsd_price_per_liter = w.amount, hsd_in_liters = CASE WHEN w.dry THEN 0 ELSE 1 END, hsd_amount = w.amount,
         net_amount_payable = net_amount_payable - w.amount,
         hsd_verified = w.verified, hsd_verified_at = CASE WHEN w.verified THEN timestamptz '2026-05-01T10:00:00Z' END
       FROM unnest($2::uuid[], $3::text[], $4::numeric[], $5::boolean[], $7::boolean[])
         AS w (id, tp, amount, verified, dry)
       WHERE c.subadmin_id = $1 AND c.id = w.id`,
      [
        tenant.id,
        ids,
        wanted.map(({ tpNo }) => tpNo),
        wanted.map(({ amount }) => amount),
        wanted.map(({ isVerified }) => isVerified ?? false),
        pump.id,
        wanted.map(({ hasNoPump }) => hasNoPump ?? false),
      ],
    );
    return ids;
  });
}

export const uploadUrl = `/api${contract.hsdVerification.upload.path}`;

export interface UploadAnswer extends Answer<Record<string, unknown>> {
  data: HsdUploadResult;
}

export type UploadQuery = Readonly<Record<string, string | number>>;

/** Uploads by injection; `data` is only there for a success. */
export async function upload(
  api: Api,
  tenant: Tenant,
  parts: readonly Part[],
  query: UploadQuery = {},
): Promise<UploadAnswer> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const url = text === '' ? uploadUrl : `${uploadUrl}?${text}`;
  const answer = await api.callRaw('POST', url, { token: tenant.token, ...uploadOptions(parts) });
  // The server's serializer is built from this answer's schema.
  return Object.assign(answer, { data: answer.body.data as HsdUploadResult });
}

export const uploadFile = (
  api: Api,
  tenant: Tenant,
  fileName: string,
  content: Buffer | string,
  query: UploadQuery = {},
) => upload(api, tenant, [{ fileName, content }], query);

/** A CSV of these rows. */
export const csvOf = (rows: readonly (readonly [tpNo: string, amount: string])[]): string =>
  ['TP No,Amount', ...rows.map((row) => row.join(','))].join('\n');
