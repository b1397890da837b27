import { tables as calls } from '../../shared/contract/tables.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const tables = createResource(calls);
