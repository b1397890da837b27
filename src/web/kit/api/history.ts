import { history as calls } from '../../../shared/contract/history.ts';
import { createResource } from './create-resource.ts';

export const history = createResource(calls);
