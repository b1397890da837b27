import { session as calls } from '../../shared/contract/session.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const session = createResource(calls);
