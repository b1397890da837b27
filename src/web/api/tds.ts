import { tds as calls } from '../../shared/contract/tds.ts';
import { createResource } from './create-resource.ts';

export const tds = createResource(calls);
