import { exceptions as calls } from '../../shared/contract/exceptions.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const exceptions = createResource(calls);
