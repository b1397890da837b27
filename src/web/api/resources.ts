import { contract } from '../../shared/contract/index.ts';
import { createResource } from './create-resource.ts';

/** One object of hooks per resource, derived from the contract: `owners.useSearch(…)`, `challans.useUpdate(…)`. */
export const session = createResource(contract.session);
export const subadmins = createResource(contract.subadmins);
export const profile = createResource(contract.profile);
export const owners = createResource(contract.owners);
export const trucks = createResource(contract.trucks);
export const tags = createResource(contract.tags);
export const petrolPumps = createResource(contract.petrolPumps);
export const challans = createResource(contract.challans);
export const bankStatement = createResource(contract.bankStatement);
export const paymentBatches = createResource(contract.paymentBatches);
export const hsdVerification = createResource(contract.hsdVerification);
export const accounting = createResource(contract.accounting);
export const sharedReports = createResource(contract.sharedReports);
export const dashboard = createResource(contract.dashboard);
export const history = createResource(contract.history);
export const settings = createResource(contract.settings);
