import { bankFiles as calls } from '../../shared/contract/bank-files.ts';
import { createResource } from './create-resource.ts';

export const bankFiles = createResource(calls);
