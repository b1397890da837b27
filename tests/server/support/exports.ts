import type { Endpoint } from '../../../src/shared/contract/define.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Api, Tenant } from './api.ts';

export interface ExportRefs {
  ownerId: string;
  batchId: string;
}

export interface Export {
  name: string;
  endpoint: Endpoint;
  /** How a client asks for it: address and body. */
  request: (refs: ExportRefs) => { method: string; url: string; body?: unknown };
}

/** Every CSV file of the API. */
export const fileExports: readonly Export[] = [
  {
    name: 'the challan list',
    endpoint: contract.challans.exportCsv,
    request: () => ({ method: 'POST', url: '/api/challans/export-filtered-csv', body: { filters: {} } }),
  },
  {
    name: 'the groups of the challan list',
    endpoint: contract.challanGroups.exportCsv,
    request: () => ({
      method: 'POST',
      url: '/api/challans/groups/csv',
      body: { filters: {}, groupBy: 'owner,loadingPlace' },
    }),
  },
  {
    name: 'the bank statement',
    endpoint: contract.bankStatement.exportCsv,
    request: () => ({ method: 'GET', url: '/api/challans/bank-report?format=csv' }),
  },
  {
    name: 'a payment',
    endpoint: contract.paymentBatches.exportCsv,
    request: ({ batchId }) => ({ method: 'GET', url: `/api/payment-batches/${batchId}/csv` }),
  },
  {
    name: "an owner's challans",
    endpoint: contract.accounting.exportCsv,
    request: ({ ownerId }) => ({
      method: 'POST',
      url: '/api/accounting/export-owner-challans-csv',
      body: { ownerId, filters: {} },
    }),
  },
  {
    name: 'the TDS register',
    endpoint: contract.tds.exportCsv,
    request: () => ({ method: 'GET', url: '/api/accounting/tds/csv' }),
  },
  {
    name: 'the TDS return',
    endpoint: contract.tds.exportReturnCsv,
    request: () => ({ method: 'GET', url: '/api/accounting/tds/return/csv' }),
  },
  {
    name: 'the exceptions',
    endpoint: contract.exceptions.exportCsv,
    request: () => ({ method: 'GET', url: '/api/exceptions/csv' }),
  },
];

/** Every Excel workbook of the API that holds data: the templates of the import are not here. */
export const workbookExports: readonly Export[] = [
  {
    name: 'the challan list as a workbook',
    endpoint: contract.challans.exportXlsx,
    request: () => ({ method: 'POST', url: '/api/challans/export-filtered-xlsx', body: { filters: {} } }),
  },
  {
    name: 'a selection as a workbook',
    endpoint: contract.challans.exportMany,
    request: () => ({
      method: 'POST',
      url: '/api/challans/selection/export',
      body: { selection: { by: 'filter', filters: {} } },
    }),
  },
  {
    name: 'the groups of the challan list as a workbook',
    endpoint: contract.challanGroups.exportXlsx,
    request: () => ({
      method: 'POST',
      url: '/api/challans/groups/xlsx',
      body: { filters: {}, groupBy: 'owner,loadingPlace' },
    }),
  },
  {
    name: 'the bank statement as a workbook',
    endpoint: contract.bankStatement.exportXlsx,
    request: () => ({ method: 'GET', url: '/api/challans/bank-report?format=xlsx' }),
  },
  {
    name: 'a payment as a workbook',
    endpoint: contract.paymentBatches.exportXlsx,
    request: ({ batchId }) => ({ method: 'GET', url: `/api/payment-batches/${batchId}/xlsx` }),
  },
  {
    name: "an owner's challans as a workbook",
    endpoint: contract.accounting.exportXlsx,
    request: ({ ownerId }) => ({
      method: 'POST',
      url: '/api/accounting/export-owner-challans-xlsx',
      body: { ownerId, filters: {} },
    }),
  },
  {
    name: 'the TDS register as a workbook',
    endpoint: contract.tds.exportXlsx,
    request: () => ({ method: 'GET', url: '/api/accounting/tds/xlsx' }),
  },
  {
    name: 'the TDS return as a workbook',
    endpoint: contract.tds.exportReturnXlsx,
    request: () => ({ method: 'GET', url: '/api/accounting/tds/return/xlsx' }),
  },
  {
    name: 'the exceptions as a workbook',
    endpoint: contract.exceptions.exportXlsx,
    request: () => ({ method: 'GET', url: '/api/exceptions/xlsx' }),
  },
];

export async function downloadExport(api: Api, tenant: Tenant, one: Export, refs: ExportRefs): Promise<string> {
  const { method, url, body } = one.request(refs);
  const answer = await api.callRaw(method, url, { token: tenant.token, ...(body === undefined ? {} : { body }) });
  if (answer.status !== 200) throw new Error(`Expected 200, got ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer.text;
}
