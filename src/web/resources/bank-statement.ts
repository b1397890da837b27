import { bankStatement as calls } from '../../shared/contract/bank-statement.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const bankStatement = createResource(calls);
