import { owners as calls } from '../../shared/contract/owners.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const owners = createResource(calls);
