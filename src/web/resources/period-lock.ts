import { periodLock as calls } from '../../shared/contract/period-lock.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const periodLock = createResource(calls);
