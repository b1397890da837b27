import { secondStep as calls } from '../../shared/contract/second-step.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const secondStep = createResource(calls);
