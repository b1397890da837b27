import { declarations as calls } from '../../shared/contract/declarations.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const declarations = createResource(calls);
