import { periodLockActs as calls } from '../../shared/contract/period-lock-acts.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const periodLockActs = createResource(calls);
