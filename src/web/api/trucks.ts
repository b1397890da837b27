import { trucks as calls } from '../../shared/contract/trucks.ts';
import { createResource } from './create-resource.ts';

export const trucks = createResource(calls);
