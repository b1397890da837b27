import { settings as calls } from '../../shared/contract/settings.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const settings = createResource(calls);
