import { tds as calls } from '../../shared/contract/tds.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const tds = createResource(calls);
