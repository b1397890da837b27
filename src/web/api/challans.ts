import { challans as calls } from '../../shared/contract/challans.ts';
import { createResource } from './create-resource.ts';

export const challans = createResource(calls);
