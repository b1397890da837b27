import { waiting as contract } from '../../shared/contract/waiting.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const waiting = createResource(contract);
