import { bankStatement as calls } from '../../shared/contract/bank-statement.ts';
import { createResource } from './create-resource.ts';

export const bankStatement = createResource(calls);
