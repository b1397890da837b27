import { today as calls } from '../../shared/contract/today.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const today = createResource(calls);
