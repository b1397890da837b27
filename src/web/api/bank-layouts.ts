import { bankLayouts as calls } from '../../shared/contract/bank-layouts.ts';
import { createResource } from './create-resource.ts';

export const bankLayouts = createResource(calls);
