import { monthPacks as calls } from '../../shared/contract/month-packs.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const monthPacks = createResource(calls);
