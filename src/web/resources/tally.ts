import { tally as calls } from '../../shared/contract/tally.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const tally = createResource(calls);
