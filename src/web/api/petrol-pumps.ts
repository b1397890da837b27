import { petrolPumps as calls } from '../../shared/contract/petrol-pumps.ts';
import { createResource } from './create-resource.ts';

export const petrolPumps = createResource(calls);
