import { bankAccounts as calls } from '../../shared/contract/bank-accounts.ts';
import { createResource } from './create-resource.ts';

export const bankAccounts = createResource(calls);
