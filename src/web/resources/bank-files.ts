import { bankFiles as calls } from '../../shared/contract/bank-files.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const bankFiles = createResource(calls);
