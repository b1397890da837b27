import { tags as calls } from '../../shared/contract/tags.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const tags = createResource(calls);
