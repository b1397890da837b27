import { health as calls } from '../../shared/contract/health.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const health = createResource(calls);
