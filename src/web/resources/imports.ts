import { imports as calls } from '../../shared/contract/imports.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const imports = createResource(calls);
