import { contract, type Contract } from '../../shared/contract/index.ts';
import { createResource, type ResourceHooks } from './create-resource.ts';

/** One object of hooks per resource, derived from the contract: `owners.useSearch(…)`, `challans.useUpdate(…)`. */
// Safe: the keys of the contract, each with the hooks of its own calls.
export const resources = Object.fromEntries(
  Object.entries(contract).map(([name, calls]) => [name, createResource(calls)]),
) as unknown as { readonly [R in keyof Contract]: ResourceHooks<Contract[R]> };

/** Those that several screens name. */
export const {
  session,
  subadmins,
  profile,
  owners,
  trucks,
  tags,
  petrolPumps,
  challans,
  bankStatement,
  paymentBatches,
  hsdVerification,
  accounting,
  sharedReports,
  dashboard,
  history,
  settings,
} = resources;
