import { imports as calls } from '../../shared/contract/imports.ts';
import { createResource } from './create-resource.ts';

export const imports = createResource(calls);
