import type { BodyInput } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Api, Tenant } from './api.ts';

const { accounting, sharedReports } = contract;
export type ReportFilters = BodyInput<typeof accounting.shareOnWhatsapp>['filters'];

export interface Sent {
  whatsappUrl: string;
  /** The message as the owner reads it. */
  text: string;
  token: string;
  recordCount: number;
  ownerName: string;
}

/** Sends a report and takes the link out of the message, as its reader does. */
export async function sendReport(
  api: Api,
  tenant: Tenant,
  ownerId: string,
  filters: ReportFilters = {},
): Promise<Sent> {
  const answer = await api.call(accounting.shareOnWhatsapp, { body: { ownerId, filters } }, { token: tenant.token });
  if (answer.status !== 200) throw new Error(`Expected 200, got ${answer.status}: ${answer.text}`);
  const { data } = answer.body;
  const text = new URL(data.whatsappUrl).searchParams.get('text') ?? '';
  const token = /\/share\/([\w-]+)$/.exec(text)?.[1] ?? '';
  return { ...data, text, token };
}

let opened = 0;

/** Opens a link as an owner does, each time from another address unless a test is about that. */
export async function openLink(
  api: Api,
  token: string,
  {
    method = 'GET',
    from = `10.${(opened >> 8) & 255}.${opened & 255}.9`,
  }: { method?: 'GET' | 'HEAD'; from?: string } = {},
) {
  opened += 1;
  const { statusCode, headers, payload } = await api.app.inject({
    method,
    url: `/share/${token}`,
    remoteAddress: from,
  });
  return { status: statusCode, headers, text: payload };
}

export async function reportsOf(api: Api, tenant: Tenant, query: { page?: number; limit?: number } = {}) {
  return (await api.call(sharedReports.list, { query: { limit: 100, ...query } }, { token: tenant.token })).body;
}
