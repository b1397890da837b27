import { bankLayouts as calls } from '../../shared/contract/bank-layouts.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const bankLayouts = createResource(calls);
