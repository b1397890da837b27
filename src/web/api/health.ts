import { health as calls } from '../../shared/contract/health.ts';
import { createResource } from './create-resource.ts';

export const health = createResource(calls);
