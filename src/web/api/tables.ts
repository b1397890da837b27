import { tables as calls } from '../../shared/contract/tables.ts';
import { createResource } from './create-resource.ts';

export const tables = createResource(calls);
