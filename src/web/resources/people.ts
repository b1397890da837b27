import { people as calls } from '../../shared/contract/people.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const people = createResource(calls);
