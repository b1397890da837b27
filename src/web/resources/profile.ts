import { profile as calls } from '../../shared/contract/profile.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const profile = createResource(calls);
