import { accounting as calls } from '../../shared/contract/accounting.ts';
import { createResource } from './create-resource.ts';

export const accounting = createResource(calls);
