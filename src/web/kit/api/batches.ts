import { batches as calls } from '../../../shared/contract/batches.ts';
import { createResource } from './create-resource.ts';

export const batches = createResource(calls);
