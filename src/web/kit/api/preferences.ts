import { preferences as calls } from '../../../shared/contract/preferences.ts';
import { createResource } from './create-resource.ts';

export const preferences = createResource(calls);
