import { petrolPumps as calls } from '../../shared/contract/petrol-pumps.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const petrolPumps = createResource(calls);
