import { dashboard as calls } from '../../shared/contract/dashboard.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const dashboard = createResource(calls);
