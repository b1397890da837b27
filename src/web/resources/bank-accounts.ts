import { bankAccounts as calls } from '../../shared/contract/bank-accounts.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const bankAccounts = createResource(calls);
