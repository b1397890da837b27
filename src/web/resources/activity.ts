import { activity as calls } from '../../shared/contract/activity.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const activity = createResource(calls);
