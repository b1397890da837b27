import { dashboard as calls } from '../../shared/contract/dashboard.ts';
import { createResource } from './create-resource.ts';

export const dashboard = createResource(calls);
