import { subadmins as calls } from '../../shared/contract/subadmins.ts';
import { createResource } from './create-resource.ts';

export const subadmins = createResource(calls);
