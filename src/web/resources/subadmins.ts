import { subadmins as calls } from '../../shared/contract/subadmins.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const subadmins = createResource(calls);
