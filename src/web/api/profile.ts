import { profile as calls } from '../../shared/contract/profile.ts';
import { createResource } from './create-resource.ts';

export const profile = createResource(calls);
