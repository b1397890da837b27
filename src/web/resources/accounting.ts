import { accounting as calls } from '../../shared/contract/accounting.ts';
import { createResource } from '../kit/api/create-resource.ts';

export const accounting = createResource(calls);
