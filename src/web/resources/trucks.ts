import { trucks as calls } from '../../shared/contract/trucks.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const trucks = createResource(calls);
