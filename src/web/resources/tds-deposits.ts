import { tdsDeposits as calls } from '../../shared/contract/tds-deposits.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const tdsDeposits = createResource(calls);
