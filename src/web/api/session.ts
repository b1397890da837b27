import { session as calls } from '../../shared/contract/session.ts';
import { createResource } from './create-resource.ts';

export const session = createResource(calls);
