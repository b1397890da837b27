import { challans as calls } from '../../shared/contract/challans.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const challans = createResource(calls);
