import { challanGroups as calls } from '../../shared/contract/challan-groups.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const challanGroups = createResource(calls);
